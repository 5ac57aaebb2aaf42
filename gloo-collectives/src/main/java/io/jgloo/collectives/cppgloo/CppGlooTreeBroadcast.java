package io.jgloo.collectives.cppgloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Whole;

/**
 * Gloo's broadcast: the binomial tree of {@code tree}, each message the whole vector, even an empty
 * one.
 */
public record CppGlooTreeBroadcast() implements CppGlooAlgorithm {
  @Override
  public Collective collective() {
    return Collective.BROADCAST;
  }

  @Override
  public String name() {
    return "glooTree";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = Whole.program(this, shape, rank);
    int size = shape.size();
    int number = Math.floorMod(rank - shape.root(), size);
    int top = Integer.highestOneBit(number);
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    if (number != 0) {
      Whole.recv(program, (number - top + shape.root()) % size, all);
    }
    for (int far = Math.max(1, 2 * top); far < size - number; far *= 2) {
      int peer = (number + far + shape.root()) % size;
      Whole.send(program, peer, number == 0 ? program.own(all) : all);
    }
    if (number == 0) {
      program.copyOwn(all);
    }
    return program.schedule();
  }
}
