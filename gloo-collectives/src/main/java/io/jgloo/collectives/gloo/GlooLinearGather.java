package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Whole;

/**
 * Gloo's gather and gatherv: every rank sends its block, even an empty one, whole to the root.
 *
 * @param collective gather or gatherv
 */
public record GlooLinearGather(Collective collective) implements GlooAlgorithm {
  @Override
  public String name() {
    return "glooLinear";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = Whole.program(this, shape, rank);
    Partition blocks = Partition.chunks(shape);
    if (rank != shape.root()) {
      Whole.send(program, shape.root(), program.own(blocks.part(rank)));
      return program.schedule();
    }
    for (int from = 0; from < shape.size(); from++) {
      if (from != rank) {
        Whole.recv(program, from, program.result(blocks.part(from)));
      }
    }
    program.copyOwn(blocks.part(rank));
    return program.schedule();
  }
}
