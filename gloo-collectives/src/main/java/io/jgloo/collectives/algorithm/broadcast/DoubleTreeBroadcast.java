package io.jgloo.collectives.algorithm.broadcast;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.DoubleTree;
import io.jgloo.collectives.algorithm.pattern.Embeddable;

/**
 * Pipelined double tree broadcast: segments follow each other down two binary trees that share the
 * work.
 *
 * <p>About 2 log2(P) steps, and a rank sends S bytes, where a chain has P-1 steps and a binomial
 * tree sends log2(P) times S: for large vectors and many ranks.
 *
 * <p>Drawn: broadcast doubleTree, 5 ranks, 2 elements, one by one.
 *
 * <pre>{@code
 *           rank 0   rank 1    rank 2   rank 3    rank 4
 * round 1   a>4                                   a<0
 * round 2   b>1      b<0       a<4                a>2
 * round 3            a<2 b>3   a>1      b<1
 * round 4                      a>3      a<2 b>4   b<3
 * round 5                      b<3      b>2
 * }</pre>
 */
public record DoubleTreeBroadcast() implements Embeddable {
  @Override
  public String name() {
    return "doubleTree";
  }

  @Override
  public Collective collective() {
    return Collective.BROADCAST;
  }

  @Override
  public void write(Program program, Shape shape, int rank) {
    DoubleTree tree = new DoubleTree(program, shape, rank);
    Partition segments = DoubleTree.segments(shape);
    for (int segment = 0; segment < segments.parts(); segment++) {
      Range range = segments.part(segment);
      tree.down(segment, range, program.own(range));
      if (rank == shape.root()) {
        program.copyOwn(range);
      }
    }
  }

  @Override
  public Cost cost(Shape shape) {
    return DoubleTree.cost(shape);
  }

  @Override
  public double idleLinks(Shape shape) {
    return 0;
  }
}
