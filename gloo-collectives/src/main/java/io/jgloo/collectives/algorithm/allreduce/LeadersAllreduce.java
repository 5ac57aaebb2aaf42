package io.jgloo.collectives.algorithm.allreduce;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.NodeView;

/**
 * Leaders allreduce: a tree reduces to the first rank of each host, these leaders do an allreduce,
 * and a tree on each host sends the result to the others: for small vectors.
 *
 * <p>As few steps between hosts as an allreduce of one rank for each host has, for any layout.
 *
 * <p>Drawn: allreduce leaders, 4 ranks on 2 hosts, 1 elements.
 *
 * <pre>{@code
 *           rank 0     rank 1   rank 2     rank 3
 * round 1   +a<1       a>0      +a<3       a>2
 * round 2   a>2 +a<2            a>0 +a<0
 * round 3   a>1        a<0      a>3        a<2
 * }</pre>
 */
public record LeadersAllreduce() implements Algorithm {
  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "leaders";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    NodeView view = new NodeView(shape, rank);
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    Range result = program.result(all);
    int members = view.localSize();
    Shape inside =
        Shape.allreduce(members, shape.count(), shape.elementBytes())
            .withSegmentBytes(shape.segmentBytes());
    Program local = program.within(inside, view.members(), program.own(all), result, 0);
    Partition segments = Partition.segments(shape);
    for (int segment = 0; segment < segments.parts() && members > 1; segment++) {
      up(local, members, local.rank(), segments.part(segment));
    }
    if (view.index() == 0) {
      Range own = members == 1 ? program.own(all) : result;
      Shape part = HierarchicalAllreduce.between(shape, shape.bytes());
      Program leaders = program.within(part, view.owners(0), own, result, 0);
      HierarchicalAllreduce.best(part).write(leaders);
    }
    for (int segment = 0; segment < segments.parts() && members > 1; segment++) {
      down(local, members, local.rank(), segments.part(segment));
    }
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    Layout layout = shape.layout();
    if (shape.size() == 1 || shape.count() == 0) {
      return Cost.NOTHING;
    }
    Shape part = HierarchicalAllreduce.between(shape, shape.bytes());
    Cost leaders = HierarchicalAllreduce.best(part).cost(part);
    int members = layout.mostLocalSize();
    return members == 1 ? leaders : costOfTrees(shape, members).inside().plus(leaders);
  }

  private static Cost costOfTrees(Shape shape, int members) {
    Partition segments = Partition.segments(shape);
    long rounds = (long) Integer.SIZE - Integer.numberOfLeadingZeros(members - 1);
    return new Cost(
        2 * rounds,
        rounds * segments.parts(),
        rounds * shape.bytes(),
        rounds * (shape.bytes() + segments.longest()),
        rounds * shape.bytes());
  }

  /** Reduces a range to rank 0, in its result, up a binomial tree. */
  private static void up(Program program, int size, int rank, Range range) {
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

  /** Sends a range from the result of rank 0 to all, down the same tree. */
  private static void down(Program program, int size, int rank, Range range) {
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

  @Override
  public int linkSharers(Layout layout) {
    return 1;
  }

  @Override
  public double idleLinks(Shape shape) {
    Shape part = HierarchicalAllreduce.between(shape, shape.bytes());
    return HierarchicalAllreduce.best(part).idleLinks(part);
  }
}
