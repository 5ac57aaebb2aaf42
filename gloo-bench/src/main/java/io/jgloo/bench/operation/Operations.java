package io.jgloo.bench.operation;

import java.util.List;

/** The table of operations. */
public final class Operations {

  private static final List<Operation> ALL =
      List.of(
          new AllreduceOperation(),
          new BroadcastOperation(),
          new BarrierOperation(),
          new SendrecvOperation());

  private Operations() {}

  /** One line per operation, in the order in which {@code all} runs them. */
  public static List<Operation> all() {
    return ALL;
  }
}
