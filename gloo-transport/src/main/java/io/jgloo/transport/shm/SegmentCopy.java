package io.jgloo.transport.shm;

import io.jgloo.transport.library.JniCalls;
import io.jgloo.transport.memory.Memory;
import java.util.function.LongSupplier;

/**
 * Copies into memory that a peer reads, in the way that is faster at the time.
 *
 * <p>A plain copy first takes the lines back that the peer has read. Between processors that share
 * a cache it then writes 9 to 37 GB/s, between others 2.4 or 7, where one past the caches writes
 * 50. What went past the caches may be slower to read: 14 GB/s in place of 38 by a peer that shares
 * a cache, and as fast as before by others. Which case it is changes whenever a thread or a virtual
 * processor is moved, so some plain copies are timed. One that might be too slow and the copy after
 * it, past the caches, are compared; after two pairs with too great a difference the next {@value
 * #STREAMED} go past the caches.
 *
 * <p><i>Threads</i>: one at a time.
 */
public final class SegmentCopy {

  /** Shorter ones are plain. */
  static final int LEAST_BYTES = 2 << 10;

  /**
   * So many bytes cost a peer at most a nanosecond more if they went past the caches: what a copy
   * must gain. A plain one that does as many in a nanosecond is fast without a comparison.
   */
  static final int BYTES_PER_NANO = 22;

  /**
   * One slow copy may be a page that is touched for the first time, or a turn of another thread.
   */
  private static final int SLOW_ONES = 2;

  /** Of so many plain copies one is timed: reading the clock twice takes 50 ns. */
  static final int TIMED_ONE_OF = 8;

  /**
   * Copies until a plain one is tried again. By the rates above, that one and its read take as long
   * as six of them and theirs, so trying costs 2 % of the time.
   */
  static final int STREAMED = 256;

  /** Plain copies after a comparison that a plain one has won. */
  static final int PLAIN = 64;

  private final LongSupplier nanoTime;
  private int slow;
  private int left; // copies until one is timed
  private long plainNanos; // of the copy to compare with
  private long plainBytes; // 0: none

  /** By the system's clock. */
  public SegmentCopy() {
    this(System::nanoTime);
  }

  /** With another clock, for a test. */
  public SegmentCopy(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether long copies go past the caches now. */
  public boolean streams() {
    return slow >= SLOW_ONES;
  }

  /** Copies bytes into the segment; they are there before any later store. */
  public void copy(long source, long target, long bytes) {
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
    if (plainBytes == 0) {
      Memory.copy(source, target, bytes);
      long nanos = nanoTime.getAsLong() - start;
      if (nanos * BYTES_PER_NANO <= bytes) {
        slow = 0;
        left = TIMED_ONE_OF - 1;
      } else {
        plainNanos = nanos;
        plainBytes = bytes;
      }
    } else {
      JniCalls.streamingCopy(source, target, bytes);
      compare((nanoTime.getAsLong() - start) / (double) bytes);
      plainBytes = 0;
    }
  }

  private void compare(double streamed) {
    if ((plainNanos / (double) plainBytes - streamed) * BYTES_PER_NANO > 1) {
      slow = Math.min(slow + 1, SLOW_ONES);
      left = streams() ? STREAMED : 0;
    } else {
      slow = 0;
      left = PLAIN;
    }
  }
}
