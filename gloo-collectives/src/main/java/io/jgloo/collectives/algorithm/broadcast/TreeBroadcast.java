package io.jgloo.collectives.algorithm.broadcast;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Embeddable;

/**
 * Binomial tree broadcast: in round i every rank that has the vector passes it on 2^i ranks
 * further; the fewest steps, for small vectors.
 *
 * <p>ceil(log2(P)) steps of S bytes, with the tree Gloo uses: ranks counted from the root, a rank's
 * parent is its number without the highest bit. Segments follow each other down the tree.
 *
 * <p>Drawn: broadcast tree, 5 ranks, 1 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2   rank 3   rank 4
 * round 1   a>1      a<0
 * round 2   a>2      a>3      a<0      a<1
 * round 3   a>4                                 a<0
 * }</pre>
 */
public final class TreeBroadcast implements Embeddable {
  private static final double LONG_BYTES = 64 << 10;

  @Override
  public Collective collective() {
    return Collective.BROADCAST;
  }

  @Override
  public String name() {
    return "tree";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public void write(Program program, Shape shape, int rank) {
    int size = shape.size();
    int number = (rank - shape.root() + size) % size;
    int top = Integer.highestOneBit(number);
    Partition segments = Partition.segments(shape);
    for (int segment = 0; segment < segments.parts(); segment++) {
      Range range = segments.part(segment);
      if (number != 0) {
        program.recv((number - top + shape.root()) % size, range);
      }
      for (int far = Math.max(1, 2 * top); far < size - number; far *= 2) {
        program.send(
            (number + far + shape.root()) % size, number == 0 ? program.own(range) : range);
      }
      if (number == 0) {
        program.copyOwn(range);
      }
    }
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.count() == 0) {
      return Cost.NOTHING;
    }
    long rounds = shape.doublings();
    long bytes = rounds * shape.bytes();
    int deepest = 31 - Integer.numberOfLeadingZeros(shape.size());
    return new Cost(rounds, rounds * Partition.segments(shape).parts(), bytes, bytes, 0)
        .queueing(rounds - deepest);
  }

  /**
   * Half of the path bytes more for each round after the first: long messages to several children
   * share the link of a rank, so the child with the most ranks below it has its vector last, not
   * first.
   */
  @Override
  public double idleLinks(Shape shape) {
    double shared = Math.min(1, shape.bytes() / LONG_BYTES);
    return Embeddable.super.idleLinks(shape) + shared * Math.max(0, shape.doublings() - 1) / 2;
  }
}
