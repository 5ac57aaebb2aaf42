package io.jgloo.segment;

import io.jgloo.Payload;
import io.jgloo.collectives.DataType;
import java.lang.foreign.MemorySegment;

/**
 * Makes payloads of memory segments.
 *
 * <pre>{@code
 * MemorySegment x = arena.allocate(ValueLayout.JAVA_FLOAT, 1000);
 * group.allreduce(Segments.of(x, DataType.FLOAT32), ReduceOp.SUM);
 * }</pre>
 *
 * <p>A native segment is worked on in place, at its address: in any thread, also if its arena is
 * confined to one, and without a check that the arena is still open. So an arena must not be closed
 * before the calls that use its segments have ended; a {@link CallArena} waits for them. A segment
 * of an automatic arena is kept reachable. A heap segment is copied through staging memory, as its
 * array would be.
 *
 * <p>This is a module of its own, so that the others need no more than Java 17.
 *
 * <p><em>Threads</em>: any.
 */
public final class Segments {

  private Segments() {}

  /**
   * All bytes of a segment, as elements in native byte order.
   *
   * @param segment native, or on the heap as a {@code byte[]} of any type or an array of the type's
   *     own: {@code float[]} for float32, {@code double[]} for float64, {@code int[]} for int32 and
   *     {@code long[]} for int64
   * @throws IllegalArgumentException if the segment is null, read-only, closed, not a whole number
   *     of elements, or of another array
   */
  public static Payload of(MemorySegment segment, DataType type) {
    long count = count(segment, type);
    return segment.isNative()
        ? Payload.ofAddress(segment.address(), count, type, segment)
        : ofHeap(segment, type);
  }

  /**
   * All bytes of a segment, as elements in native byte order, which calls keep allocated.
   *
   * @param segment allocated by the arena, or a part of such a segment
   * @throws IllegalArgumentException if the segment is null, read-only, closed, of another arena,
   *     or not a whole number of elements
   */
  public static Payload of(MemorySegment segment, DataType type, CallArena arena) {
    long count = count(segment, type);
    if (arena == null || !segment.scope().equals(arena.scope())) {
      throw new IllegalArgumentException(
          arena == null
              ? "arena must not be null"
              : "segment must be allocated by the arena, but is " + segment);
    }
    return Payload.ofAddress(segment.address(), count, type, arena.calls());
  }

  private static long count(MemorySegment segment, DataType type) {
    if (segment == null || type == null) {
      throw new IllegalArgumentException(
          (segment == null ? "segment" : "type") + " must not be null");
    }
    if (segment.isReadOnly() || !segment.scope().isAlive()) {
      throw new IllegalArgumentException(
          "segment must be writable and its arena open, but is " + segment);
    }
    long bytes = segment.byteSize();
    if (bytes % type.bytes() != 0) {
      throw new IllegalArgumentException(
          "segment must hold a whole number of " + type + ", but has " + bytes + " bytes");
    }
    return bytes / type.bytes();
  }

  /** The address of a heap segment is its offset in the array, in bytes. */
  private static Payload ofHeap(MemorySegment segment, DataType type) {
    Object array = segment.heapBase().orElseThrow();
    int offset = (int) segment.address();
    int length = (int) segment.byteSize();
    if (array instanceof byte[] octets) {
      return Payload.of(octets, offset, length, type);
    }
    if (offset % type.bytes() == 0) {
      int first = offset / type.bytes();
      int count = length / type.bytes();
      if (array instanceof float[] floats && type == DataType.FLOAT32) {
        return Payload.of(floats, first, count);
      } else if (array instanceof double[] doubles && type == DataType.FLOAT64) {
        return Payload.of(doubles, first, count);
      } else if (array instanceof int[] ints && type == DataType.INT32) {
        return Payload.of(ints, first, count);
      } else if (array instanceof long[] longs && type == DataType.INT64) {
        return Payload.of(longs, first, count);
      }
    }
    throw new IllegalArgumentException(
        ("segment must be native, of a byte[], or of an array of " + type)
            + (" from a whole element on, but is " + segment));
  }
}
