package io.jgloo.collectives.verify;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of what a rank's output must hold in the end: bytes of the vector, reduced over an
 * interval of ranks.
 *
 * @param offset first byte of the output
 * @param length number of bytes
 * @param origin the first byte's place in the vector; in an alltoall, in that of its sender
 * @param first first rank whose contribution is in it
 * @param end one past the last such rank
 */
record Promise(long offset, long length, long origin, int first, int end) {
  /** All that is promised to a rank. */
  static List<Promise> of(Network network, int rank) {
    Shape shape = network.schedule(rank).shape();
    List<Promise> all = new ArrayList<>();
    switch (shape.collective()) {
      case ALLREDUCE, REDUCE, REDUCE_SCATTER, REDUCE_SCATTERV ->
          all.add(result(shape, rank, 0, shape.size()));
      case SCAN -> all.add(result(shape, rank, 0, rank + 1));
      case EXSCAN -> {
        if (rank > 0) {
          all.add(result(shape, rank, 0, rank));
        }
      }
      case BROADCAST, SCATTER, SCATTERV ->
          all.add(result(shape, rank, shape.root(), shape.root() + 1));
      case ALLGATHER, ALLGATHERV, GATHER, GATHERV, ALLTOALL, ALLTOALLV -> {
        if (shape.resultBytes(rank) > 0) {
          blocks(network, rank, all);
        }
      }
      case BARRIER -> {} // what is promised is not about bytes
    }
    if (isOnlyRead(shape, rank)) {
      all.add(
          new Promise(
              0, shape.contributionBytes(rank), shape.contributionStart(rank), rank, rank + 1));
    }
    return all;
  }

  private static Promise result(Shape shape, int rank, int first, int end) {
    return new Promise(
        shape.resultOffset(rank), shape.resultBytes(rank), shape.resultStart(rank), first, end);
  }

  /** A block from each rank. */
  private static void blocks(Network network, int rank, List<Promise> all) {
    Shape shape = network.schedule(rank).shape();
    Partition received = Partition.received(shape);
    for (int from = 0; from < network.size(); from++) {
      Schedule sender = network.schedule(from);
      Range block = received.part(from);
      boolean toAll =
          shape.collective() == Collective.ALLTOALL || shape.collective() == Collective.ALLTOALLV;
      long origin = toAll ? Partition.chunks(sender.shape()).part(rank).offset() : block.offset();
      all.add(new Promise(block.offset(), block.length(), origin, from, from + 1));
    }
  }

  /** Whether a rank's output in place is its contribution and nothing else. */
  private static boolean isOnlyRead(Shape shape, int rank) {
    Collective what = shape.collective();
    return shape.inPlace()
        && ((what.toRoot() && rank != shape.root())
            || (what.fromRoot() && rank == shape.root())
            || (what == Collective.EXSCAN && rank == 0));
  }
}
