package io.jgloo.bench.operation;

import io.jgloo.collectives.Collective;
import java.util.List;

/** The table of operations. */
public final class Operations {

  private static final List<Operation> ALL =
      List.of(
          new AllreduceOperation(),
          new BroadcastOperation(),
          new ReduceOperation(),
          new AllgatherOperation(Collective.ALLGATHER),
          new AllgatherOperation(Collective.ALLGATHERV),
          new ReduceScatterOperation(Collective.REDUCE_SCATTER),
          new ReduceScatterOperation(Collective.REDUCE_SCATTERV),
          new AlltoallOperation(Collective.ALLTOALL),
          new AlltoallOperation(Collective.ALLTOALLV),
          new GatherOperation(Collective.GATHER),
          new GatherOperation(Collective.GATHERV),
          new ScatterOperation(Collective.SCATTER),
          new ScatterOperation(Collective.SCATTERV),
          new ScanOperation(true),
          new ScanOperation(false),
          new BarrierOperation(),
          new SendrecvOperation(),
          new CalibrateOperation());

  private Operations() {}

  /** One line per operation, in the order in which {@code all} runs them. */
  public static List<Operation> all() {
    return ALL;
  }
}
