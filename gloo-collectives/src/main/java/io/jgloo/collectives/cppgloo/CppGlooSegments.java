package io.jgloo.collectives.cppgloo;

import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Shape;

/**
 * The parts into which Gloo cuts a vector for its rings: segments of one length, equally many for
 * each rank, of which the last ones may be short or empty.
 *
 * @param ofRank segments of each rank
 * @param segmentBytes bytes of each that is not short
 * @param bytes of the vector
 * @param ranks number of ranks
 */
record CppGlooSegments(int ofRank, long segmentBytes, long bytes, int ranks) {
  /** As its allreduce does: as few as a bound allows, at least two for each rank. */
  static CppGlooSegments ofAllreduce(Shape shape) {
    long all = roundedUp(Math.max(shape.messages(shape.bytes()), 2L * shape.size()), shape.size());
    long length = roundedUp(ceil(shape.bytes(), all), shape.elementBytes());
    return of(shape, all, length);
  }

  /** As its reduce does: half a rank's share each, or as long as a bound allows. */
  static CppGlooSegments ofReduce(Shape shape) {
    long half = Math.min(ceil(shape.bytes(), 2L * shape.size()), shape.segmentBytes());
    long length = Math.max(shape.elementBytes(), roundedUp(half, shape.elementBytes()));
    long all = Math.max(ceil(shape.bytes(), length), 2L * shape.size());
    return of(shape, roundedUp(all, shape.size()), length);
  }

  private static CppGlooSegments of(Shape shape, long all, long length) {
    int ofRank = Math.toIntExact(all / shape.size());
    return new CppGlooSegments(ofRank, length, shape.bytes(), shape.size());
  }

  /** How many there are. */
  int all() {
    return ofRank * ranks;
  }

  /** Segment {@code index} of rank {@code rank} and those that follow, round again. */
  Range segment(int rank, int index) {
    long start = ((long) rank * ofRank + index) % all() * segmentBytes;
    return range(start, segmentBytes);
  }

  /** All segments of a rank. */
  Range chunk(int rank) {
    return range((long) rank * ofRank * segmentBytes, ofRank * segmentBytes);
  }

  private Range range(long start, long length) {
    long from = Math.min(start, bytes);
    return new Range(Space.OUTPUT, from, Math.min(length, bytes - from));
  }

  private static long ceil(long amount, long unit) {
    return (amount + unit - 1) / unit;
  }

  private static long roundedUp(long amount, long unit) {
    return ceil(amount, unit) * unit;
  }
}
