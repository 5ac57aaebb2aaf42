package io.jgloo.collectives.algorithm.reduce;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.DoubleTree;
import io.jgloo.collectives.algorithm.pattern.Embeddable;

/**
 * Pipelined double tree reduce: segments follow each other up two binary trees that share the work;
 * the double tree broadcast backwards.
 *
 * <p>About 2 log2(P) steps; for large vectors and many ranks. At most {@value #SEGMENTS_IN_FLIGHT}
 * segments are under way at a rank, which bounds the scratch memory of those that are not the root.
 *
 * <p>Drawn: reduce doubleTree, 5 ranks, 2 elements, one by one.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2     rank 3     rank 4
 * round 1            a>2      +a<1       +b<4       b>3
 * round 2                     +a<3 b>3   a>2 +b<2
 * round 3            +b<3     a>4        b>1        +a<2
 * round 4   +b<1     b>0
 * round 5   +a<4                                    a>0
 * }</pre>
 */
public record DoubleTreeReduce() implements Embeddable {
  private static final int SEGMENTS_IN_FLIGHT = 4;

  @Override
  public String name() {
    return "doubleTree";
  }

  @Override
  public Collective collective() {
    return Collective.REDUCE;
  }

  @Override
  public void write(Program program, Shape shape, int rank) {
    DoubleTree tree = new DoubleTree(program, shape, rank);
    Partition segments = DoubleTree.segments(shape);
    for (int segment = 0; segment < segments.parts(); segment++) {
      Range range = segments.part(segment);
      long slot = (segments.longest() + 63) / 64 * 64 * (segment % SEGMENTS_IN_FLIGHT);
      Range place = new Range(Space.SCRATCH, slot, range.length());
      if (shape.size() == 1) {
        program.copyOwn(range);
      } else {
        tree.up(segment, range, rank == shape.root() ? program.result(range) : place);
      }
    }
  }

  @Override
  public Cost cost(Shape shape) {
    Cost moved = DoubleTree.cost(shape);
    return moved.reducing(moved.steps() * DoubleTree.segments(shape).longest());
  }
}
