package io.jgloo.collectives.execution;

import io.jgloo.transport.memory.Memory;
import java.util.Arrays;

/**
 * Off-heap memory of a group that comes and goes with calls: scratch, and mirrors of heap arrays.
 *
 * <p>Blocks are powers of two and kept when given back, so that calls of the same sizes allocate
 * nothing; beyond {@link #KEPT_BYTES} idle ones are freed. Fresh pages cost 0.1 ns a byte, as much
 * as a second copy, which is why they are kept at all.
 *
 * <p><em>Threads</em>: any. <em>Owns</em>: the idle blocks; those handed out belong to their
 * takers.
 */
final class StagingPool {

  /** Bound on idle memory: a 64 MiB array staged, and as much scratch. */
  static final long KEPT_BYTES = 128L << 20;

  private static final int SMALLEST_SHIFT = 10;
  private static final int CLASSES = 64 - SMALLEST_SHIFT;

  private final long[][] idle = new long[CLASSES][4];
  private final int[] idleCount = new int[CLASSES];
  private long idleBytes;
  private boolean closed;

  /** A block of at least that many bytes, its contents undefined; 0 for no bytes. */
  long take(long bytes) {
    return bytes == 0 ? 0 : takeBlock(bytes);
  }

  private synchronized long takeBlock(long bytes) {
    int size = sizeClass(bytes);
    if (idleCount[size] > 0) {
      idleBytes -= bytesOf(size);
      return idle[size][--idleCount[size]];
    }
    return Memory.allocate(bytesOf(size), Memory.CACHE_LINE);
  }

  /** Takes back a block that was asked for with that many bytes. */
  void give(long address, long bytes) {
    if (address != 0) {
      giveBlock(address, bytes);
    }
  }

  private synchronized void giveBlock(long address, long bytes) {
    int size = sizeClass(bytes);
    if (closed || idleBytes + bytesOf(size) > KEPT_BYTES) {
      Memory.free(address);
      return;
    }
    if (idleCount[size] == idle[size].length) {
      idle[size] = Arrays.copyOf(idle[size], 2 * idleCount[size]);
    }
    idle[size][idleCount[size]++] = address;
    idleBytes += bytesOf(size);
  }

  /** Frees what is idle; blocks given back later are freed at once. */
  synchronized void close() {
    closed = true;
    for (int size = 0; size < CLASSES; size++) {
      while (idleCount[size] > 0) {
        Memory.free(idle[size][--idleCount[size]]);
      }
    }
    idleBytes = 0;
  }

  synchronized long idleBytes() {
    return idleBytes;
  }

  private static int sizeClass(long bytes) {
    int shift = 64 - Long.numberOfLeadingZeros(bytes - 1);
    return Math.max(0, shift - SMALLEST_SHIFT);
  }

  private static long bytesOf(int sizeClass) {
    return 1L << (sizeClass + SMALLEST_SHIFT);
  }
}
