package io.jgloo.rpc.message;

import org.jspecify.annotations.NullUnmarked;

/**
 * Timers of a messenger's calls: set and cancelled in constant time, to within 10 ms.
 *
 * <p>A priority queue would keep the timers of answered calls, a minute's worth of them, or pay for
 * each removal.
 *
 * <p><i>Threads</i>: the one that runs the agent's events.
 */
@NullUnmarked // a timer that is not set has no neighbours
final class TimerWheel {

  /** Something with a deadline, in at most one wheel. */
  abstract static class Timer {
    private Timer before;
    private Timer after;
    private long deadlineNanos;

    /** Called once, at the deadline or up to 10 ms later. */
    abstract void expired();
  }

  static final long TICK_NANOS = 10_000_000;
  private static final int SLOTS = 512;

  /** Heads of circular lists. */
  private final Timer[] slots = new Timer[SLOTS];

  private final long origin;
  private long tick;
  private int size;

  TimerWheel(long now) {
    origin = now;
    for (int i = 0; i < SLOTS; i++) {
      slots[i] =
          new Timer() {
            @Override
            void expired() {
              throw new AssertionError("the head of a list has no deadline");
            }
          };
      slots[i].before = slots[i];
      slots[i].after = slots[i];
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Sets a timer that is not set. */
  void set(Timer timer, long deadlineNanos) {
    timer.deadlineNanos = deadlineNanos;
    long at = Math.max(tick, (deadlineNanos - origin) / TICK_NANOS);
    Timer head = slots[(int) (at % SLOTS)];
    timer.before = head.before;
    timer.after = head;
    head.before.after = timer;
    head.before = timer;
    size++;
  }

  /** Cancels a timer; does nothing if it is not set. */
  void cancel(Timer timer) {
    if (timer.after != null) {
      timer.before.after = timer.after;
      timer.after.before = timer.before;
      timer.before = null;
      timer.after = null;
      size--;
    }
  }

  /** Ends the timers whose deadline has passed. */
  void advance(long now) {
    long target = (now - origin) / TICK_NANOS;
    long last = Math.min(target, tick + SLOTS - 1);
    for (long at = tick; at <= last && size > 0; at++) {
      expire(slots[(int) (at % SLOTS)], now);
    }
    tick = target;
  }

  private void expire(Timer head, long now) {
    for (Timer timer = head.after; timer != head; ) {
      Timer next = timer.after;
      if (now - timer.deadlineNanos >= 0) {
        cancel(timer);
        timer.expired();
        next = next.after != null ? next : head.after; // it may have been cancelled
      }
      timer = next;
    }
  }
}
