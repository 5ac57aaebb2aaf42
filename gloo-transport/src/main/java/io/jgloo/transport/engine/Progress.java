package io.jgloo.transport.engine;

import io.jgloo.transport.CompletionQueue.Condition;
import io.jgloo.transport.CompletionQueue.Handler;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.library.VirtualThreads;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Caller-driven progress: decides which of the threads that wait for a mesh moves its bytes, and
 * moves them in that thread by glances, then looks at everything, then a wait that blocks.
 *
 * <p>One thread at a time holds the progress lock and makes progress until its own condition is
 * met; the others spin for a while, then park. The holder unparks a thread as soon as that thread's
 * condition is met, and one more when it releases the lock, to take over. A hand-over between
 * threads costs 12 to 25 us where a whole exchange over TCP costs 4, so no thread of the library is
 * ever between two ranks.
 *
 * <p>A thread may wait for something that follows from completed requests of its queue. Then it
 * gives them to its handler: the holder with the lock held, so that no hand-over comes between two
 * completions; another thread only those of a queue that the holder does not serve.
 *
 * <p>A virtual thread makes progress too, as long as it does not block. Then a platform thread
 * takes its place ({@link StandIns}): a thread in a system call would keep its carrier, which the
 * ranks that it waits for may need.
 *
 * <p><i>Threads</i>: any. Memory: what a holder did before it releases the lock (a release store)
 * is seen by the next one that takes it (compare-and-set, an acquire).
 */
public final class Progress {

  /** Longest wait that blocks, so that interrupts and closing are seen. */
  private static final long BLOCK_NANOS = 50_000_000L;

  /** The clock is read every so many looks, and when others have had the core for long. */
  private static final int CLOCK_MASK = 0x07;

  /** A parked thread; reused, so that waiting allocates nothing. */
  private static final class Waiter {
    Thread thread;
    Condition condition;
    EngineQueue queue;
  }

  private final Source source;
  private final Placement placement;
  private final Batch batch;
  private boolean closed;
  private volatile boolean driven;
  private static final long PARK_NANOS = 50_000_000L;

  private final Platform platform;
  private final AtomicBoolean held = new AtomicBoolean();
  private final ArrayDeque<Waiter> parked = new ArrayDeque<>();
  private final ArrayDeque<Waiter> freeWaiters = new ArrayDeque<>();
  private volatile int parkedCount;
  private volatile boolean yielding;
  private final long spinNanos;
  private final StandIns standIns;

  /** The queue whose completed requests the holder handles, or null. */
  private volatile EngineQueue served;

  /**
   * Makes progress of a source, by no thread yet.
   *
   * @param spinNanos how long a waiting thread polls before it blocks, or spins before it parks
   * @param batch null if routes hold no frames back
   */
  Progress(Source source, Platform platform, long spinNanos, Placement placement, Batch batch) {
    this.source = source;
    this.platform = platform;
    this.spinNanos = spinNanos;
    this.placement = placement;
    this.batch = batch;
    standIns = new StandIns(this, platform);
  }

  /** Frames to be sent before a thread blocks; null if routes hold none back. */
  public Batch batch() {
    return batch;
  }

  /** Whether a thread makes progress, or has made some since the last time this was asked. */
  public boolean wasDriven() {
    boolean was = driven || isHeld();
    driven = false;
    return was;
  }

  /** Looks once without blocking, if no other thread makes progress. */
  public void look() {
    if (take()) {
      try {
        if (!closed) {
          source.look();
        }
      } finally {
        release();
      }
    }
  }

