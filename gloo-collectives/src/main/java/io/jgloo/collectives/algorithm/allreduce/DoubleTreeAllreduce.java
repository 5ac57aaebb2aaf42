package io.jgloo.collectives.algorithm.allreduce;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.BinaryTrees;

/**
 * Double binary tree allreduce: segments go up one of two binary trees to rank 0 and down again,
 * some going up while others come down.
 *
 * <p>A rank's parent in one tree may be its child in the other, and messages to it keep their
 * order: if each segment came down before the next goes up, this would wait for that. So segments
 * go up ahead, as many as take the time of the way up and down.
 *
 * <p>About 4 log2(P) steps, and 2S bytes sent by a rank as in a ring: for large vectors and so many
 * ranks that the steps of a ring count.
 *
 * <p>Drawn: allreduce doubleTree, 5 ranks, 2 elements, one by one.
 *
 * <pre>{@code
 *           rank 0     rank 1   rank 2     rank 3     rank 4
 * round 1              a>2      +a<1       +b<4       b>3
 * round 2                       +a<3 b>3   a>2 +b<2
 * round 3              +b<3     a>4        b>1        +a<2
 * round 4   +b<1       b>0
 * round 5   +a<4 b>1   b<0                            a>0
 * round 6   a>4        b>3                 b<1        a<0
 * round 7                       a<4        b>4        a>2 b<3
 * round 8              a<2      a>1 b<3    b>2
 * round 9                       a>3        a<2
 * }</pre>
 */
public record DoubleTreeAllreduce() implements Algorithm {
  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "doubleTree";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    BinaryTrees tree = new BinaryTrees(program, shape, rank, 2);
    Partition segments = BinaryTrees.segments(shape);
    int ahead = (int) Math.min(segments.parts(), 2 * BinaryTrees.cost(shape, 2).steps());
    for (int segment = 0; segment < segments.parts() + ahead; segment++) {
      if (segment < segments.parts()) {
        up(tree, program, segment, segments.part(segment));
      }
      if (segment >= ahead && shape.size() > 1) {
        Range range = segments.part(segment - ahead);
        tree.down(segment - ahead, range, program.result(range));
      }
    }
    return program.schedule();
  }

  private static void up(BinaryTrees tree, Program program, int segment, Range range) {
    if (program.shape().size() == 1) {
      program.copyOwn(range);
    } else {
      tree.up(segment, range, program.result(range));
    }
  }

  @Override
  public Cost cost(Shape shape) {
    Cost way = BinaryTrees.cost(shape, 2);
    return way.plus(way).reducing(way.steps() * BinaryTrees.segments(shape).longest());
  }
}
