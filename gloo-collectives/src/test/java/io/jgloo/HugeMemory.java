package io.jgloo;

import com.sun.jna.Native;
import io.jgloo.transport.memory.Memory;

/**
 * Gigabytes of addresses with a pattern, most of which are the same few megabytes of memory.
 *
 * <p>A thin one maps one file again and again, but for the blocks around 0, 2^31, 2^32 and the end,
 * which have memory of their own. The length of a block divides no power of two beyond a page, so
 * an offset that is wrong by 2^31 or 2^32 does not find the same bytes. A solid one has memory of
 * its own everywhere.
 *
 * <p><em>Owns</em>: the addresses.
 */
final class HugeMemory implements AutoCloseable {
  /** Pages of a block: a prime number, about 4 MiB. */
  private static final long BLOCK_BYTES = 1021 * 4096L;

  private static final long WINNER = 0x4040_4040_4040_4040L;

  private final long bytes;
  private final boolean thin;
  private final long address;

  HugeMemory(long bytes, boolean thin) {
    this.bytes = bytes;
    this.thin = thin;
    address = Calls.map(0, bytes, Calls.PRIVATE | Calls.ANONYMOUS | Calls.NO_RESERVE, -1);
    if (thin) {
      int file = Calls.memfd_create("jgloo-huge", 0);
      if (file < 0 || Calls.ftruncate(file, BLOCK_BYTES) != 0) {
        throw new IllegalStateException("memfd_create and ftruncate failed");
      }
      for (long at = 0; at < bytes; at += BLOCK_BYTES) {
        if (!isOwn(at)) {
          long unused = Calls.map(address + at, BLOCK_BYTES, Calls.SHARED | Calls.FIXED, file);
        }
      }
      int unused = Calls.close(file);
    }
  }

  /** Whether the block at this offset has memory of its own. */
  private boolean isOwn(long at) {
    return !thin
        || at == 0
        || has(at, (1L << 31) - 1)
        || has(at, 1L << 31)
        || has(at, (1L << 32) - 1)
        || has(at, 1L << 32)
        || at + BLOCK_BYTES >= bytes;
  }

  private static boolean has(long at, long offset) {
    return at <= offset && offset < at + BLOCK_BYTES;
  }

  long address() {
    return address;
  }

  /**
   * The word at an offset, of one of two ranks; in each byte of the word of the rank that wins is a
   * greater number than in that of the other one.
   */
  private static long word(long offset, int rank) {
    long hash = (offset % BLOCK_BYTES + 1) * 0x9e3779b97f4a7c15L;
    long low = (hash ^ hash >>> 29) & 0x3f3f_3f3f_3f3f_3f3fL;
    return rank == winner(offset) ? low | WINNER : low;
  }

  private static int winner(long offset) {
    return (int) (offset % BLOCK_BYTES / 24 & 1);
  }

  /** Writes the words of a rank from one offset to another. */
  void fill(int rank, long from, long to) {
    for (long at = from; at < to; at += Long.BYTES) {
      if (at % BLOCK_BYTES == 0 && at >= from + 2 * BLOCK_BYTES && !isOwn(at)) {
        at += BLOCK_BYTES - Long.BYTES; // its memory is that of another block
        continue;
      }
      Memory.putLong(address + at, word(at, rank));
    }
  }

  /** The offset of the first word that is not that of this rank, or -1. */
  long firstOther(int rank) {
    return first(at -> word(at, rank));
  }

  /** The offset of the first word that is not the maximum of the two ranks, or -1. */
  long firstBelow() {
    return first(at -> word(at, winner(at)));
  }

  private long first(java.util.function.LongUnaryOperator expected) {
    for (long block = 0; block < bytes; block += BLOCK_BYTES) {
      if (block >= 2 * BLOCK_BYTES && !isOwn(block)) {
        continue;
      }
      for (long at = block; at < Math.min(block + BLOCK_BYTES, bytes); at += Long.BYTES) {
        if (Memory.getLong(address + at) != expected.applyAsLong(at)) {
          return at;
        }
      }
    }
    return -1;
  }

  @Override
  public void close() {
    int unused = Calls.munmap(address, bytes);
  }

  /** Calls of the C library. */
  private static final class Calls {
    static final int SHARED = 1;
    static final int PRIVATE = 2;
    static final int FIXED = 0x10;
    static final int ANONYMOUS = 0x20;
    static final int NO_RESERVE = 0x4000;
    private static final int READ_AND_WRITE = 3;

    static {
      Native.register(Calls.class, "c");
    }

    private Calls() {}

    static long map(long address, long bytes, int flags, int file) {
      long mapped = mmap(address, bytes, READ_AND_WRITE, flags, file, 0);
      if (mapped == -1) {
        throw new IllegalStateException(bytes + " bytes cannot be mapped");
      }
      return mapped;
    }

    static native int memfd_create(String name, int flags);

    static native int ftruncate(int file, long bytes);

    static native long mmap(
        long address, long bytes, int protection, int flags, int file, long offset);

    static native int munmap(long address, long bytes);

    static native int close(int file);
  }
}
