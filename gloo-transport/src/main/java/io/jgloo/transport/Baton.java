package io.jgloo.transport;

import io.jgloo.transport.engine.Platform;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Passes the duty to make progress among the threads that wait: whoever waits, drives.
 *
 * <p>One thread at a time holds the baton and drives until what it waits for has come; the others
 * spin for a while, then park. The driver wakes a parked thread as soon as its wish has come true,
 * and when it leaves it wakes one more to take over. A hand-over between threads costs 12 to 25 us
 * where a whole exchange over TCP costs 4, so no thread of ours ever stands between.
 *
 * <p><i>Threads</i>: any. Memory: what a driver did before it releases the baton (a release store)
 * is seen by the next one that takes it (compare-and-set, an acquire).
 */
public final class Baton {

  /** What a thread waits for; read by other threads, so built on volatile or locked state. */
  @FunctionalInterface
  public interface Wish {
    /** Whether it has come true; cheap, takes no lock a driver could hold while parked. */
    boolean cameTrue();
  }

  /** How to make progress. */
  public interface Drive {
    /**
     * One bounded piece of progress: returns when something may have changed, at the latest at the
     * deadline or after some 50 ms, so that interrupts are seen.
     *
     * @param wish what the driving thread waits for; no need to block once it has come true
     */
    void step(Wish wish, long deadlineNanos);

    /** Makes a {@link #step} that blocks in another thread return soon. */
    void wakeup();
  }

  /** A parked thread; reused, so that waiting allocates nothing. */
  private static final class Waiter {
    Thread thread;
    Wish wish;
  }

  private static final long PARK_NANOS = 50_000_000L;

  private final Drive drive;
  private final Clock clock;
  private final Platform platform;
  private final AtomicBoolean held = new AtomicBoolean();
  private final ArrayDeque<Waiter> parked = new ArrayDeque<>();
  private final ArrayDeque<Waiter> spare = new ArrayDeque<>();
  private volatile int parkedCount;
  private volatile boolean yielding;
  private final long spinNanos;

  /**
   * @param clock of the mesh: if it is a platform, threads wait by it too
   * @param spinNanos how long a thread without the baton spins before it parks
   */
  public Baton(Drive drive, Clock clock, long spinNanos) {
    this.drive = drive;
    this.clock = clock;
    platform = clock instanceof Platform own ? own : Platform.SYSTEM;
    this.spinNanos = spinNanos;
  }

  /**
   * Drives, or waits for whoever drives, until the wish has come true or the deadline has passed.
   *
   * @return whether the wish has come true
   * @throws InterruptedOperationException if the thread is interrupted; its flag stays set
   */
  public boolean await(Wish wish, long deadlineNanos) {
    boolean expired = false;
    try {
      while (!wish.cameTrue()) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedOperationException("the waiting thread was interrupted");
        }
        if (expired) {
          return false;
        }
        if (take()) {
          drive(wish, deadlineNanos);
        } else {
          standBy(wish, deadlineNanos);
        }
        expired = clock.nanoTime() - deadlineNanos >= 0;
      }
      return true;
    } finally {
      if (parkedCount > 0 && !held.get()) {
        wakeOne(); // we may have been woken to take the baton, and leave without
      }
    }
  }

  /**
   * Drives in the background until the wish has come true, the deadline has passed, or a thread
   * wants to wait in earnest; does nothing if somebody drives already.
   */
  public void driveInBackground(Wish wish, long deadlineNanos) {
    if (!take()) {
      return;
    }
    try {
      yielding = true;
      while (parkedCount == 0 && !wish.cameTrue() && clock.nanoTime() - deadlineNanos < 0) {
        drive.step(() -> parkedCount > 0 || wish.cameTrue(), deadlineNanos);
        wakeFulfilled();
      }
    } finally {
      yielding = false;
      release();
    }
  }

  /** Tells whoever drives or is parked that a wish may have come true without the driver. */
  public void signal() {
    if (held.get()) {
      drive.wakeup();
    }
    wakeFulfilled();
  }

  /**
   * What the driver calls in the middle of a step in which it may have fulfilled others' wishes.
   */
  public void fulfilled() {
    wakeFulfilled();
  }

  /** Whether somebody drives; the answer may be stale at once. */
  public boolean isHeld() {
    return held.get();
  }

  /** Takes the baton if it is free; whoever has taken it must {@link #release} it. */
  public boolean take() {
    return !held.get() && held.compareAndSet(false, true);
  }

  /** Gives the baton back and wakes one waiting thread to take it. */
  public void release() {
    held.set(false);
    if (parkedCount > 0) {
      wakeOne();
    }
  }

  private void drive(Wish wish, long deadlineNanos) {
    try {
      while (!wish.cameTrue() && !Thread.currentThread().isInterrupted()) {
        drive.step(wish, deadlineNanos);
        if (parkedCount > 0) {
          wakeFulfilled();
        }
        if (clock.nanoTime() - deadlineNanos >= 0) {
          return;
        }
      }
    } finally {
      release();
    }
  }

  private void standBy(Wish wish, long deadlineNanos) {
    long start = clock.nanoTime();
    long spin = yielding ? 0 : spinNanos;
    while (clock.nanoTime() - start < spin) {
      if (wish.cameTrue() || !held.get()) {
        return;
      }
      platform.onSpinWait();
    }
    Waiter waiter = enqueue(wish);
    try {
      if (yielding) {
        drive.wakeup();
      }
      // The recheck after enqueueing pairs with the driver's look at parkedCount after releasing.
      long left = Math.min(deadlineNanos - clock.nanoTime(), PARK_NANOS);
      if (left > 0 && held.get() && !wish.cameTrue()) {
        platform.park(this, left);
      }
    } finally {
      dequeue(waiter);
    }
  }

  private Waiter enqueue(Wish wish) {
    synchronized (parked) {
      Waiter waiter = spare.isEmpty() ? new Waiter() : spare.poll();
      waiter.thread = Thread.currentThread();
      waiter.wish = wish;
      parked.add(waiter);
      parkedCount = parked.size();
      return waiter;
    }
  }

  private void dequeue(Waiter waiter) {
    synchronized (parked) {
      parked.remove(waiter);
      parkedCount = parked.size();
      waiter.thread = null;
      waiter.wish = null;
      spare.add(waiter);
    }
  }

  /** Wakes the first who still has something to wait for; the others leave anyway. */
  private void wakeOne() {
    synchronized (parked) {
      for (Waiter waiter : parked) {
        if (!waiter.wish.cameTrue()) {
          platform.unpark(waiter.thread);
          return;
        }
      }
    }
  }

  private void wakeFulfilled() {
    if (parkedCount == 0) {
      return;
    }
    synchronized (parked) {
      for (Waiter waiter : parked) {
        if (waiter.wish.cameTrue()) {
          platform.unpark(waiter.thread);
        }
      }
    }
  }
}
