package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.Collective;
import java.util.ArrayList;
import java.util.List;

/**
 * Every rank ends with a block from every rank.
 *
 * <p>Where lengths differ, that of a block depends on the sum of its two ranks, so that they can
 * exchange it in place.
 */
final class AlltoallOperation extends BlockOperation {

  AlltoallOperation(Collective collective) {
    super(collective);
  }

  @Override
  boolean repeatsInPlace() {
    return false;
  }

  /** First element of what a rank sends to another, which is that of what it gets from there. */
  private long first(View view, int from, int to) {
    if (!uneven()) {
      return first(view, to);
    }
    long share = Math.max(1, view.count() / view.size());
    long first = 0;
    for (int rank = 0; rank < to; rank++) {
      first += (from + rank + 1) % 3 * share;
    }
    return first;
  }

  @Override
  long inputCount(View view) {
    return first(view, view.rank(), view.size());
  }

  @Override
  long outputCount(View view) {
    return inputCount(view);
  }

  @Override
  List<Block> input(View view) {
    return List.of(Block.whole(inputCount(view), view.of(view.rank())));
  }

  @Override
  List<Block> expected(View view) {
    List<Block> blocks = new ArrayList<>();
    for (int rank = 0; rank < view.size(); rank++) {
      long first = first(view, view.rank(), rank);
      long length = first(view, view.rank(), rank + 1) - first;
      blocks.add(new Block(first, length, first(view, rank, view.rank()), view.of(rank)));
    }
    return blocks;
  }

  @Override
  void call(ProcessGroup group, View view, Ends ends) {
    Payload input = ends.input().payload();
    Payload output = ends.output().payload();
    if (uneven() && view.work().inPlace()) {
      group.alltoallv(output, exchanged(view));
    } else if (uneven()) {
      group.alltoallv(input, exchanged(view), output, exchanged(view));
    } else if (view.work().inPlace()) {
      group.alltoall(output);
    } else {
      group.alltoall(input, output);
    }
  }

  private long[] exchanged(View view) {
    long[] counts = new long[view.size()];
    for (int rank = 0; rank < counts.length; rank++) {
      counts[rank] = first(view, view.rank(), rank + 1) - first(view, view.rank(), rank);
    }
    return counts;
  }
}
