package io.jgloo.collectives.broadcast;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;

/**
 * Pipelined chain broadcast: each rank passes every segment on to the next as it comes; for large
 * vectors.
 *
 * <p>P-1 steps, but the vector passes each link only once: S + (P-2)L bytes one after another, with
 * segments of L bytes. The best number of segments is sqrt((P-2)S/m), where m is the number of
 * bytes whose transfer takes as long as one more message; more are made if the bound for one
 * message asks for more.
 */
public final class ChainBroadcast implements Algorithm {
  /** What 5 us of a message are worth at 4 GB/s, as in {@code CostModel.LOOPBACK_TCP}. */
  private static final double MESSAGE_WORTH_BYTES = 20_000;

  @Override
  public Collective collective() {
    return Collective.BROADCAST;
  }

  @Override
  public String name() {
    return "pipelinedChain";
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    int size = shape.size();
    int number = (rank - shape.root() + size) % size;
    Partition segments = segments(shape);
    for (int segment = 0; segment < segments.parts(); segment++) {
      Range range = segments.part(segment);
      if (number > 0) {
        program.recv((rank + size - 1) % size, range);
      }
      if (number < size - 1) {
        program.send((rank + 1) % size, number == 0 ? program.own(range) : range);
      }
      if (number == 0) {
        program.copyOwn(range);
      }
    }
    return program.schedule();
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.count() == 0) {
      return Cost.NOTHING;
    }
    Partition segments = segments(shape);
    long path = shape.bytes() + (shape.size() - 2) * segments.longest();
    return new Cost(shape.size() - 1, segments.parts(), shape.bytes(), path, 0);
  }

  private static Partition segments(Shape shape) {
    double others = Math.max(0, shape.size() - 2);
    long best = (long) Math.sqrt(others * shape.bytes() / MESSAGE_WORTH_BYTES);
    long pieces = Math.max(1, best);
    long length = (shape.count() + pieces - 1) / pieces * shape.elementBytes();
    return Partition.segments(
        shape, Math.max(shape.elementBytes(), Math.min(length, shape.segmentBytes())));
  }
}
