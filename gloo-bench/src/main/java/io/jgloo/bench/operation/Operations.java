package io.jgloo.bench.operation;

import io.jgloo.collectives.Collective;
import java.util.List;
import java.util.Optional;

/** The table of operations. */
public final class Operations {

  private static final List<Operation> ALL =
      List.of(
          new CollectiveOperation(Collective.ALLREDUCE),
          new CollectiveOperation(Collective.BROADCAST),
          new CollectiveOperation(Collective.REDUCE),
          new CollectiveOperation(Collective.ALLGATHER),
          new CollectiveOperation(Collective.ALLGATHERV),
          new CollectiveOperation(Collective.REDUCE_SCATTER),
          new CollectiveOperation(Collective.REDUCE_SCATTERV),
          new CollectiveOperation(Collective.ALLTOALL),
          new CollectiveOperation(Collective.ALLTOALLV),
          new CollectiveOperation(Collective.GATHER),
          new CollectiveOperation(Collective.GATHERV),
          new CollectiveOperation(Collective.SCATTER),
          new CollectiveOperation(Collective.SCATTERV),
          new CollectiveOperation(Collective.SCAN),
          new CollectiveOperation(Collective.EXSCAN),
          new BarrierOperation(),
          new SendrecvOperation(),
          new CalibrateOperation());

  private Operations() {}

  /** One line per operation, in the order in which {@code all} runs them. */
  public static List<Operation> all() {
    return ALL;
  }

  /** The operation of a name. */
  public static Optional<Operation> named(String name) {
    return ALL.stream().filter(operation -> operation.name().equals(name)).findFirst();
  }
}
