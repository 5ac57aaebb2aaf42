package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.GlooAlgorithm;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;

/**
 * Gloo's classes BarrierAllToAll, where everyone tells everyone, and BarrierAllToOne, where rank 0
 * hears all and then answers all.
 *
 * @param toOne which of the two
 */
public record BarrierClass(boolean toOne) implements GlooAlgorithm {
  @Override
  public Collective collective() {
    return Collective.BARRIER;
  }

  @Override
  public String name() {
    return toOne ? "barrierAllToOne" : "barrierAllToAll";
  }

  @Override
  public boolean counted() {
    return true;
  }

  @Override
  public long slots(Shape shape) {
    return 1;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    int peers = toOne && rank != 0 ? 1 : shape.size();
    if (toOne && rank == 0) {
      await(program, peers, rank);
      signal(program, peers, rank);
    } else {
      signal(program, peers, rank);
      await(program, peers, rank);
    }
    return program.schedule();
  }

  private static void signal(Program program, int peers, int rank) {
    for (int peer = 0; peer < peers; peer++) {
      if (peer != rank) {
        program.signal(peer);
      }
    }
  }

  private static void await(Program program, int peers, int rank) {
    for (int peer = 0; peer < peers; peer++) {
      if (peer != rank) {
        program.await(peer);
      }
    }
  }
}
