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
 * Gloo's class AllreduceBcube with its base of two: pairs at twice the distance each time exchange
 * parts of what both hold, then backwards.
 *
 * <p>Only for powers of two: for other numbers of ranks Gloo's results are wrong. Where a part has
 * fewer elements than there are members, each gets one all the same, counted round the end of the
 * vector, and what is then reduced twice is overwritten later.
 */
public record BcubeAllreduceClass() implements GlooAlgorithm {
  @Override
  public Collective collective() {
    return Collective.ALLREDUCE;
  }

  @Override
  public String name() {
    return "allreduceBcube";
  }

  /** With fewer elements than ranks two reduce the same element, each its own operand first. */
  @Override
  public boolean alike(Shape shape) {
    return shape.count() >= shape.size();
  }

  @Override
  public boolean counted() {
    return true;
  }

  @Override
  public long slots(Shape shape) {
    return shape.count() == 0 ? 0 : 2L * shape.size() * (shape.size() - 1);
  }

  /**
   * @throws IllegalArgumentException also if the number of ranks is no power of two
   */
  @Override
  public Schedule schedule(Shape shape, int rank) {
    if (Integer.bitCount(shape.size()) != 1) {
      throw new IllegalArgumentException(
          name() + " is right for powers of two only, but there are " + shape.size() + " ranks");
    }
    Program program = Whole.program(this, shape, rank);
    program.copyOwn(new Range(Space.OUTPUT, 0, shape.bytes()));
    if (slots(shape) > 0) {
      new Cube(program, shape, rank).run();
    }
    return program.schedule();
  }

  /** Elements that a rank is responsible for. */
  private record Part(long from, long count) {}

  private record Cube(Program program, Shape shape, int rank) {
    void run() {
      int rounds = BinaryBlocks.log(shape.size());
      for (int round = 0; round < rounds; round++) {
        int peer = rank ^ 1 << round;
        program.put(peer, slot(peer), range(part(peer, round)), 0);
        Range mine = range(part(rank, round));
        if (overlap(mine, range(part(peer, round)))) {
          program.take(peer, slot(peer), inbox(mine), 0);
          program.reduce(mine, inbox(mine), Order.TARGET_FIRST);
        } else {
          program.takeReduce(peer, slot(peer), mine);
        }
        program.note(peer, slot(peer) + 1);
      }
      for (int round = rounds - 1; round >= 0; round--) {
        int peer = rank ^ 1 << round;
        program.awaitNote(peer, slot(peer) + 1);
        program.put(peer, slot(peer), range(part(rank, round)), 0);
        Range theirs = range(part(peer, round));
        if (overlap(theirs, range(part(rank, round)))) {
          program.take(peer, slot(peer), inbox(theirs), 0);
          program.copy(theirs, inbox(theirs));
        } else {
          program.take(peer, slot(peer), theirs, 0);
        }
        if (round == 0) {
          program.note(peer, slot(peer) + 1);
          program.awaitNote(peer, slot(peer) + 1);
        }
      }
    }

    private static boolean overlap(Range one, Range other) {
      return one.offset() < other.end() && other.offset() < one.end();
    }

    private static Range inbox(Range like) {
      return new Range(Space.SCRATCH, Program.BEHIND_NOTES, like.length());
    }

    /** A rank's part after a round. */
    private Part part(int of, int round) {
      if (round < 0) {
        return new Part(0, shape.count());
      }
      Part founder = part(of & ~(1 << round), round - 1);
      long elements = Math.max(founder.count(), 2);
      long half = elements / 2;
      return (of >> round & 1) == 0
          ? new Part(founder.from(), half)
          : new Part((founder.from() + half) % shape.count(), elements - half);
    }

    private Range range(Part part) {
      long bytes = shape.elementBytes();
      return new Range(Space.OUTPUT, part.from() * bytes, part.count() * bytes);
    }

    private int slot(int peer) {
      return 2 * (Math.min(rank, peer) * shape.size() + Math.max(rank, peer));
    }
  }
}
