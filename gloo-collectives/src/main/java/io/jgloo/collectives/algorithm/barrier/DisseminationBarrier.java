package io.jgloo.collectives.algorithm.barrier;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Embeddable;

/**
 * Dissemination barrier: in round k each rank sends a message to the one 2^k further.
 *
 * <p>ceil(log2(P)) steps, the fewest; the messages are Gloo's. Hensgen, Finkel and Manber, "Two
 * algorithms for barrier synchronization", 1988.
 *
 * <p>Drawn: barrier dissemination, 5 ranks, 0 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1   rank 2   rank 3   rank 4
 * round 1   >1 <4    >2 <0    >3 <1    >4 <2    >0 <3
 * round 2   >2 <3    >3 <4    >4 <0    >0 <1    >1 <2
 * round 3   >4 <1    >0 <2    >1 <3    >2 <4    >3 <0
 * }</pre>
 */
public final class DisseminationBarrier implements Embeddable {
  @Override
  public Collective collective() {
    return Collective.BARRIER;
  }

  @Override
  public String name() {
    return "dissemination";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public void write(Program program, Shape shape, int rank) {
    int size = shape.size();
    for (long far = 1; far < size; far *= 2) {
      program.signal((int) ((rank + far) % size));
      program.await((int) ((rank - far + size) % size));
    }
  }

  @Override
  public Cost cost(Shape shape) {
    long rounds = shape.doublings();
    return new Cost(rounds, rounds, 0, 0, 0);
  }
}
