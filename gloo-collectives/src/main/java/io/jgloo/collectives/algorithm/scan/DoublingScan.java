package io.jgloo.collectives.algorithm.scan;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;

/**
 * Recursive doubling scan: in round k each rank sends all it has reduced to the rank 2^k further;
 * the fewest steps, for small vectors.
 *
 * <p>ceil(log2(P)) steps of S bytes, for any P. Each round receives into scratch of its own, as
 * what is reduced into is being sent. Ordered, as every scan is here. Hillis and Steele, "Data
 * parallel algorithms", 1986.
 *
 * <p>Drawn: scan recursiveDoubling, 5 ranks, 1 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1     rank 2     rank 3     rank 4
 * round 1   a>1      a>2 +a<0   a>3 +a<1   a>4 +a<2   +a<3
 * round 2   a>2      a>3        a>4 +a<0   +a<1       +a<2
 * round 3   a>4                                       +a<0
 * }</pre>
 *
 * <p>Drawn: exscan recursiveDoubling, 5 ranks, 1 elements.
 *
 * <pre>{@code
 *           rank 0   rank 1     rank 2     rank 3    rank 4
 * round 1   a>1      a>2 +a<0   a>3 +a<1   a>4 a<2   a<3
 * round 2   a>2      a>3        a>4 +a<0   +a<1      +a<2
 * round 3   a>4                                      +a<0
 * }</pre>
 *
 * @param collective scan or exscan
 */
public record DoublingScan(Collective collective) implements Algorithm {
  private static final int SEGMENTS_IN_FLIGHT = 2;

  @Override
  public String name() {
    return "recursiveDoubling";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Partition segments = Partition.segments(shape);
    Rounds rounds = new Rounds(program, shape, rank, segments.longest());
    for (int segment = 0; segment < segments.parts(); segment++) {
      int slotSet = segment % SEGMENTS_IN_FLIGHT;
      if (collective == Collective.SCAN) {
        rounds.scan(segments.part(segment), slotSet);
      } else {
        rounds.exscan(segments.part(segment), slotSet);
      }
    }
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long rounds = shape.doublings();
    long bytes = rounds * shape.bytes();
    long reduced = collective == Collective.SCAN ? bytes : 2 * (rounds - 1) * shape.bytes();
    return new Cost(rounds, rounds * Partition.segments(shape).parts(), bytes, bytes, reduced);
  }

  private record Rounds(Program program, Shape shape, int rank, long segmentBytes) {
    void scan(Range range, int slotSet) {
      Range sum = program.result(range);
      program.copyOwn(range);
      for (int round = 0; 1 << round < shape.size(); round++) {
        if (exchange(round, round == 0 ? program.own(range) : sum, slotSet)) {
          program.reduce(sum, slot(slotSet, round, range.length()), Order.SOURCE_FIRST);
        }
      }
    }

    /** The sum that is passed on includes this rank's contribution, the result does not. */
    void exscan(Range range, int slotSet) {
      Range sum = slot(slotSet, shape.doublings(), range.length());
      program.copy(sum, program.own(range));
      boolean first = true;
      for (int round = 0; 1 << round < shape.size(); round++) {
        if (exchange(round, sum, slotSet)) {
          Range received = slot(slotSet, round, range.length());
          if (first) {
            program.copy(program.result(range), received);
          } else {
            program.reduce(program.result(range), received, Order.SOURCE_FIRST);
          }
          first = false;
          if (rank + (2 << round) < shape.size()) { // it will be sent again
            program.reduce(sum, received, Order.SOURCE_FIRST);
          }
        }
      }
    }

    /** Sends what there is; whether something came. */
    private boolean exchange(int round, Range sum, int slotSet) {
      int distance = 1 << round;
      if (rank + distance < shape.size()) {
        program.send(rank + distance, sum);
      }
      if (rank >= distance) {
        program.recv(rank - distance, slot(slotSet, round, sum.length()));
      }
      return rank >= distance;
    }

    private Range slot(int slotSet, int round, long length) {
      long slotBytes = (segmentBytes + 63) / 64 * 64;
      long slots = shape.doublings() + 1L;
      return new Range(Space.SCRATCH, (slotSet * slots + round) * slotBytes, length);
    }
  }
}
