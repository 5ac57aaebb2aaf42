package io.jgloo.collectives.algorithm.alltoall;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Shape;

/** What it costs to send every block straight to its rank, some of them at a time. */
final class AlltoallCost {
  private AlltoallCost() {}

  /**
   * In that many steps, of which some wait for others. The counts of an alltoallv are not the same
   * at all ranks and must not decide what they choose, so its blocks count as one message of no
   * bytes.
   */
  static Cost ofBlocks(Shape shape, int steps, int waiting) {
    if (shape.collective() == Collective.ALLTOALLV) {
      return new Cost(steps, shape.size() - 1, 0, 0, 0).queueing(steps - waiting);
    }
    if (shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long block = Partition.chunks(shape).longest();
    long others = shape.size() - 1L;
    return new Cost(steps, others * shape.messages(block), others * block, steps * block, 0)
        .queueing(steps - waiting);
  }
}
