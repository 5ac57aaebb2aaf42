package io.jgloo.collectives.algorithm.pattern;

import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Shape;

/**
 * The number of segments of a vector that passes a number of ranks one after another, segment by
 * segment.
 *
 * <p>With h hops to fill the pipeline the best number of segments is sqrt(hS/m), where m is the
 * number of bytes whose transfer takes as long as one more message; more are made if the bound for
 * one message asks for more.
 */
public final class Pipeline {
  /** What 5 us of a message are worth at 4 GB/s, as in {@code CostModel.LOOPBACK_TCP}. */
  private static final double MESSAGE_WORTH_BYTES = 20_000;

  private Pipeline() {}

  /** The shape's vector in the best number of segments for so many hops. */
  public static Partition segments(Shape shape, int hops) {
    long best = (long) Math.sqrt(Math.max(0, hops) * shape.bytes() / MESSAGE_WORTH_BYTES);
    long pieces = Math.max(1, best);
    long length = (shape.count() + pieces - 1) / pieces * shape.elementBytes();
    return Partition.segments(
        shape, Math.max(shape.elementBytes(), Math.min(length, shape.segmentBytes())));
  }
}
