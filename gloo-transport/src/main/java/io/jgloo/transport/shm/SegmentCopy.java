package io.jgloo.transport.shm;

import io.jgloo.transport.library.JniCalls;
import io.jgloo.transport.memory.Memory;
import java.util.function.LongSupplier;

/**
 * Copies into memory that a peer reads, in the way that is faster at the time.
 *
 * <p>A plain copy first takes the lines back that the peer has read. Between processors that share
 * a cache it then writes 9 to 37 GB/s; between others 2.4, where one past the caches writes 50. The
 * peer reads 37 GB/s in the first case, and 15 in the others. Which case it is changes whenever a
 * thread or a virtual processor is moved, so some plain copies are timed: after two slow ones the
 * next {@value #STREAMED} go past the caches.
 *
 * <p><i>Threads</i>: one at a time.
 */
final class SegmentCopy {

  /** Shorter ones are plain. */
  static final int LEAST_BYTES = 2 << 10;

  /** A plain copy is slow if it does less: far from both cases. */
  private static final int BYTES_PER_NANO = 5;

  /**
   * One slow copy may be a page that is touched for the first time, or a turn of another thread.
   */
  private static final int SLOW_ONES = 2;

  /** Of so many plain copies one is timed: reading the clock twice takes 50 ns. */
  private static final int TIMED_ONE_OF = 8;

  /**
   * Copies until a plain one is tried again. By the rates above, that one and its read take as long
   * as six of them and theirs, so trying costs 2 % of the time.
   */
  static final int STREAMED = 256;

  private final LongSupplier nanoTime;
  private int slow;
  private int left; // copies until one is timed

  SegmentCopy() {
    this(System::nanoTime);
  }

  /** With another clock, for a test. */
  SegmentCopy(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether long copies go past the caches now. */
  boolean streams() {
    return slow >= SLOW_ONES;
  }

  /** Copies bytes into the segment; they are there before any later store. */
  void copy(long source, long target, long bytes) {
    if (bytes < LEAST_BYTES || !JniCalls.isAvailable()) {
      Memory.copy(source, target, bytes);
    } else if (left == 0) {
      timed(source, target, bytes);
    } else {
      left--;
      if (streams()) {
        JniCalls.streamingCopy(source, target, bytes);
      } else {
        Memory.copy(source, target, bytes);
      }
    }
  }

  private void timed(long source, long target, long bytes) {
    long start = nanoTime.getAsLong();
    Memory.copy(source, target, bytes);
    if ((nanoTime.getAsLong() - start) * BYTES_PER_NANO <= bytes) {
      slow = 0;
      left = TIMED_ONE_OF - 1;
    } else {
      slow = Math.min(slow + 1, SLOW_ONES);
      left = streams() ? STREAMED : 0;
    }
  }
}
