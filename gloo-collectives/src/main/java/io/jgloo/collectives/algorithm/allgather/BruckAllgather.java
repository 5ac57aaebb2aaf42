package io.jgloo.collectives.algorithm.allgather;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Embeddable;
import io.jgloo.collectives.algorithm.pattern.HalvingRing;

/**
 * Bruck's allgather: in each round every rank doubles what it has, for any P.
 *
 * <p>ceil(log2(P)) steps and the bytes of the ring. Blocks are received where they belong, so there
 * is no rotation at the end, but a range that wraps round the end of the vector takes two messages.
 * Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient algorithms for all-to-all communications in
 * multiport message-passing systems", 1997.
 *
 * <p>Drawn: allgather bruck, 5 ranks, 5 elements.
 *
 * <pre>{@code
 *           rank 0      rank 1         rank 2      rank 3      rank 4
 * round 1   a>4 b<1     b>0 c<2        c>1 d<3     d>2 e<4     e>3 a<0
 * round 2   a>3 c<2     b>4 d<3        c>0 e<4     d>1 a<0     e>2 b<1
 * round 3   ab>2 de<3   bc>3 e<4 a<4   cd>4 ab<0   de>0 bc<1   e>1 a>1 cd<2
 * }</pre>
 *
 * @param collective allgather or allgatherv
 */
public record BruckAllgather(Collective collective) implements Embeddable {
  @Override
  public String name() {
    return "bruck";
  }

  @Override
  public void write(Program program, Shape shape, int rank) {
    new HalvingRing(program, shape, rank).allgatherOwn();
  }

  @Override
  public Cost cost(Shape shape) {
    return HalvingRing.cost(shape);
  }
}
