package io.jgloo.collectives.gloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;
import io.jgloo.collectives.algorithm.pattern.Whole;

/**
 * Gloo's class PairwiseExchange: blocks of one length change places with the ranks whose number
 * differs in the lowest bit, in the one above, and so on.
 *
 * <p>So it is an alltoallv with those ranks alone. C++ makes up what it sends and drops what it
 * receives; here these are the caller's blocks.
 */
public record PairwiseExchangeClass() implements GlooAlgorithm {
  @Override
  public Collective collective() {
    return Collective.ALLTOALLV;
  }

  @Override
  public String name() {
    return "pairwiseExchange";
  }

  @Override
  public boolean counted() {
    return true;
  }

  @Override
  public long slots(Shape shape) {
    return 2L * blocks(Partition.chunks(shape));
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = Whole.program(this, shape, rank);
    Partition sent = Partition.chunks(shape);
    Partition received = Partition.received(shape);
    int destinations = blocks(sent);
    long length = sent.longest();
    boolean known = shape.size() % 2 == 0 && destinations > 0 && blocks(received) == destinations;
    for (int i = 0; i < destinations; i++) {
      int peer = rank ^ 1 << i;
      known &= peer < shape.size();
      known = known && isBlock(sent.part(peer), length) && isBlock(received.part(peer), length);
      if (!known) {
        break;
      }
      Range block = program.own(sent.part(peer));
      if (shape.inPlace()) {
        Range copy = block.in(Space.SCRATCH).moved(Program.BEHIND_NOTES);
        program.copy(copy, block);
        block = copy;
      }
      program.put(peer, 2 * i, block, 0);
      program.take(peer, 2 * i, program.result(received.part(peer)), 0);
      program.note(peer, 2 * i + 1);
      program.awaitNote(peer, 2 * i + 1);
    }
    if (!known) {
      throw new IllegalArgumentException(
          ("rank " + rank + " exchanges blocks of one length with ranks ")
              + ((rank ^ 1) + ", " + (rank ^ 2) + ", ... of an even number, not " + shape));
    }
    return program.schedule();
  }

  private static boolean isBlock(Range range, long length) {
    return range.length() == length;
  }

  private static int blocks(Partition partition) {
    int blocks = 0;
    for (int part = 0; part < partition.parts(); part++) {
      blocks += partition.part(part).isEmpty() ? 0 : 1;
    }
    return blocks;
  }
}
