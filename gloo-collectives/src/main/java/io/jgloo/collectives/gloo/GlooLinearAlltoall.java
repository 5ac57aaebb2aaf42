package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Whole;

/**
 * Gloo's alltoall and alltoallv: every block, even an empty one, goes whole to its rank, all at
 * once. In place, which Gloo does not know, what is sent is copied first.
 *
 * @param collective alltoall or alltoallv
 */
public record GlooLinearAlltoall(Collective collective) implements GlooAlgorithm {
  @Override
  public String name() {
    return "glooLinear";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = Whole.program(this, shape, rank);
    Partition sent = Partition.chunks(shape);
    Partition received = Partition.received(shape);
    int size = shape.size();
    for (int distance = 1; distance < size; distance++) {
      int peer = (rank + distance) % size;
      Range block = program.own(sent.part(peer));
      if (shape.inPlace() && !block.isEmpty()) {
        program.copy(block.in(Space.SCRATCH), block);
        block = block.in(Space.SCRATCH);
      }
      Whole.send(program, peer, block);
    }
    for (int distance = 1; distance < size; distance++) {
      int peer = (rank - distance + size) % size;
      Whole.recv(program, peer, program.result(received.part(peer)));
    }
    program.copy(program.result(received.part(rank)), program.own(sent.part(rank)));
    return program.schedule();
  }
}
