package io.jgloo.collectives;

/** The symbolic buffers a schedule works on; the executor binds them to memory. */
public enum Space {
  /** The caller's contribution: read only, and absent when the call is in place. */
  INPUT("input"),
  /** Where the result goes; holds the contribution at the start when the call is in place. */
  OUTPUT("output"),
  /** Memory of the schedule's own, {@link Schedule#scratchBytes()} long, undefined at the start. */
  SCRATCH("scratch");

  private final String label;

  Space(String label) {
    this.label = label;
  }

  /** The name used in messages. */
  public String label() {
    return label;
  }
}
