package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;

/**
 * Gloo's classes BarrierAllToAll, where every rank notifies every other, and BarrierAllToOne, where
 * rank 0 hears all and then answers all.
 *
 * @param toOne which of the two
 * @param classic whether by bound notes, as before May 2023
 */
public record BarrierClass(boolean toOne, boolean classic) implements GlooAlgorithm {
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

  private void signal(Program program, int peers, int rank) {
    for (int peer = 0; peer < peers; peer++) {
      if (peer != rank) {
        if (classic) {
          program.note(peer, 0);
        } else {
          program.signal(peer);
        }
      }
    }
  }

  private void await(Program program, int peers, int rank) {
    for (int peer = 0; peer < peers; peer++) {
      if (peer != rank) {
        if (classic) {
          program.awaitNote(peer, 0);
          program.messagesAfter(program.last()); // so that the last one's is after all
        } else {
          program.await(peer);
        }
      }
    }
  }
}
