package io.jgloo.collectives.algorithm.reducescatter;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Ring;

/**
 * Ring reduce-scatter: the first lap of the ring allreduce.
 *
 * <p>P-1 steps; no rank sends fewer bytes in any other way. Out of place it needs eight segments of
 * scratch memory, as the input must stay as it is.
 *
 * <p>Drawn: reduceScatter ring, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0     rank 1     rank 2     rank 3
 * round 1   b>3 +c<1   c>0 +d<2   d>1 +a<3   a>2 +b<0
 * round 2   c>3 +d<1   d>0 +a<2   a>1 +b<3   b>2 +c<0
 * round 3   d>3 +a<1   a>0 +b<2   b>1 +c<3   c>2 +d<0
 * }</pre>
 *
 * @param collective reduceScatter or reduceScatterv
 */
public record RingReduceScatter(Collective collective) implements Algorithm {
  @Override
  public String name() {
    return "ring";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    new Ring(program, shape, rank, 1, true, false).run();
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    return Ring.cost(shape, 1, 1, true);
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
