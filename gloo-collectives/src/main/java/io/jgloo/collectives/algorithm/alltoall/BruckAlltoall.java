package io.jgloo.collectives.algorithm.alltoall;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Bruck's alltoall: in each round a rank passes on, to the rank 2^k further, the blocks that have
 * to go that far; the fewest steps, for small blocks.
 *
 * <p>ceil(log2(P)) steps for any P, of about half the vector each: a block is sent as often as its
 * distance has bits. The farthest round is the first one, so that blocks which go on together lie
 * together: what arrives stays where it is, those of a round are packed into one message, and all
 * are copied to their places in the end. Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient
 * algorithms for all-to-all communications in multiport message-passing systems", 1997, whose
 * farthest round is the last one.
 *
 * <p>Drawn: alltoall bruck, 4 ranks, 4 elements.
 *
 * <pre>{@code
 *           rank 0          rank 1          rank 2          rank 3
 * round 1   c0d0>2 a2b2<2   d1a1>3 b3c3<3   a2b2>0 c0d0<0   b3c3>1 d1a1<1
 * round 2   b0b2>1 a3a1<3   c1c3>2 b0b2<0   d2d0>3 c1c3<1   a3a1>0 d2d0<2
 * }</pre>
 */
public record BruckAlltoall() implements Algorithm {
  @Override
  public Collective collective() {
    return Collective.ALLTOALL;
  }

  @Override
  public String name() {
    return "bruck";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    Partition blocks = Partition.chunks(shape);
    program.copyOwn(blocks.part(rank));
    if (shape.size() > 1 && shape.bytes() > 0) {
      new Journey(program, blocks).pass();
    }
    return program.schedule();
  }

  /** The blocks of one rank, by the distance that they have to go, and where they are by now. */
  private static final class Journey {
    private final Program program;
    private final Partition blocks;
    private final int size;
    private final int rank;
    private final long blockBytes;
    private final long[] arrivals = new long[Integer.SIZE]; // in scratch, by the round's bit
    private long scratchBytes;

    Journey(Program program, Partition blocks) {
      this.program = program;
      this.blocks = blocks;
      this.size = blocks.parts();
      this.rank = program.rank();
      this.blockBytes = blocks.part(0).length();
    }

    void pass() {
      for (int far = Integer.highestOneBit(size - 1); far > 0; far /= 2) {
        exchange(far);
      }
      for (int distance = 1; distance < size; distance++) {
        Range place = program.result(blocks.part((rank - distance + size) % size));
        program.copy(place, arrived(distance, distance + 1, Integer.lowestOneBit(distance)));
      }
    }

    /** Passes on the blocks whose distance has the bit {@code far}. */
    private void exchange(int far) {
      List<Range> runs = new ArrayList<>();
      for (int first = far; first < size; first += 2 * far) {
        int end = Math.min(first + far, size);
        if (first == far) {
          addOwn(runs, first, end);
        } else {
          runs.add(arrived(first, end, Integer.lowestOneBit(first - far)));
        }
      }
      long bytes = before(size, far) * blockBytes;
      program.send((rank + far) % size, runs.size() == 1 ? runs.get(0) : pack(runs, bytes));
      arrivals[Integer.numberOfTrailingZeros(far)] = scratchBytes;
      program.recv((rank - far + size) % size, scratch(bytes));
    }

    /** Blocks that have not moved yet, in one or two pieces. */
    private void addOwn(List<Range> runs, int first, int end) {
      int wrap = Math.min(Math.max(size - rank, first), end); // that goes to rank 0
      for (int[] run : new int[][] {{first, wrap}, {wrap, end}}) {
        if (run[0] < run[1]) {
          int from = (rank + run[0]) % size;
          runs.add(program.own(blocks.parts(from, from + run[1] - run[0])));
        }
      }
    }

    /** Blocks that came last in the round of a bit, and were not sent since. */
    private Range arrived(int first, int end, int bit) {
      long start = arrivals[Integer.numberOfTrailingZeros(bit)];
      long at = start + before(first, bit) * blockBytes;
      return new Range(Space.SCRATCH, at, (end - first) * blockBytes);
    }

    private Range pack(List<Range> runs, long bytes) {
      Range packed = scratch(bytes);
      long at = 0;
      for (Range run : runs) {
        program.copy(packed.part(at, run.length()), run);
        at += run.length();
      }
      return packed;
    }

    private Range scratch(long bytes) {
      Range range = new Range(Space.SCRATCH, scratchBytes, bytes);
      scratchBytes += bytes;
      return range;
    }
  }

  /** How many distances below one have a bit. */
  private static long before(long distance, long bit) {
    return distance / (2 * bit) * bit + Math.max(0, distance % (2 * bit) - bit);
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long block = Partition.chunks(shape).longest();
    Cost sum = Cost.NOTHING;
    for (long far = 1; far < shape.size(); far *= 2) {
      long moved = before(shape.size(), far) * block;
      sum = sum.plus(new Cost(1, shape.messages(moved), moved, moved, moved));
    }
    return sum.reducing(sum.reducedBytes() + shape.bytes()); // what is copied
  }
}
