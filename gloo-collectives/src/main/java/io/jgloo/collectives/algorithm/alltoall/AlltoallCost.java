package io.jgloo.collectives.algorithm.alltoall;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Shape;

/** What it costs to send every block straight to its rank. */
final class AlltoallCost {
  private AlltoallCost() {}

  /**
   * In that many steps. The counts of an alltoallv are not the same at all ranks and must not
   * decide what they choose, so its blocks count as one message of no bytes.
   */
  static Cost ofBlocks(Shape shape, int steps) {
    if (shape.collective() == Collective.ALLTOALLV) {
      return new Cost(steps, shape.size() - 1, 0, 0, 0);
    }
    if (shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long block = Partition.chunks(shape).longest();
    long others = shape.size() - 1L;
    return new Cost(steps, others * shape.messages(block), others * block, steps * block, 0);
  }
}
