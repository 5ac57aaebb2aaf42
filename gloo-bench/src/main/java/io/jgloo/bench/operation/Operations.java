package io.jgloo.bench.operation;

import io.jgloo.collectives.Collective;
import java.util.List;
import java.util.Optional;

/** The table of operations. */
public final class Operations {

  private static final List<Operation> ALL =
      List.of(
          new WholeOperation(Collective.ALLREDUCE),
          new WholeOperation(Collective.BROADCAST),
          new WholeOperation(Collective.REDUCE),
          new BlockOperation(Collective.ALLGATHER),
          new BlockOperation(Collective.ALLGATHERV),
          new BlockOperation(Collective.REDUCE_SCATTER),
          new BlockOperation(Collective.REDUCE_SCATTERV),
          new BlockOperation(Collective.ALLTOALL),
          new BlockOperation(Collective.ALLTOALLV),
          new BlockOperation(Collective.GATHER),
          new BlockOperation(Collective.GATHERV),
          new BlockOperation(Collective.SCATTER),
          new BlockOperation(Collective.SCATTERV),
          new WholeOperation(Collective.SCAN),
          new WholeOperation(Collective.EXSCAN),
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
