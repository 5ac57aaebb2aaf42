package io.jgloo.collectives.algorithm.allreduce;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Order;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Embeddable;

/**
 * Tree allreduce: a binomial tree reduces to rank 0, then broadcasts from there.
 *
 * <p>2 ceil(log2(P)) steps of S bytes; never the fastest, but the one with the fewest messages in
 * all, 2(P-1), and ordered. A rank's children are 1, 2, 4 ... ranks further, and each covers the
 * ranks up to the next one: reduced in that order, operands ascend. Segments follow each other, one
 * going up while another comes down.
 *
 * <p>Drawn: allreduce tree, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2   rank 3
 * round 1   +a<1     a>0      +a<3     a>2
 * round 2   +a<2              a>0
 * round 3   a>2               a<0
 * round 4   a>1      a<0      a>3      a<2
 * }</pre>
 */
public final class TreeAllreduce implements Embeddable {
  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
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
    Partition segments = Partition.segments(shape);
    for (int segment = 0; segment < segments.parts(); segment++) {
      Range range = segments.part(segment);
      if (shape.size() == 1) {
        program.copyOwn(range);
      } else {
        up(program, shape.size(), rank, range);
        down(program, shape.size(), rank, range);
      }
    }
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.count() == 0) {
      return Cost.NOTHING;
    }
    Partition segments = Partition.segments(shape);
    long rounds = shape.doublings();
    return new Cost(
        2 * rounds,
        rounds * segments.parts(),
        rounds * shape.bytes(),
        rounds * (shape.bytes() + segments.longest()),
        rounds * shape.bytes());
  }

  /** Reduces a range to rank 0 in its result; alone it stays where it is. */
  static void up(Program program, int size, int rank, Range range) {
    int parent = parentDistance(size, rank);
    for (int far = 1; far < parent && rank + far < size; far *= 2) {
      if (far == 1) {
        program.recvReduceOwn(rank + far, range, Order.TARGET_FIRST);
      } else {
        program.recvReduce(rank + far, range, Order.TARGET_FIRST);
      }
    }
    if (rank != 0) {
      boolean leaf = parent == 1 || rank + 1 == size;
      program.send(rank - parent, leaf ? program.own(range) : range);
    }
  }

  /** Sends a range from the result of rank 0 to all. */
  static void down(Program program, int size, int rank, Range range) {
    int parent = parentDistance(size, rank);
    if (rank != 0) {
      program.recv(rank - parent, range);
    }
    for (int far = Integer.highestOneBit(size); far >= 1; far /= 2) {
      if (far < parent && rank + far < size) {
        program.send(rank + far, range);
      }
    }
  }

  /** How many ranks before this one its parent is; for rank 0 more than any rank is away. */
  private static int parentDistance(int size, int rank) {
    return rank == 0 ? size : Integer.lowestOneBit(rank);
  }
}
