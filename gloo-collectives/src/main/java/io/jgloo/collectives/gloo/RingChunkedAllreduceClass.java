package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;
import io.jgloo.collectives.algorithm.pattern.Whole;

/**
 * Gloo's class AllreduceRingChunked: a ring of two chunks for each rank, of which two are under way
 * at a time, each with an inbox of its own.
 *
 * <p>A chunk has at least 256 elements, so with few elements most are empty. In place of an empty
 * one an element is sent that is not used.
 */
public record RingChunkedAllreduceClass() implements GlooAlgorithm {
  private static final int NOTE = 2;
  private static final int LEAST_ELEMENTS = 256;

  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "allreduceRingChunked";
  }

  @Override
  public boolean counted() {
    return true;
  }

  @Override
  public long slots(Shape shape) {
    return shape.size() == 1 || shape.count() == 0 ? 0 : 3;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = Whole.program(this, shape, rank);
    program.copyOwn(new Range(Space.OUTPUT, 0, shape.bytes()));
    if (slots(shape) > 0) {
      new Ring(program, shape, rank).run();
    }
    return program.schedule();
  }

  private record Ring(Program program, Shape shape, int rank) {
    void run() {
      int chunks = 2 * shape.size();
      push(2 * rank);
      push(2 * rank + 1);
      for (int step = 2; step < chunks; step++) {
        int index = passing(step);
        if (chunk(index).isEmpty()) {
          program.take(left(), index % 2, ignored(), 0);
        } else {
          program.takeReduce(left(), index % 2, chunk(index));
        }
        exchangeNotes();
        push(index);
      }
      for (int step = 0; step < chunks - 2; step++) {
        int index = passing(step);
        Range chunk = chunk(index);
        program.take(left(), index % 2, chunk.isEmpty() ? ignored() : chunk, 0);
        if (step < chunks - 4) {
          exchangeNotes();
          push(index);
        }
      }
      exchangeNotes();
    }

    /** The chunk that comes in a step: the two of the rank before last first, in their order. */
    private int passing(int step) {
      return Math.floorMod(2 * rank - (step & ~1) + (step & 1), 2 * shape.size());
    }

    private void exchangeNotes() {
      program.note(left(), NOTE);
      program.awaitNote((rank + 1) % shape.size(), NOTE);
    }

    private void push(int index) {
      Range chunk = chunk(index);
      Range sent = chunk.isEmpty() ? chunk(0).part(0, shape.elementBytes()) : chunk;
      program.put((rank + 1) % shape.size(), index % 2, sent, 0);
    }

    private int left() {
      return Math.floorMod(rank - 1, shape.size());
    }

    private Range ignored() {
      return new Range(Space.SCRATCH, Program.BEHIND_NOTES, shape.elementBytes());
    }

    private Range chunk(int index) {
      long chunks = 2L * shape.size();
      long elements = Math.max(LEAST_ELEMENTS, (shape.count() + chunks - 1) / chunks);
      long bytes = elements * shape.elementBytes();
      long from = Math.min(shape.bytes(), index * bytes);
      return new Range(Space.OUTPUT, from, Math.min(bytes, shape.bytes() - from));
    }
  }
}
