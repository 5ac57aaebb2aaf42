package io.jgloo.transport.memory;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds writes past the ends of off-heap blocks and to freed ones, for tests: bytes before and
 * after each block are checked when it is freed; freed blocks are filled with a pattern, kept for a
 * while and checked before they are given back.
 *
 * <p><i>Threads</i>: any.
 */
final class MemoryGuard {

  /** Bytes before and after a block. */
  static final int BYTES = 64;

  private static final long FENCE = 0xFE4CE0FE4CE0FE4CL;
  private static final long FREED = 0xDEADF4EEDEADF4EEL;

  /** Of larger blocks, so much at either end is filled and checked. */
  private static final long MOST_FILLED = 4 << 10;

  private static final int MOST_KEPT = 64;

  private record Freed(long start, long address, long bytes) {}

  private final BooleanSupplier exhausted;
  private final Queue<Freed> kept = new ArrayDeque<>();
  private @Nullable String found;

  /**
   * @param exhausted whether an allocation by the calling thread fails
   */
  MemoryGuard(BooleanSupplier exhausted) {
    this.exhausted = exhausted;
  }

  boolean isExhausted() {
    return exhausted.getAsBoolean();
  }

  void allocated(long address, long bytes) {
    fill(address - BYTES, BYTES, FENCE);
    fill(address + bytes, BYTES, FENCE);
  }

  /**
   * Takes a freed block; returns the start of one to give back to C, or 0.
   *
   * @param start of C's block
   */
  synchronized long freed(long start, long address, long bytes) {
    check(address - BYTES, BYTES, FENCE, "before a block", bytes);
    check(address + bytes, BYTES, FENCE, "behind a block", bytes);
    long end = Math.min(bytes, MOST_FILLED);
    fill(address, end, FREED);
    fill(address + bytes - end, end, FREED);
    kept.add(new Freed(start, address, bytes));
    if (kept.size() <= MOST_KEPT) {
      return 0;
    }
    Freed oldest = kept.remove();
    long length = Math.min(oldest.bytes, MOST_FILLED);
    check(oldest.address, length, FREED, "to a freed block", oldest.bytes);
    check(oldest.address + oldest.bytes - length, length, FREED, "to a freed block", oldest.bytes);
    return oldest.start;
  }

  private static void fill(long address, long bytes, long pattern) {
    long i = 0;
    for (; i + Long.BYTES <= bytes; i += Long.BYTES) {
      Memory.putLong(address + i, pattern);
    }
    for (; i < bytes; i++) {
      Memory.putByte(address + i, (byte) pattern);
    }
  }

  private void check(long address, long bytes, long pattern, String where, long blockBytes) {
    for (long i = 0; i < bytes && found == null; i++) {
      // The byte that fill has left there, in either of its loops.
      long expected = i < (bytes / Long.BYTES) * Long.BYTES ? pattern >>> (8 * (i % 8)) : pattern;
      if (Memory.getByte(address + i) != (byte) expected) {
        found = "a write " + where + " of " + blockBytes + " bytes, at byte " + i;
      }
    }
  }

  /** The first wrong write found so far, or null. */
  synchronized @Nullable String found() {
    return found;
  }
}
