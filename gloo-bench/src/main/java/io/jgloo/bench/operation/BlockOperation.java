package io.jgloo.bench.operation;

import io.jgloo.collectives.Collective;
import java.util.Optional;

/**
 * An operation on a vector that is cut into a block for each rank.
 *
 * <p>A size is that of all blocks. Those of collectives that take counts are cut in proportions 1,
 * 2 and 0, round again.
 */
abstract class BlockOperation extends VectorOperation {

  private final Collective collective;

  BlockOperation(Collective collective) {
    this.collective = collective;
  }

  @Override
  public final String name() {
    return collective.label();
  }

  @Override
  public final Optional<Collective> collective() {
    return Optional.of(collective);
  }

  @Override
  public final boolean reduces() {
    return collective.reduces();
  }

  @Override
  public final boolean rooted() {
    return collective.rooted();
  }

  @Override
  public double busFactor(int size) {
    return (size - 1.0) / size;
  }

  @Override
  public final long count(long wished, int size) {
    return uneven() ? wished : Math.max(1, wished / size) * size;
  }

  @Override
  final long askedCount(View view) {
    long longest = 0;
    for (int rank = 0; rank < view.size(); rank++) {
      longest = Math.max(longest, length(view, rank));
    }
    return longest;
  }

  final boolean uneven() {
    return collective.uneven();
  }

  /** First element of a rank's block; for the number of ranks, one past the last one's. */
  long first(View view, int rank) {
    if (!uneven()) {
      return view.count() / view.size() * rank;
    }
    // count * (shares before the rank) / (all shares), without overflow
    long all = shares(view.size());
    long before = shares(rank);
    return view.count() / all * before + view.count() % all * before / all;
  }

  /** Proportions 1, 2, 0 summed up. */
  private static long shares(int ranks) {
    return ranks / 3 * 3L + (ranks % 3 == 0 ? 0 : ranks % 3 * 2 - 1);
  }

  final long length(View view, int rank) {
    return first(view, rank + 1) - first(view, rank);
  }

  /** Elements of each rank's block. */
  final long[] counts(View view) {
    long[] counts = new long[view.size()];
    for (int rank = 0; rank < counts.length; rank++) {
      counts[rank] = length(view, rank);
    }
    return counts;
  }

  /** A rank's block, in its place among all blocks or alone in a vector. */
  final Block block(View view, int rank, boolean inItsPlace, Block.Content content) {
    long first = first(view, rank);
    return new Block(inItsPlace ? first : 0, length(view, rank), first, content);
  }

  final boolean isRoot(View view) {
    return view.rank() == view.work().root();
  }
}
