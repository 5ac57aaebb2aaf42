package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Whole;

/** Gloo's scatter: the root sends every block, even an empty one, whole to its rank. */
public record GlooLinearScatter() implements GlooAlgorithm {
  @Override
  public Collective collective() {
    return Collective.SCATTER;
  }

  @Override
  public String name() {
    return "glooLinear";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = Whole.program(this, shape, rank);
    Partition blocks = Partition.chunks(shape);
    if (rank != shape.root()) {
      Whole.recv(program, shape.root(), program.result(blocks.part(rank)));
      return program.schedule();
    }
    for (int to = 0; to < shape.size(); to++) {
      if (to != rank) {
        Whole.send(program, to, program.own(blocks.part(to)));
      }
    }
    program.copyOwn(blocks.part(rank));
    return program.schedule();
  }
}
