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
