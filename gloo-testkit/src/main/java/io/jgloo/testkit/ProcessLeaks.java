package io.jgloo.testkit;

import io.jgloo.transport.leaks.Leaks;
import org.jspecify.annotations.Nullable;

/**
 * Compares descriptors and off-heap memory, which belong to the process, before and after a run
 * that no other run overlaps: of those that overlap it cannot say whose they are.
 *
 * <p><em>Threads</em>: any.
 */
final class ProcessLeaks {

  private static final ProcessLeaks PROCESS = new ProcessLeaks();

  private int running;
  private @Nullable Leaks before; // null while runs overlap, or have

  private ProcessLeaks() {}

  static void begin(ThreadGroup threads) {
    synchronized (PROCESS) {
      PROCESS.before = PROCESS.running++ == 0 ? Leaks.before(threads) : null;
    }
  }

  /** What the run that ends can be compared with, or null. */
  static @Nullable Leaks end() {
    synchronized (PROCESS) {
      Leaks leaks = PROCESS.before;
      PROCESS.before = null;
      PROCESS.running--;
      return leaks;
    }
  }
}
