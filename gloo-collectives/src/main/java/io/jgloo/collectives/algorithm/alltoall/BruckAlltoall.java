package io.jgloo.collectives.algorithm.alltoall;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Space;

/**
 * Bruck's alltoall: in round k each rank passes on, to the rank 2^k further, the blocks that have
 * to go that far; the fewest steps, for small blocks.
 *
 * <p>ceil(log2(P)) steps for any P, of about half the vector each: a block is sent as often as its
 * distance has bits. Blocks are put in order of distance first, those of a round are packed into
 * one message, and all are copied to their places in the end. Bruck, Ho, Kipnis, Upfal and
 * Weathersby, "Efficient algorithms for all-to-all communications in multiport message-passing
 * systems", 1997.
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
    int size = shape.size();
    program.copyOwn(blocks.part(rank));
    if (size > 1 && shape.bytes() > 0) {
      Range after = blocks.parts(rank + 1, size);
      Range before = blocks.parts(0, rank);
      program.copy(scratch(blocks.parts(1, size - rank)), program.own(after));
      program.copy(scratch(blocks.parts(size - rank, size)), program.own(before));
      long packed = shape.bytes();
      for (int far = 1; far > 0 && far < size; far *= 2) {
        packed += 2 * exchange(program, blocks, rank, far, packed);
      }
      for (int distance = 1; distance < size; distance++) {
        int from = (rank - distance + size) % size;
        program.copy(program.result(blocks.part(from)), scratch(blocks.part(distance)));
      }
    }
    return program.schedule();
  }

  /** Passes on the blocks whose distance has the bit {@code far}; returns how many bytes. */
  private static long exchange(Program program, Partition blocks, int rank, int far, long packed) {
    int size = blocks.parts();
    long bytes = 0;
    for (int first = far; first < size; first += 2 * far) {
      Range run = scratch(blocks.parts(first, Math.min(first + far, size)));
      program.copy(new Range(Space.SCRATCH, packed + bytes, run.length()), run);
      bytes += run.length();
    }
    program.send((rank + far) % size, new Range(Space.SCRATCH, packed, bytes));
    program.recv((rank - far + size) % size, new Range(Space.SCRATCH, packed + bytes, bytes));
    long at = packed + bytes;
    for (int first = far; first < size; first += 2 * far) {
      Range run = scratch(blocks.parts(first, Math.min(first + far, size)));
      program.copy(run, new Range(Space.SCRATCH, at, run.length()));
      at += run.length();
    }
    return bytes;
  }

  private static Range scratch(Range range) {
    return range.in(Space.SCRATCH);
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    long block = Partition.chunks(shape).longest();
    Cost sum = Cost.NOTHING;
    for (long far = 1; far < shape.size(); far *= 2) {
      long whole = shape.size() / (2 * far) * far;
      long moved = (whole + Math.max(0, shape.size() % (2 * far) - far)) * block;
      sum = sum.plus(new Cost(1, shape.messages(moved), moved, moved, 2 * moved));
    }
    return sum.reducing(sum.reducedBytes() + 2 * shape.bytes()); // what is copied
  }
}
