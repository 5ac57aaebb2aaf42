package io.jgloo.collectives.algorithm.pattern;

import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Shape;

/**
 * Two binary trees below a root, as one rank sees them, and the moves of a segment on them.
 *
 * <p>A rank's number is how many ranks it comes after the root. In the first tree the number is its
 * place, from 1, in an in-order numbering: odd places are leaves. In the second every rank has the
 * place next to that, or that counted from the end, whichever turns leaves into inner nodes: so no
 * rank forwards twice what it receives in both together, and both ways of every link are busy. With
 * two trees every other segment takes the second. Sanders, Speck and Träff, "Two-tree algorithms
 * for full bandwidth broadcast, reduction and scan", 2009.
 */
public final class DoubleTree {
  private final Program program;
  private final int size;
  private final int root;
  private final int rank;

  /** The trees of a shape, below its root. */
  public DoubleTree(Program program, Shape shape, int rank) {
    this.program = program;
    this.size = shape.size();
    this.root = shape.root();
    this.rank = rank;
  }

  /** The segments in which a shape's vector passes the trees. */
  public static Partition segments(Shape shape) {
    return Pipeline.segments(shape, 2 * shape.doublings());
  }

  /**
   * What it costs to pass them in one direction: two messages for each level to fill the pipeline,
   * of which the second does not wait for the first, then for each segment what the busiest port
   * has to do.
   */
  public static Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    Partition segments = segments(shape);
    int levels = levels(shape.size());
    int children = shape.size() > 3 ? 2 : 1;
    long steps = children * (levels - 1L) + 1;
    long share = segments.parts() == 1 ? children : (children + 1) / 2;
    long path = steps * segments.longest() + share * (shape.bytes() - segments.longest());
    return new Cost(steps, share * segments.parts(), share * shape.bytes(), Math.max(path, 0), 0)
        .queueing(steps - levels);
  }

  private static int levels(int size) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
  }

  /** Reduces a segment up to the root; every rank leaves what it has reduced in a place. */
  public void up(int segment, Range range, Range place) {
    boolean untouched = true;
    for (int side = 0; side < 2; side++) {
      int child = child(segment, rank, side);
      if (child >= 0 && untouched) {
        program.recvReduceOwn(child, range, place, Order.TARGET_FIRST);
      } else if (child >= 0) {
        program.recvReduce(child, place, Order.TARGET_FIRST);
      }
      untouched &= child < 0;
    }
    if (rank != root) {
      program.send(parent(segment), untouched ? program.own(range) : place);
    }
  }

  /** Passes a segment down from the root, where it lies in a place. */
  public void down(int segment, Range range, Range place) {
    if (rank != root) {
      program.recv(parent(segment), program.result(range));
    }
    for (int side = 0; side < 2; side++) {
      int child = child(segment, rank, side);
      if (child >= 0) {
        program.send(child, rank == root ? place : program.result(range));
      }
    }
  }

  private int parent(int segment) {
    int place = place(segment, number(rank));
    int bit = Integer.lowestOneBit(place);
    int up = (place ^ bit) | bit << 1;
    up = up < size ? up : place ^ bit;
    return up == 0 ? root : rankOf(number(segment, up));
  }

  /** The child on the lower or on the higher side, or -1. */
  private int child(int segment, int of, int side) {
    int number = number(of);
    if (number == 0) {
      return side == 0 && size > 1 ? rankOf(number(segment, Integer.highestOneBit(size - 1))) : -1;
    }
    int place = place(segment, number);
    int bit = Integer.lowestOneBit(place) >> 1;
    if (side == 0) {
      return bit == 0 ? -1 : rankOf(number(segment, place - bit));
    }
    while (bit > 0 && place + bit >= size) {
      bit >>= 1;
    }
    return bit == 0 ? -1 : rankOf(number(segment, place + bit));
  }

  /** The place of a number above 0 in the tree that a segment takes. */
  private int place(int segment, int number) {
    if (segment % 2 == 0) {
      return number;
    }
    return size % 2 == 1 ? size - number : number % (size - 1) + 1;
  }

  /** The number that has a place. */
  private int number(int segment, int place) {
    if (segment % 2 == 0) {
      return place;
    }
    return size % 2 == 1 ? size - place : (place + size - 3) % (size - 1) + 1;
  }

  private int number(int of) {
    return (of - root + size) % size;
  }

  private int rankOf(int number) {
    return (number + root) % size;
  }
}
