package io.jgloo.collectives.cppgloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Whole;

/**
 * Gloo's gather, gatherv, scatter, alltoall and alltoallv: every block, even an empty one, goes
 * whole and straight to its rank. In an alltoall in place, which Gloo does not know, what is sent
 * is copied first.
 *
 * @param collective one of these
 */
record CppGlooLinear(Collective collective) implements CppGlooAlgorithm {
  @Override
  public String name() {
    return "glooLinear";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = Whole.program(this, shape, rank);
    Partition sent = Partition.chunks(shape);
    Partition received = Partition.received(shape);
    for (int distance = 1; distance < shape.size(); distance++) {
      int peer = (rank + distance) % shape.size();
      if (sends(shape, rank, peer)) {
        int block = collective.toRoot() ? rank : peer;
        Whole.send(program, peer, source(program, program.own(sent.part(block))));
      }
    }
    for (int distance = 1; distance < shape.size(); distance++) {
      int peer = (rank - distance + shape.size()) % shape.size();
      if (sends(shape, peer, rank)) {
        int block = collective.fromRoot() ? rank : peer;
        Whole.recv(program, peer, program.result(received.part(block)));
      }
    }
    if (!collective.rooted() || rank == shape.root()) {
      program.copy(program.result(received.part(rank)), program.own(sent.part(rank)));
    }
    return program.schedule();
  }

  private boolean sends(Shape shape, int from, int to) {
    return !collective.rooted() || shape.root() == (collective.toRoot() ? to : from);
  }

  /** A block as it is before any other is received. */
  private Range source(Program program, Range block) {
    if (collective.rooted() || !program.shape().inPlace() || block.isEmpty()) {
      return block;
    }
    program.copy(block.in(Space.SCRATCH), block);
    return block.in(Space.SCRATCH);
  }
}
