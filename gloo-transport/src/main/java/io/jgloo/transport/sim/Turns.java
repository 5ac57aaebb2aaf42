package io.jgloo.transport.sim;

import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Whose turn it is in a world, and what happens when it is nobody's.
 *
 * <p>Who gives up its turn chooses the next: a strand that is ready, else whatever happens next in
 * virtual time. So a strand that only waits for a message goes on without a thread being switched.
 *
 * <p>Guarded by the world's lock.
 */
final class Turns {

  private static final long FOREIGN_PARK_NANOS = 500_000L;

  private final ReentrantLock lock;
  private final Timeline timeline;
  private final Strands strands;
  private Strand running;
  private boolean kicking;
  private boolean idle;
  private boolean foreignSeen;
  private int outsiders;
  private int ids;
  private long count;
  private long activeAt = System.nanoTime();

  /**
   * @param lock the world's; let go while a thread is parked
   */
  Turns(ReentrantLock lock, Timeline timeline) {
    this.lock = lock;
    this.timeline = timeline;
    strands = new Strands(timeline);
  }

  /** Somebody calls, so threads that nobody knows are not waiting yet. */
  void noteCall() {
    if (!isRepeatable()) {
      activeAt = System.nanoTime();
    }
  }

  /**
   * A foreign thread only looks whether something has happened: it waits, in its own way, and real
   * time that goes by like this is as good as any.
   */
  void noteLook() {
    foreignSeen = true;
    idle = true;
    try {
      kick();
    } finally {
      idle = false;
    }
  }

  boolean isTurnOf(Strand strand) {
    return running == strand;
  }

  boolean nobodyElseIsReady() {
    return strands.noneReady();
  }

  /** Wakes all strands that wait for this. */
  void signal(Object what) {
    strands.wakeFor(what);
  }

  /** Wakes all strands of a node, whatever they wait for. */
  void signalAll(Node node) {
    strands.wakeAll(node);
  }

  /**
   * Gives up the turn until somebody signals, the condition holds, the deadline has passed, or the
   * thread is interrupted. The lock is held.
   *
   * @param self the calling strand, or null for a foreign thread
   * @param on what to be {@link #signal}led by; may be null
   * @param condition looked at whenever turns change; may be null
   * @return the strand that now has the turn and must {@link Scheduler#leave}
   */
  Strand block(Strand self, Node node, Object on, BooleanSupplier condition, long deadline) {
    Strand strand = self;
    if (strand == null) {
      strand = new Strand(ids++, Thread.currentThread(), node, true);
      foreignSeen = true;
    }
    strand.waitsFor = on;
    strand.condition = condition;
    strand.deadline = deadline;
    strands.addWaiting(strand);
    giveUpTurn(strand);
    if (node.hasCrashed() && strand.foreign) {
      // Its caller will leave without knowing of the turn.
      release(strand);
    }
    node.checkAlive();
    return strand;
  }

  /** Lets the dice decide whether others go first. */
  void stepBack(Strand self) {
    strands.addReady(self);
    giveUpTurn(self);
  }

  /** Queues up again after the turn was taken away. */
  void comeBack(Strand self) {
    self.outside = false;
    outsiders--;
    strands.addReady(self);
    giveUpTurn(self);
  }

  private void giveUpTurn(Strand self) {
    release(self);
    awaitTurn(self);
  }

  private void awaitTurn(Strand self) {
    while (running != self) {
      lock.unlock();
      if (self.foreign) {
        LockSupport.parkNanos(this, FOREIGN_PARK_NANOS);
      } else {
        LockSupport.park(this);
      }
      lock.lock();
      // A set flag would turn the next park into a spin.
      if (Thread.interrupted()) {
        self.interrupted = true;
        kick();
      } else if (self.foreign) {
        kick();
      }
    }
    self.resumed = true;
    if (self.interrupted) {
      self.interrupted = false;
      self.thread.interrupt();
    }
  }

  /** Gives up the turn for good, if it is this strand's. */
  void release(Strand strand) {
    if (running == strand) {
      running = null;
    }
    kick();
  }

  /** Gives the turn to somebody if nobody has it. The lock is held. */
  void kick() {
    if (kicking) {
      // An event acts on the world; whoever let it happen goes on when it is over.
      return;
    }
    kicking = true;
    try {
      while (running == null && (giveTurn() || letTimePass())) {
        // Until somebody has the turn, or nothing is left to happen.
      }
    } finally {
      kicking = false;
    }
  }

  private boolean giveTurn() {
    strands.wakeByThemselves();
    Strand next = strands.draw();
    if (next == null) {
      return false;
    }
    running = next;
    next.resumed = next.thread == Thread.currentThread();
    count++;
    timeline.note("turn", next.id);
    if (!next.resumed) {
      LockSupport.unpark(next.thread);
    }
    return true;
  }

  /** Lets the next event happen or the next deadline pass; false if there is neither. */
  private boolean letTimePass() {
    boolean nobodyWaits = strands.isEmpty() && !idle;
    if (nobodyWaits && (timeline.isEmpty() || timeline.nextIsTimer())) {
      // Before, between and after runs time stands still, so scripts wait for their ranks.
      return false;
    }
    long deadline = strands.firstDeadline();
    if (!timeline.isEmpty() && timeline.nextTime() <= deadline) {
      if (timeline.nextIsTimer() && !spend(timeline.nextTime())) {
        return false;
      }
      timeline.happen();
      return true;
    }
    if (deadline == Long.MAX_VALUE || !spend(deadline)) {
      return false;
    }
    timeline.jumpTo(deadline);
    strands.wakeExpired();
    return true;
  }

  /**
   * Whether virtual time may move to an instant at which nothing arrives: at once if all threads
   * are known to wait; else only when as much real time has gone by without a call, which is then
   * spent.
   */
  private boolean spend(long time) {
    if (isRepeatable()) {
      return true;
    }
    long nanos = Math.max(0, time - timeline.now());
    if (nanos > System.nanoTime() - activeAt) {
      return false;
    }
    activeAt += nanos;
    return true;
  }

  /** Whether what happens follows from the seed alone. */
  private boolean isRepeatable() {
    return !foreignSeen && outsiders == 0;
  }

  // Beginning and end of strands; called by the crew.

  /** A strand for a thread about to be started; it is ready. The lock is held. */
  Strand newStrand(Thread thread, Node node) {
    Strand strand = new Strand(ids++, thread, node, false);
    strands.addReady(strand);
    return strand;
  }

  /** First thing a new thread does. */
  void begin(Strand self) {
    lock.lock();
    try {
      awaitTurn(self);
    } finally {
      lock.unlock();
    }
  }

  /** Last thing a thread does. */
  void end(Strand self) {
    lock.lock();
    try {
      if (self.outside) {
        outsiders--;
      }
      release(self);
    } finally {
      lock.unlock();
    }
  }

  /** How often the turn has changed, for the one who watches over stuck strands. */
  long count() {
    return count;
  }

  /** Who has the turn but blocks on something that is not ours, or null. */
  Strand stuck() {
    Strand strand = running;
    if (strand == null || strand.foreign || !strand.resumed || strand.inside) {
      return null;
    }
    Thread.State state = strand.thread.getState();
    return state == Thread.State.RUNNABLE || state == Thread.State.NEW ? null : strand;
  }

  /** Takes the turn from a strand that blocks elsewhere; it queues up when it calls again. */
  void revoke(Strand strand) {
    if (running == strand) {
      strand.outside = true;
      outsiders++;
      release(strand);
    }
  }
}
