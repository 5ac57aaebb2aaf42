package io.jgloo.collectives;

import java.util.Objects;

/**
 * What is to be computed, as far as it decides the schedules: two calls of equal shape run the same
 * program. All ranks of a call must agree on it, except for {@link #inPlace()}, which each rank
 * chooses for itself.
 *
 * <p>Made by the factory of a collective, refined by the {@code with...} methods. A rank's own
 * counts (allgatherv and its kin) are a property that only further factories will need.
 */
public final class Shape {
  /**
   * Bound for one message unless said otherwise: what a core's L2 cache holds beside its target,
   * and what a peer takes unasked.
   */
  public static final long DEFAULT_SEGMENT_BYTES = 1024 * 1024;

  private final Collective collective;
  private final int size;
  private final int root;
  private final long count;
  private final int elementBytes;
  private final long segmentBytes;
  private final boolean inPlace;
  private final int hash;

  private Shape(
      Collective collective,
      int size,
      int root,
      long count,
      int elementBytes,
      long segmentBytes,
      boolean inPlace) {
    check(size >= 1, "size", size);
    check(root >= 0 && root < size, "root", root);
    check(count >= 0, "count", count);
    check(elementBytes >= 1, "elementBytes", elementBytes);
    check(count <= Long.MAX_VALUE / elementBytes, "count", count);
    check(segmentBytes >= 1 && segmentBytes % elementBytes == 0, "segmentBytes", segmentBytes);
    this.collective = collective;
    this.size = size;
    this.root = root;
    this.count = count;
    this.elementBytes = elementBytes;
    this.segmentBytes = segmentBytes;
    this.inPlace = inPlace;
    this.hash = Objects.hash(collective, size, root, count, elementBytes, segmentBytes, inPlace);
  }

  /** An allreduce of {@code count} elements over {@code size} ranks, out of place. */
  public static Shape allreduce(int size, long count, int elementBytes) {
    return plain(Collective.ALLREDUCE, size, 0, count, elementBytes);
  }

  /** A broadcast of {@code count} elements from {@code root} to {@code size} ranks. */
  public static Shape broadcast(int size, int root, long count, int elementBytes) {
    return plain(Collective.BROADCAST, size, root, count, elementBytes);
  }

  /** A barrier of {@code size} ranks. */
  public static Shape barrier(int size) {
    return plain(Collective.BARRIER, size, 0, 0, 1);
  }

  private static Shape plain(Collective what, int size, int root, long count, int elementBytes) {
    long segment = Math.max(1, DEFAULT_SEGMENT_BYTES / Math.max(1, elementBytes)) * elementBytes;
    return new Shape(what, size, root, count, elementBytes, Math.max(1, segment), false);
  }

  /** The same work with input and output in one buffer, or not. */
  public Shape withInPlace(boolean value) {
    return new Shape(collective, size, root, count, elementBytes, segmentBytes, value);
  }

  /** The same work in messages of at most {@code bytes}, a multiple of the element size. */
  public Shape withSegmentBytes(long bytes) {
    return new Shape(collective, size, root, count, elementBytes, bytes, inPlace);
  }

  /** What is computed. */
  public Collective collective() {
    return collective;
  }

  /** Number of ranks. */
  public int size() {
    return size;
  }

  /** How often 1 must be doubled to reach the number of ranks: its logarithm, rounded up. */
  public int doublings() {
    return Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
  }

  /** The rank with a part of its own; 0 where the collective has none. */
  public int root() {
    return root;
  }

  /** Elements in each rank's vector. */
  public long count() {
    return count;
  }

  /** Bytes of one element; no message ever splits one. */
  public int elementBytes() {
    return elementBytes;
  }

  /** Bytes of each rank's vector. */
  public long bytes() {
    return count * elementBytes;
  }

  /** Upper bound for one message; algorithms may choose smaller ones. */
  public long segmentBytes() {
    return segmentBytes;
  }

  /** Whether this rank's contribution lies in the output at the start, and there is no input. */
  public boolean inPlace() {
    return inPlace;
  }

  private static void check(boolean good, String name, long value) {
    if (!good) {
      throw new IllegalArgumentException(name + " = " + value);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape that
        && hash == that.hash
        && collective == that.collective
        && size == that.size
        && root == that.root
        && count == that.count
        && elementBytes == that.elementBytes
        && segmentBytes == that.segmentBytes
        && inPlace == that.inPlace;
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return collective.label()
        + " of "
        + count
        + " x "
        + elementBytes
        + " B over "
        + size
        + " ranks"
        + (collective.rooted() ? " from root " + root : "")
        + ", segments of "
        + segmentBytes
        + " B"
        + (inPlace ? ", in place" : "");
  }
}
