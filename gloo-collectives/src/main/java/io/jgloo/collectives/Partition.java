package io.jgloo.collectives;

import io.jgloo.collectives.Range.Space;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a run of the vector into contiguous parts: the blocks of its ranks, or parts of nearly equal
 * length, some of them empty when there are fewer elements than parts.
 *
 * <p>Cuts fall between elements, and on multiples of 64 bytes when parts are so long (4 KiB) that
 * this unbalances them by less than 2 %: kernels then start on cache lines if the vector does.
 */
public final class Partition {
  private static final long LINE_BYTES = 64;
  private static final long WORTH_ALIGNING_BYTES = 4096;

  private final long offset;
  private final long length;
  private final int parts;
  private final int elementBytes;
  private final long grain;
  private final long grains;
  private final @Nullable Blocks blocks; // null unless the cuts are given

  private Partition(Blocks blocks) {
    this.offset = 0;
    this.length = blocks.bytes();
    this.parts = blocks.ranks();
    this.elementBytes = blocks.elementBytes();
    this.grain = elementBytes;
    this.grains = length / grain;
    this.blocks = blocks;
  }

  private Partition(long offset, long length, int parts, int elementBytes, long bound) {
    this.offset = offset;
    this.length = length;
    this.parts = parts;
    this.elementBytes = elementBytes;
    boolean align =
        length / Math.max(1, parts) >= WORTH_ALIGNING_BYTES
            && bound % LINE_BYTES
                == 0 // or else rounding up could make a part longer than the bound
            && LINE_BYTES % elementBytes == 0;
    this.grain = align ? LINE_BYTES : elementBytes;
    this.grains = (length + grain - 1) / grain;
    this.blocks = null;
  }

  /**
   * The shape's vector in one chunk per rank; chunk {@code r} is rank {@code r}'s: its block, or an
   * equal part where the collective has no blocks.
   */
  public static Partition chunks(Shape shape) {
    return shape.blocks().whole()
        ? new Partition(0, shape.bytes(), shape.size(), shape.elementBytes(), LINE_BYTES)
        : new Partition(shape.blocks());
  }

  /** What this rank receives in an alltoall; part {@code r} comes from rank {@code r}. */
  public static Partition received(Shape shape) {
    return new Partition(shape.received());
  }

  /** The shape's vector in as few segments as its bound for one message allows. */
  public static Partition segments(Shape shape) {
    return segments(shape, shape.segmentBytes());
  }

  /** The shape's vector in as few segments of at most {@code bound} bytes as possible. */
  public static Partition segments(Shape shape, long bound) {
    return segments(0, shape.bytes(), shape.elementBytes(), bound);
  }

  /** A range, wherever it lies, in as few segments of at most {@code bound} bytes as possible. */
  static Partition segments(Range range, int elementBytes, long bound) {
    return segments(range.offset(), range.length(), elementBytes, bound);
  }

  private static Partition segments(long offset, long length, int elementBytes, long bound) {
    return new Partition(offset, length, ceil(length, bound), elementBytes, bound);
  }

  /** A range in as few segments of at most {@code bound} bytes as possible. */
  public Partition segments(Range range, long bound) {
    return segments(range.offset(), range.length(), elementBytes, bound);
  }

  /** A range of the shape's vector in exactly {@code pieces} parts of nearly equal length. */
  public static Partition pieces(Shape shape, Range range, int pieces) {
    return new Partition(range.offset(), range.length(), pieces, shape.elementBytes(), LINE_BYTES);
  }

  /**
   * Part {@code index} in exactly {@code pieces} pieces, none longer than {@code bound} if the
   * longest part divided by {@code pieces} is not.
   */
  public Partition split(int index, int pieces, long bound) {
    Range part = part(index);
    return new Partition(part.offset(), part.length(), pieces, elementBytes, bound);
  }

  /** Number of parts. */
  public int parts() {
    return parts;
  }

  /** Length in bytes of the longest part. */
  public long longest() {
    if (blocks != null) {
      return blocks.longest();
    }
    return parts == 0 ? 0 : Math.min(length, ceil(grains, parts) * grain);
  }

  /** Part {@code index} as a range of the vector. */
  public Range part(int index) {
    return parts(index, index + 1);
  }

  /** The parts from {@code first} up to, not including, {@code end}, as one range of the vector. */
  public Range parts(int first, int end) {
    return new Range(Space.OUTPUT, offset + start(first), start(end) - start(first));
  }

  private long start(int index) {
    return blocks != null ? blocks.start(index) : Math.min(length, grains * index / parts * grain);
  }

  private static int ceil(long amount, long unit) {
    return Math.toIntExact((amount + unit - 1) / unit);
  }
}
