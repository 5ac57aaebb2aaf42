package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;
import io.jgloo.collectives.algorithm.pattern.Whole;

/**
 * Gloo's class BroadcastOneToAll: each rank says that it is ready, and the root sends to it.
 *
 * @param classic whether in bound messages, as before May 2023
 */
public record OneToAllBroadcastClass(boolean classic) implements GlooAlgorithm {
  @Override
  public Collective collective() {
    return Collective.BROADCAST;
  }

  @Override
  public String name() {
    return "broadcastOneToAll";
  }

  @Override
  public boolean counted() {
    return true;
  }

  @Override
  public long slots(Shape shape) {
    return shape.size() == 1 ? 0 : 1;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = Whole.program(this, shape, rank);
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    if (classic) {
      return bound(program, shape, rank, all);
    }
    if (rank != shape.root()) {
      program.signal(shape.root());
      Whole.recv(program, shape.root(), all);
      return program.schedule();
    }
    for (int peer = 0; peer < shape.size(); peer++) {
      if (peer != rank) {
        program.await(peer);
        program.messagesAfter(program.last());
        Whole.send(program, peer, program.own(all));
      }
    }
    program.copyOwn(all);
    return program.schedule();
  }

  private static Schedule bound(Program program, Shape shape, int rank, Range all) {
    if (rank != shape.root()) {
      program.note(shape.root(), 0);
      program.take(shape.root(), 0, all, 0);
      return program.schedule();
    }
    for (int peer = 0; peer < shape.size(); peer++) {
      if (peer != rank) {
        program.awaitNote(peer, 0);
        program.put(peer, 0, program.own(all), 0);
      }
    }
    program.copyOwn(all);
    return program.schedule();
  }
}
