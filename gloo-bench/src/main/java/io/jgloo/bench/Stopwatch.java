package io.jgloo.bench;

import java.util.Arrays;

/**
 * The times of one rank's calls, one by one and back to back, in nanoseconds.
 *
 * <p>One clock reading per call: the end of one is the beginning of the next.
 */
public final class Stopwatch {
  private static final int KEPT = 1 << 18;

  private long[] nanos = {};
  private int count;
  private long longest;

  /**
   * Times calls anew; of more than 262,144 the percentiles are those of the last ones.
   *
   * @param ways by which a time is divided: 2 where a call goes there and back
   */
  public void time(Runnable task, int iterations, int ways) {
    if (nanos.length < Math.min(iterations, KEPT)) {
      nanos = new long[Math.min(iterations, KEPT)];
    }
    longest = 0;
    for (int left = iterations; left > 0; left -= count) {
      count = Math.min(left, nanos.length);
      time(task, nanos, count);
      for (int call = 0; call < count; call++) {
        nanos[call] /= ways;
        longest = Math.max(longest, nanos[call]);
      }
    }
  }

  /** Calls between two readings of the clock, with only a store. */
  private static void time(Runnable task, long[] nanos, int calls) {
    long before = System.nanoTime();
    for (int call = 0; call < calls; call++) {
      task.run();
      long now = System.nanoTime();
      nanos[call] = now - before;
      before = now;
    }
  }

  /** Median, 99th percentile and maximum. */
  public long[] nanos() {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return new long[] {sorted[(count - 1) / 2], sorted[(int) Math.ceil(count * 0.99) - 1], longest};
  }
}
