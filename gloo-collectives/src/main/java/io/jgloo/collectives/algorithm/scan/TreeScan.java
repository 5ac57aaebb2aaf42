package io.jgloo.collectives.algorithm.scan;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Order;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;
import io.jgloo.collectives.algorithm.pattern.SplitTree;

/**
 * Binomial tree scan: sums of intervals go up a tree, what is before each interval comes down.
 *
 * <p>2 ceil(log2(P)) steps, twice those of recursive doubling, but 2(P-1) messages in all instead
 * of P log2(P), and as many reductions: for many ranks on few cores. Ordered, as every scan is
 * here. Blelloch, "Prefix sums and their applications", 1990.
 *
 * <p>Drawn: scan tree, 5 ranks, 1 elements.
 *
 * <pre>{@code
 *           rank 0     rank 1   rank 2   rank 3   rank 4
 * round 1   +a<1       a>0
 * round 2   +a<2 a>1   +a<0     a>0
 * round 3   a>3                          +a<0
 * round 4   a>2                 +a<0     a>4      +a<3
 * }</pre>
 *
 * <p>Drawn: exscan tree, 5 ranks, 1 elements.
 *
 * <pre>{@code
 *           rank 0     rank 1   rank 2   rank 3   rank 4
 * round 1   +a<1       a>0
 * round 2   +a<2 a>1   a<0      a>0
 * round 3   a>3                          +a<0
 * round 4   a>2                 a<0      a>4      a<3
 * }</pre>
 *
 * @param collective scan or exscan
 */
public record TreeScan(Collective collective) implements Algorithm {
  @Override
  public String name() {
    return "tree";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    SplitTree tree = SplitTree.of(shape.size(), 0, rank);
    Partition segments = Partition.segments(shape);
    Way way = new Way(program, shape, tree, segments.longest());
    for (int segment = 0; segment < segments.parts(); segment++) {
      Range range = segments.part(segment);
      way.up(range);
      way.down(range);
    }
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    Partition segments = Partition.segments(shape);
    long rounds = shape.doublings();
    long steps = 2 * rounds - 1; // the last subtree of all is not asked for its sum
    long path = rounds * shape.bytes() + (rounds - 1) * segments.longest();
    long reduced = (collective == Collective.SCAN ? rounds : rounds - 1) * shape.bytes();
    return new Cost(steps, rounds * segments.parts(), rounds * shape.bytes(), path, reduced);
  }

  /**
   * One rank's part. Sum i is what this rank and its i smallest branches contribute: what branch i
   * must know of its own subtree's ranks before it.
   */
  private record Way(Program program, Shape shape, SplitTree tree, long segmentBytes) {
    void up(Range range) {
      int branches = tree.branches().size();
      program.copy(sum(0, range), program.own(range));
      for (int i = 1; i <= branches; i++) {
        if (branch(i).end() < shape.size()) { // else no rank comes after
          program.recv(branch(i).head(), sum(i, range));
          program.reduce(sum(i, range), sum(i - 1, range), Order.SOURCE_FIRST);
        }
      }
      if (tree.end() < shape.size()) {
        program.send(tree.parent(), sum(branches, range));
      }
    }

    void down(Range range) {
      Range before = sum(tree.branches().size(), range);
      if (!tree.isRoot()) {
        program.recv(tree.parent(), before);
      }
      for (int i = tree.branches().size(); i > 0; i--) {
        if (!tree.isRoot()) {
          program.reduce(sum(i - 1, range), before, Order.SOURCE_FIRST);
        }
        program.send(branch(i).head(), sum(i - 1, range));
      }
      finish(range, before);
    }

    private void finish(Range range, Range before) {
      if (shape.collective() == Collective.EXSCAN) {
        if (!tree.isRoot()) {
          program.copy(program.result(range), before);
        }
      } else if (tree.isRoot()) {
        program.copyOwn(range);
      } else if (tree.isLeaf()) {
        program.copyOwn(range);
        program.reduce(program.result(range), before, Order.SOURCE_FIRST);
      } else {
        program.copy(program.result(range), sum(0, range));
      }
    }

    /** The branches are listed largest first. */
    private SplitTree.Branch branch(int smallest) {
      return tree.branches().get(tree.branches().size() - smallest);
    }

    private Range sum(int index, Range range) {
      long slotBytes = (segmentBytes + 63) / 64 * 64;
      return new Range(Space.SCRATCH, index * slotBytes, range.length());
    }
  }
}
