package io.jgloo.collectives.algorithm.allgather;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Embeddable;
import io.jgloo.collectives.algorithm.pattern.Ring;

/**
 * Ring allgather: each rank passes on to the left what it got from the right, starting with its own
 * block.
 *
 * <p>P-1 steps; no rank sends fewer bytes in any other way, and each talks to two others only.
 *
 * <p>Drawn: allgather ring, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0    rank 1    rank 2    rank 3
 * round 1   a>3 b<1   b>0 c<2   c>1 d<3   d>2 a<0
 * round 2   b>3 c<1   c>0 d<2   d>1 a<3   a>2 b<0
 * round 3   c>3 d<1   d>0 a<2   a>1 b<3   b>2 c<0
 * }</pre>
 *
 * @param collective allgather or allgatherv
 */
public record RingAllgather(Collective collective) implements Embeddable {
  @Override
  public String name() {
    return "ring";
  }

  @Override
  public void write(Program program, Shape shape, int rank) {
    new Ring(program, shape, rank, 1, false, true).run();
  }

  @Override
  public Cost cost(Shape shape) {
    return Ring.cost(shape, 1, 1, false);
  }

  @Override
  public int linkSharers(Layout layout) {
    return layout.mostCrossings();
  }

  @Override
  public double idleLinks(Shape shape) {
    return 0;
  }
}
