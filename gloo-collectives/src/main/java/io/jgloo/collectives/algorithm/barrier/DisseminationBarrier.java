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
