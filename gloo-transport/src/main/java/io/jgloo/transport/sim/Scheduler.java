package io.jgloo.transport.sim;

import io.jgloo.transport.Clock;
import io.jgloo.transport.InterruptedOperationException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Lets one strand of a world run at a time, by seed: the door through which all calls come.
 *
 * <p>A strand keeps its turn until it waits, or until the dice take it at a call.
 *
 * <p><i>Threads</i>: one lock guards the whole world. Threads not started by the world take the
 * lock for a call and a turn for a wait; as nobody knows what they do in between, deadlines then
 * take real time.
 */
final class Scheduler implements Clock {

  private static final int LEAST_CALL_NANOS = 20;
  private static final int CALL_SPREAD = 64;

  /** Fair, or foreign threads that only look for progress would starve the others. */
  final ReentrantLock lock = new ReentrantLock(true);

  final Timeline timeline;
  private final Turns turns;

  /** The instant this world's clock shows at its beginning. */
  private final long origin;

  private int preemptionOneIn = 32;

  Scheduler(Timeline timeline, long origin) {
    this.timeline = timeline;
    this.origin = origin;
    turns = new Turns(lock, timeline);
  }

  Turns turns() {
    return turns;
  }

  /** Sets how often a call costs the turn: once in this many; 0 for never. */
  void preemption(int oneIn) {
    preemptionOneIn = oneIn;
  }

  @Override
  public long nanoTime() {
    lock.lock();
    try {
      // Time passes for those who only look at the clock, so their loops end.
      timeline.advance(LEAST_CALL_NANOS);
      return origin + timeline.now();
    } finally {
      lock.unlock();
    }
  }

  /** An instant of the clock as virtual time; instants too far away are the end of time. */
  long virtual(long nanoTime) {
    long now = timeline.now();
    long left = nanoTime - (origin + now);
    return left > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + left;
  }

  /**
   * Begins a call on behalf of a rank: takes the lock, lets a little time pass, and perhaps lets
   * others go first.
   *
   * @return the calling thread's strand, or null if it is foreign
   * @throws RankCrash if the rank has crashed
   */
  Strand enter(Node node) {
    Strand self = current();
    if (self != null) {
      self.inside = true;
    }
    lock.lock();
    boolean entered = false;
    try {
      turns.noteCall();
      if (self != null) {
        if (!turns.isTurnOf(self)) {
          turns.comeBack(self);
        }
        passTime(self, node);
      }
      node.checkAlive();
      entered = true;
      return self;
    } finally {
      if (!entered) {
        leave(self);
      }
    }
  }

  /** A foreign thread looks for progress on behalf of a rank, and does not count as active. */
  void look(Node node) {
    lock.lock();
    try {
      node.checkAlive();
      turns.noteLook();
    } finally {
      lock.unlock();
    }
  }

  private void passTime(Strand self, Node node) {
    int dice = timeline.random(Integer.MAX_VALUE);
    timeline.advance(LEAST_CALL_NANOS + dice % CALL_SPREAD);
    while (timeline.nextTime() <= timeline.now()) {
      timeline.happen();
    }
    if (node.slowNanos() > 0) {
      block(self, node, null, null, timeline.now() + node.slowNanos());
    } else if (node.isPaused() || isPreempted(dice >>> 8)) {
      turns.stepBack(self);
    }
  }

  private boolean isPreempted(int dice) {
    return preemptionOneIn > 0 && dice % preemptionOneIn == 0 && !turns.nobodyElseIsReady();
  }

  /** Ends a call; a foreign thread that had a turn gives it up. */
  void leave(Strand self) {
    if (self == null) {
      turns.kick();
    } else if (self.foreign) {
      turns.release(self);
    } else {
      self.inside = false;
    }
    lock.unlock();
  }

  /** The calling thread's strand, or null if the world did not start it. */
  Strand current() {
    return Thread.currentThread() instanceof SimThread thread && thread.scheduler == this
        ? thread.strand
        : null;
  }

  /** Does something to the world as a whole, between calls or in the middle of one. */
  void scheduled(Runnable action) {
    lock.lock();
    try {
      action.run();
      turns.kick();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits as {@link Turns#block} does; the caller must have {@link #enter}ed.
   *
   * @return what to {@link #leave} with
   */
  Strand block(Strand self, Node node, Object on, BooleanSupplier condition, long deadline) {
    return turns.block(self, node, on, condition, deadline);
  }

  /** Throws if the thread has been interrupted; its flag stays set. */
  static void checkInterrupt() {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedOperationException("the waiting thread was interrupted");
    }
  }

  /** Wakes all strands that wait for this. */
  void signal(Object what) {
    turns.signal(what);
  }
}
