package io.jgloo.collectives;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The division of a vector among the ranks: all to all, as many to each, or as counted.
 *
 * <p>A vector that is not cut has one count and no starts. Even blocks are distinguished from
 * uneven ones of equal counts, which need P numbers.
 */
final class Blocks {
  private final int ranks;
  private final long count;
  private final int elementBytes;
  private final boolean whole;
  private final long @Nullable []
      starts; // null unless uneven; in bytes, one more than there are ranks

  private Blocks(int ranks, long count, int elementBytes, boolean whole, long @Nullable [] starts) {
    this.ranks = ranks;
    this.count = count;
    this.elementBytes = elementBytes;
    this.whole = whole;
    this.starts = starts;
  }

  /** A vector of {@code count} elements that is not cut. */
  static Blocks one(int ranks, long count, int elementBytes) {
    check(ranks, count, elementBytes, 1);
    return new Blocks(ranks, count, elementBytes, true, null);
  }

  /** For each rank {@code count} elements. */
  static Blocks even(int ranks, long count, int elementBytes) {
    check(ranks, count, elementBytes, ranks);
    return new Blocks(ranks, count, elementBytes, false, null);
  }

  /** For each rank as many elements as {@code counts} says. */
  static Blocks uneven(long[] counts, int elementBytes) {
    long[] starts = new long[counts.length + 1];
    long total = 0;
    check(counts.length, 0, elementBytes, 1);
    for (int rank = 0; rank < counts.length; rank++) {
      long most = Long.MAX_VALUE / elementBytes - total;
      Shape.check(counts[rank] >= 0 && counts[rank] <= most, "counts[" + rank + "]", counts[rank]);
      total += counts[rank];
      starts[rank + 1] = total * elementBytes;
    }
    return new Blocks(counts.length, total, elementBytes, false, starts);
  }

  private static void check(int ranks, long count, int elementBytes, int blocks) {
    Shape.check(ranks >= 1, "size", ranks);
    Shape.check(count >= 0, "count", count);
    Shape.check(elementBytes >= 1, "elementBytes", elementBytes);
    Shape.check(count <= Long.MAX_VALUE / elementBytes / blocks, "count", count);
  }

  int ranks() {
    return ranks;
  }

  /** Elements of the vector, of each block if they are even, or of all blocks. */
  long count() {
    return count;
  }

  /** Whether the vector is not cut. */
  boolean whole() {
    return whole;
  }

  int elementBytes() {
    return elementBytes;
  }

  /** Bytes of all blocks. */
  long bytes() {
    return whole ? count * elementBytes : start(ranks);
  }

  /** First byte of a rank's block; one past the last one for the number of ranks. */
  long start(int rank) {
    if (starts != null) {
      return starts[rank];
    }
    return whole ? 0 : rank * count * elementBytes;
  }

  /** Bytes of a rank's block. */
  long length(int rank) {
    return whole ? bytes() : start(rank + 1) - start(rank);
  }

  /** Bytes of the longest block. */
  long longest() {
    long longest = starts == null ? count * elementBytes : 0;
    for (int rank = 0; starts != null && rank < ranks; rank++) {
      longest = Math.max(longest, length(rank));
    }
    return longest;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Blocks that
        && ranks == that.ranks
        && count == that.count
        && elementBytes == that.elementBytes
        && whole == that.whole
        && Arrays.equals(starts, that.starts);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * ranks + Long.hashCode(count)) + elementBytes + Arrays.hashCode(starts);
  }

  @Override
  public String toString() {
    if (starts == null) {
      return (whole ? "" : "blocks of ") + count + " x " + elementBytes + " B";
    }
    long[] counts = new long[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      counts[rank] = length(rank) / elementBytes;
    }
    String list =
        ranks <= 16
            ? Arrays.toString(counts)
            : Arrays.toString(Arrays.copyOf(counts, 16)).replace("]", ", ...]");
    return "blocks of " + list + " x " + elementBytes + " B";
  }
}
