package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.Whole;

/**
 * Gloo's class AllgatherRing: blocks go round to the right, each written to its place in the next
 * rank's result.
 */
public record RingAllgatherClass() implements GlooAlgorithm {
  private static final int DATA = 0;
  private static final int NOTE = 1;

  @Override
  public Collective collective() {
    return Collective.ALLGATHER;
  }

  @Override
  public String name() {
    return "allgatherRing";
  }

  @Override
  public boolean counted() {
    return true;
  }

  @Override
  public long slots(Shape shape) {
    return 2;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = Whole.program(this, shape, rank);
    Partition blocks = Partition.chunks(shape);
    int size = shape.size();
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;
    program.copyOwn(blocks.part(rank));
    int held = rank;
    for (int step = 0; step < size - 1; step++) {
      Range sent = blocks.part(held);
      program.put(right, DATA, sent, sent.offset());
      held = (size - 1 - step + rank) % size;
      Range taken = blocks.part(held);
      program.take(left, DATA, taken, taken.offset());
      program.note(left, NOTE);
      program.awaitNote(right, NOTE);
    }
    return program.schedule();
  }
}
