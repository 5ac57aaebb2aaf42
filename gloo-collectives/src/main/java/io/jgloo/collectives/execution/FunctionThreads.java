package io.jgloo.collectives.execution;

import io.jgloo.transport.Reduction;
import java.util.Arrays;

/**
 * The threads that are inside a user's reduction function of one group.
 *
 * <p>Such a thread holds locks of the group, so it must neither wait for the group nor free what
 * the group uses.
 *
 * <p><em>Threads</em>: any.
 */
final class FunctionThreads {

  /** As many as are copied at a time for a function on buffers. */
  private static final int BYTES_AT_A_TIME = 8 << 10;

  private Thread[] inside = new Thread[4];

  /** How many there are. */
  volatile int count;

  /** The same reduction, with the threads inside it noted. */
  Reduction noted(Reduction function) {
    return new Reduction() {
      @Override
      public void reduce(long target, long source, long bytes) {
        enter();
        try {
          function.reduce(target, source, bytes);
        } finally {
          leave();
        }
      }

      @Override
      public int granule() {
        return function.granule();
      }

      @Override
      public int bytesAtATime() {
        return Math.max(1, BYTES_AT_A_TIME / granule()) * granule();
      }
    };
  }

  private synchronized void enter() {
    if (count == inside.length) {
      inside = Arrays.copyOf(inside, 2 * count);
    }
    inside[count++] = Thread.currentThread();
  }

  private synchronized void leave() {
    for (int i = 0; i < count; i++) {
      if (inside[i] == Thread.currentThread()) {
        inside[i] = inside[--count];
        inside[count] = null;
        return;
      }
    }
  }

  /** Whether the calling thread is inside one. */
  boolean holdCurrent() {
    return count > 0 && find();
  }

  private synchronized boolean find() {
    return Arrays.asList(inside).subList(0, count).contains(Thread.currentThread());
  }

  /**
   * Refuses a call of the group from inside one, which could never end.
   *
   * @throws IllegalStateException if the calling thread is inside one
   */
  void check() {
    if (holdCurrent()) {
      throw new IllegalStateException("a reduction function must not call its own group");
    }
  }
}