  /**
   * Makes progress, or waits for the thread that does, until the condition is met or the deadline
   * has passed.
   *
   * @param queue whose completed requests go to the handler; null if the condition does not follow
   *     from them
   * @return whether the condition is met
   * @throws InterruptedOperationException if the thread is interrupted; its flag stays set
   */
  boolean await(Condition condition, EngineQueue queue, Handler handler, long deadlineNanos) {
    boolean expired = false;
    try {
      while (!condition.isMet()) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedOperationException("the waiting thread was interrupted");
        }
        if (expired) {
          return false;
        }
        if (take()) {
          if (!hold(condition, queue, handler, deadlineNanos)) {
            standIns.waitFor(stop -> holdFor(stop, condition, queue, handler, deadlineNanos));
          }
        } else if (mustHandle(queue)) {
          queue.handle(handler);
        } else {
          standBy(condition, queue, deadlineNanos);
        }
        expired = platform.nanoTime() - deadlineNanos >= 0;
      }
      return true;
    } finally {
      if (parkedCount > 0 && !held.get()) {
        wakeOne(); // this thread may have been woken to take the lock, and leaves without
      }
    }
  }

  /**
   * Makes progress in the background until the condition is met, the deadline has passed, or a
   * thread waits; does nothing if another thread makes progress already. For platform threads.
   */
  void awaitInBackground(
      Condition condition, EngineQueue queue, Handler handler, long deadlineNanos) {
    if (!take()) {
      return;
    }
    try {
      yielding = true;
      serve(queue);
      Condition either = () -> parkedCount > 0 || condition.isMet();
      handle(queue, handler);
      while (!either.isMet() && platform.nanoTime() - deadlineNanos < 0) {
        step(either, queue, deadlineNanos);
        handle(queue, handler);
        wakeSatisfied();
      }
    } finally {
      yielding = false;
      leave(queue);
    }
  }

  /** Notifies the holder and parked threads that a condition may be met without the holder. */
  public void signal() {
    if (held.get()) {
      wakeup();
    }
    wakeSatisfied();
  }

  /** Whether a thread holds the lock; the answer may be outdated at once. */
  public boolean isHeld() {
    return held.get();
  }

  /** Takes the lock if it is free; a thread that has taken it must {@link #release} it. */
  public boolean take() {
    return !held.get() && held.compareAndSet(false, true);
  }

  /** Releases the lock and wakes one waiting thread to take it. */
  public void release() {
    if (served != null) { // a write takes as long as a lock
      served = null;
    }
    held.set(false);
    if (parkedCount > 0) {
      wakeOne();
    }
  }

  /** As {@link #hold}, in place of a virtual thread, which may stop it. */
  private void holdFor(
      Condition stop, Condition condition, EngineQueue queue, Handler handler, long deadlineNanos) {
    if (take()) {
      hold(() -> stop.isMet() || condition.isMet(), queue, handler, deadlineNanos);
    }
  }

  /** Returns false if this thread is virtual and would have to block. */
  private boolean hold(
      Condition condition, EngineQueue queue, Handler handler, long deadlineNanos) {
    try {
      serve(queue);
      while (true) {
        handle(queue, handler);
        if (parkedCount > 0) {
          wakeSatisfied();
        }
        if (condition.isMet()
            || Thread.currentThread().isInterrupted()
            || platform.nanoTime() - deadlineNanos >= 0) {
          return true;
        }
        if (!step(condition, queue, deadlineNanos)) {
          return false;
        }
      }
    } finally {
      leave(queue);
    }
  }

  private static void handle(EngineQueue queue, Handler handler) {
    if (queue != null && queue.hasCompleted()) {
      queue.handle(handler);
    }
  }

  /** What is posted from here on may go together, until the holder looks in vain or leaves. */
  private void serve(EngineQueue queue) {
    served = queue;
    if (queue != null) {
      queue.collect();
    }
  }

  private void leave(EngineQueue queue) {
    try {
      if (queue != null) {
        queue.flush();
      }
    } finally {
      release();
    }
  }

  /** Whether requests of a queue have completed that the holder does not handle. */
  private boolean mustHandle(EngineQueue queue) {
    return queue != null && queue.hasCompleted() && served != queue;
  }

  private void standBy(Condition condition, EngineQueue queue, long deadlineNanos) {
    long start = platform.nanoTime();
    long spin = yielding ? 0 : spinNanos;
    while (platform.nanoTime() - start < spin) {
      if (condition.isMet() || !held.get() || mustHandle(queue)) {
        return;
      }
      platform.onSpinWait();
    }
    Waiter waiter = enqueue(condition, queue);
    try {
      if (yielding) {
        wakeup();
      }
      // The recheck after enqueueing pairs with the holder's look at parkedCount after releasing.
      long left = Math.min(deadlineNanos - platform.nanoTime(), PARK_NANOS);
      if (left > 0 && held.get() && !condition.isMet() && !mustHandle(queue)) {
        platform.park(this, left);
      }
    } finally {
      dequeue(waiter);
    }
  }

  private Waiter enqueue(Condition condition, EngineQueue queue) {
    synchronized (parked) {
      Waiter waiter = freeWaiters.isEmpty() ? new Waiter() : freeWaiters.poll();
      waiter.thread = Thread.currentThread();
      waiter.condition = condition;
      waiter.queue = queue;
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
      waiter.condition = null;
      waiter.queue = null;
      freeWaiters.add(waiter);
    }
  }

  /** Wakes the first thread that still has something to wait for; the others leave anyway. */
  private void wakeOne() {
    synchronized (parked) {
      for (Waiter waiter : parked) {
        if (!waiter.condition.isMet()) {
          platform.unpark(waiter.thread);
          return;
        }
      }
    }
  }

  /** Wakes parked threads whose condition is met, or whose requests the holder does not handle. */
  public void wakeSatisfied() {
    if (parkedCount == 0) {
      return;
    }
    synchronized (parked) {
      for (Waiter waiter : parked) {
        if (waiter.condition.isMet() || mustHandle(waiter.queue)) {
          platform.unpark(waiter.thread);
        }
      }
    }
  }

  /**
   * Makes one bounded piece of progress: returns when something may have changed, at the latest at
   * the deadline or after some 50 ms, so that interrupts are seen. It does not block a virtual
   * thread.
   *
   * @param condition what the holder waits for; no need to block once it is met
   * @param queue return when it has completed requests; may be null
   * @return false if the next piece would block this thread, which is virtual
   */
  private boolean step(Condition condition, EngineQueue queue, long deadlineNanos) {
    long quietSince = platform.nanoTime();
    driven = true;
    int glanceMask = source.glances() - 1;
    int eagerLooks = source.looksBeforeYield();
    for (int i = 1; !closed; i++) {
      if (batch != null && batch.isDue(i)) {
        batch.flushInProgress();
      }
      boolean active;
      try {
        active = (i & glanceMask) != 0 ? source.glance() : source.look();
      } catch (InternalError e) {
        if (!source.explains(e)) {
          throw e;
        }
        active = true;
      }
      if (condition.isMet() || (queue != null && queue.hasCompleted())) {
        return true;
      }
      if (active) {
        quietSince = platform.nanoTime();
        if (quietSince - deadlineNanos >= 0) {
          return true; // the messages of others may never leave a quiet moment
        }
        i = 0;
        continue;
      }
      boolean away = i > eagerLooks && placement.offer();
      if (away || (i & CLOCK_MASK) == 0) {
        long now = platform.nanoTime();
        if (now - deadlineNanos >= 0 || Thread.currentThread().isInterrupted()) {
          return true;
        }
        if (now - quietSince >= spinNanos) {
          if (batch != null) {
            batch.flushInProgress(); // no thread looks while this one blocks
          }
          if (VirtualThreads.isVirtualHere()) {
            return false;
          }
          source.block(Math.min(deadlineNanos - now, BLOCK_NANOS));
          return true;
        }
      }
    }
    source.afterClose();
    return true;
  }

  /** Makes a wait that blocks in another thread, or the next one, return soon. */
  void wakeup() {
    source.wakeup();
  }

  /** Ends progress for good; the caller holds the lock. */
  public void close() {
    closed = true;
    source.close();
  }
}
