package io.jgloo.collectives.execution;

import io.jgloo.transport.Allocation;
import io.jgloo.transport.memory.Memory;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;

/**
 * Off-heap memory of a group that comes and goes with calls: scratch, and mirrors of heap arrays.
 *
 * <p>Blocks are powers of two and kept when given back, so that calls of the same sizes allocate
 * nothing; beyond {@link #KEPT_BYTES} idle ones are freed. Fresh pages cost 0.1 ns a byte, as much
 * as a second copy, which is why they are kept at all. Large ones are memory that peers of the host
 * read in place, where they do.
 *
 * <p><em>Threads</em>: any. <em>Owns</em>: the idle blocks; those handed out belong to their
 * takers.
 */
final class StagingPool {

  /** Bound on idle memory: two arrays of 64 MiB staged, and as much scratch. */
  static final long KEPT_BYTES = 256L << 20;

  /** Least block that is worth a file of its own. */
  static final long SHARED_BYTES = 64 << 10;

  private static final int SMALLEST_SHIFT = 10;
  private static final int CLASSES = 64 - SMALLEST_SHIFT;

  private final long[][] idle = new long[CLASSES][4];
  private final int[] idleCount = new int[CLASSES];
  private long idleBytes;
  private boolean closed;
  private final LongFunction<Allocation> sharing;
  private final Map<Long, Allocation> shared = new ConcurrentHashMap<>();

  /**
   * @param sharing allocates memory that peers read in place; null if there is none
   */
  StagingPool(LongFunction<Allocation> sharing) {
    this.sharing = sharing;
  }

  /** A block of at least that many bytes, its contents undefined; 0 for no bytes. */
  long take(long bytes) {
    if (bytes == 0) {
      return 0;
    }
    int size = sizeClass(bytes);
    long block = takeBlock(size);
    return block == 0 ? allocate(bytesOf(size)) : block;
  }

  private synchronized long takeBlock(int size) {
    if (idleCount[size] == 0) {
      return 0;
    }
    idleBytes -= bytesOf(size);
    return idle[size][--idleCount[size]];
  }

  /** Without the lock: the mesh takes its own. */
  private long allocate(long bytes) {
    boolean large = bytes >= SHARED_BYTES && bytes <= Allocation.MAX_BYTES;
    Allocation memory = large ? sharing.apply(bytes) : null;
    if (memory == null) {
      return Memory.allocate(bytes, Memory.CACHE_LINE);
    }
    shared.put(memory.address(), memory);
    return memory.address();
  }

  private void free(long address) {
    Allocation memory = shared.remove(address);
    if (memory == null) {
      Memory.free(address);
    } else {
      memory.close();
    }
  }

  /** Takes back a block that was asked for with that many bytes. */
  void give(long address, long bytes) {
    if (address != 0 && !giveBlock(address, sizeClass(bytes))) {
      free(address);
    }
  }

  private synchronized boolean giveBlock(long address, int size) {
    if (closed || idleBytes + bytesOf(size) > KEPT_BYTES) {
      return false;
    }
    if (idleCount[size] == idle[size].length) {
      idle[size] = Arrays.copyOf(idle[size], 2 * idleCount[size]);
    }
    idle[size][idleCount[size]++] = address;
    idleBytes += bytesOf(size);
    return true;
  }

  /** Frees what is idle; blocks given back later are freed at once. */
  void close() {
    for (long block = takeLast(); block != 0; block = takeLast()) {
      free(block);
    }
  }

  private synchronized long takeLast() {
    closed = true;
    for (int size = 0; size < CLASSES; size++) {
      long block = takeBlock(size);
      if (block != 0) {
        return block;
      }
    }
    return 0;
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
