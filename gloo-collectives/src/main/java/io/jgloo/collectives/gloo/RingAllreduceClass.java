package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Order;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;
import io.jgloo.collectives.algorithm.pattern.Whole;

/**
 * Gloo's class AllreduceRing: every vector goes round whole, and each rank adds up what passes.
 *
 * <p>So every rank adds in an order of its own, and float sums differ between ranks in their last
 * bits. A vector is put into the one inbox of the next rank, which sends a note when it is free.
 */
public record RingAllreduceClass() implements GlooAlgorithm {
  private static final int DATA = 0;
  private static final int NOTE = 1;

  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "allreduceRing";
  }

  @Override
  public boolean alike(Shape shape) {
    return false;
  }

  @Override
  public boolean counted() {
    return true;
  }

  @Override
  public long slots(Shape shape) {
    return shape.size() == 1 ? 0 : 2;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = Whole.program(this, shape, rank);
    int size = shape.size();
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;
    Range all = new Range(Space.OUTPUT, 0, shape.bytes());
    program.copyOwn(all);
    Range outbox = program.own(all);
    for (int round = 0; round < size - 1; round++) {
      long offset = Program.BEHIND_NOTES + round % 2 * (shape.bytes() + 63) / 64 * 64;
      Range inbox = new Range(Space.SCRATCH, offset, shape.bytes());
      program.put(right, DATA, outbox, 0);
      program.take(left, DATA, inbox, 0);
      if (!all.isEmpty()) {
        program.reduce(all, inbox, Order.TARGET_FIRST);
      }
      program.note(left, NOTE);
      program.awaitNote(right, NOTE);
      outbox = inbox;
    }
    return program.schedule();
  }
}
