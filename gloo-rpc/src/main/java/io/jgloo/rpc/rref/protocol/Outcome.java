package io.jgloo.rpc.rref.protocol;

/** The outcome of a reference's value. */
public sealed interface Outcome {

  /** The value. */
  record Value(Object value) implements Outcome {}

  /** The function that should have made the value threw. */
  record Thrown(Object error) implements Outcome {}

  /** There is no value for this fork. */
  record Refused(Reason reason) implements Outcome {}
}
