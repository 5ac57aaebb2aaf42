package io.jgloo.transport.ibverbs.verbs;

import java.util.concurrent.locks.LockSupport;

/** A completion channel of a software device; waiting allocates nothing. */
final class SoftChannel {

  private volatile int events;
  private volatile boolean woken;
  private volatile Thread waiter;
  private SoftQueue queue;

  /** The fabric's monitor is held. */
  void add(SoftQueue from) {
    if (queue != null && queue != from) {
      throw new IllegalStateException("this double has one queue a channel");
    }
    queue = from;
    int more = events + 1;
    events = more; // others only read it
    LockSupport.unpark(waiter);
  }

  /** The fabric's monitor is held. */
  boolean take() {
    if (events == 0) {
      return false;
    }
    int left = events - 1;
    events = left;
    queue.unacknowledged++;
    return true;
  }

  void wakeup() {
    woken = true;
    LockSupport.unpark(waiter);
  }

  boolean await(long nanos) {
    long deadline = System.nanoTime() + nanos;
    waiter = Thread.currentThread();
    try {
      while (events == 0 && !woken && !Thread.currentThread().isInterrupted()) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          break;
        }
        LockSupport.parkNanos(this, left);
      }
    } finally {
      waiter = null;
      woken = false;
    }
    return events > 0;
  }
}
