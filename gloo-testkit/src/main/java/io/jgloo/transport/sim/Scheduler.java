package io.jgloo.transport.sim;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets one strand of a world run at a time, by seed, and virtual time pass when all wait.
 *
 * <p>A strand keeps its turn until it blocks, or until a random number takes it at a {@link
 * #point}. The strand that gives up its turn chooses the next: one that is ready, else whatever
 * happens next in virtual time. So a strand that only waits for bytes continues without a thread
 * being switched.
 *
 * <p>A thread that the world has not started, or a strand that blocks on something else, cannot be
 * part of this. As soon as one is found to block, the world is <i>free</i> for good: all threads
 * run at the same time, and virtual time passes as real time does.
 *
 * <p>In one file because whose turn it is and what time it is are one decision.
 *
 * <p><i>Threads</i>: one lock guards the whole world.
 */
final class Scheduler {

  private static final int LEAST_CALL_NANOS = 20;
  private static final int CALL_SPREAD = 64;
  private static final long SPIN_NANOS = 1_000;
  private static final long LOOK_NANOS = 10_000_000;

  /** A strand that blocks elsewhere at this many looks in a row sets the world free. */
  private static final int STUCK_LOOKS = 30;

  final ReentrantLock lock = new ReentrantLock();
  final Timeline timeline;
  private final long origin;
  private final Condition changed = lock.newCondition();
  private final Strands strands;
  private @Nullable Strand running;
  private boolean going;
  private boolean choosing;
  private int programs;
  private int ids;
  private long activity;
  private int preemptionOneIn = 32;
  private long end = Long.MAX_VALUE;
  private Runnable onEnd = () -> {};
  private volatile boolean free;
  private long freeSince;
  private long freeFrom;

  /**
   * @param origin the instant the world's clocks show at its beginning
   */
  Scheduler(Timeline timeline, long origin) {
    this.timeline = timeline;
    this.origin = origin;
    strands = new Strands(timeline);
    timeline.onEarlier(this::lookAgain);
  }

  /** Sets how often a point costs the turn: once in this many; 0 for never. */
  void preemption(int oneIn) {
    preemptionOneIn = oneIn;
  }

  /** Sets what happens when this much time has passed. */
  void end(long instant, Runnable action) {
    end = instant;
    onEnd = action;
  }

  /** The calling thread's strand, or null if the world did not start it. */
  @Nullable Strand current() {
    return Thread.currentThread() instanceof SimThread thread && thread.scheduler == this
        ? thread.strand
        : null;
  }

  long nanoTime() {
    lock.lock();
    try {
      activity++;
      if (!free) {
        timeline.advance(LEAST_CALL_NANOS); // a loop that only looks at the clock must end
      }
      return origin + now();
    } finally {
      lock.unlock();
    }
  }

  /** Virtual time; the lock is held. */
  long now() {
    if (free) {
      timeline.jumpTo(freeFrom + System.nanoTime() - freeSince);
    }
    return timeline.now();
  }

  /** The instant after this much time; the end of time if that is too far. */
  long after(long nanos) {
    long now = now();
    return nanos > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + Math.max(0, nanos);
  }

  /** Does something to the world under its lock. */
  void scheduled(Runnable action) {
    lock.lock();
    try {
      action.run();
      choose();
    } finally {
      lock.unlock();
    }
  }

  // What strands call.

  /**
   * A moment at which another strand may go first, unless the calling one holds a lock.
   *
   * @throws RankCrash if the rank has crashed
   */
  void point() {
    point(LEAST_CALL_NANOS);
  }

  /**
   * @param nanos how much time passes at least
   */
  void point(int nanos) {
    Strand self = current();
    if (self == null || self.locks > 0) {
      return;
    }
    self.inside = true;
    lock.lock();
    try {
      activity++;
      int dice = timeline.random(Integer.MAX_VALUE);
      if (!free) {
        timeline.advance(nanos + dice % CALL_SPREAD);
      }
      now();
      timeline.catchUp();
      long now = timeline.now();
      strands.wake(strand -> strand.deadline <= now);
      checkAlive(self);
      while (self.node.isPaused()) {
        block(null, null, Long.MAX_VALUE);
      }
      if (self.node.slowNanos() > 0) {
        block(null, null, after(self.node.slowNanos()));
      } else if (!free && !strands.noneReady() && isPreempted(dice >>> 8)) {
        strands.addReady(self);
        giveUpTurn(self);
      }
    } finally {
      lock.unlock();
      self.inside = false;
    }
  }

  /** True once in this many times. */
  boolean draw(int oneIn) {
    lock.lock();
    try {
      return timeline.random(oneIn) == 0;
    } finally {
      lock.unlock();
    }
  }

  private boolean isPreempted(int dice) {
    return preemptionOneIn > 0 && dice % preemptionOneIn == 0;
  }

  /** A strand ends with its rank, once; what it calls after that is cleaning up. */
  private static void checkAlive(Strand self) {
    if (self.program && !self.unwinding && self.node.hasCrashed()) {
      self.unwinding = true;
      throw new RankCrash(self.node.rank());
    }
  }

  /**
   * Gives up the turn until a signal, an interrupt, the condition or the deadline; perhaps earlier.
   * The lock is held, and no other.
   *
   * @param on what to be {@link #signal}led by; may be null
   * @param condition looked at whenever turns change; may be null
   * @throws RankCrash if the rank has crashed
   */
  void block(@Nullable Object on, @Nullable BooleanSupplier condition, long deadline) {
    Strand self = current();
    if (self == null && !free) {
      setFree();
    }
    if (free || self == null) {
      waitFreely(deadline);
    } else {
      self.inside = true;
      self.waitsFor = on;
      self.condition = condition;
      self.deadline = deadline;
      strands.addWaiting(self);
      giveUpTurn(self);
      self.inside = false;
    }
    if (self != null) {
      checkAlive(self);
    }
  }

  @SuppressWarnings("WaitNotInLoop") // callers look again, whatever ended the wait
  private void waitFreely(long deadline) {
    long left = Math.min(deadline, timeline.nextTime()) - now();
    if (left > 0) {
      try {
        changed.awaitNanos(Math.min(left, LOOK_NANOS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    now();
    timeline.catchUp();
  }

  private void lookAgain() {
    if (free) {
      changed.signal(); // one thread is enough to see to the next event
    }
  }

  /** Lets others run, and a little time pass, in a loop that waits for them. */
  void spin() {
    lock.lock();
    try {
      block(null, null, after(SPIN_NANOS));
    } finally {
      lock.unlock();
    }
  }

  private void giveUpTurn(Strand self) {
    running = null;
    choose();
    awaitTurn(self);
  }

  private void awaitTurn(Strand self) {
    while (running != self && !free) {
      self.turn.awaitUninterruptibly();
    }
  }

  /** Lets all strands continue that wait for this. */
  void signal(Object what) {
    lock.lock();
    try {
      if (free) {
        changed.signalAll();
      }
      strands.wake(strand -> strand.waitsFor == what);
      choose();
    } finally {
      lock.unlock();
    }
  }

  /** Lets all strands of a node continue, whatever they wait for. */
  void signalAll(Node node) {
    changed.signalAll();
    strands.wake(strand -> strand.node == node);
  }

  void interrupted(Strand strand) {
    lock.lock();
    try {
      strands.wake(each -> each == strand);
      choose();
    } finally {
      lock.unlock();
    }
  }

  // Whose turn it is.

  /** Gives the turn to a strand if none has it. The lock is held. */
  private void choose() {
    if (choosing || free) {
      return; // an event acts on the world: whatever let it happen continues after it
    }
    choosing = true;
    try {
      while (going && running == null && (giveTurn() || letTimePass())) {
        // Until one has the turn, or nothing is left to happen.
      }
    } finally {
      choosing = false;
    }
  }

  private boolean giveTurn() {
    strands.wake(strand -> strand.condition != null && strand.condition.getAsBoolean());
    Strand next = strands.draw();
    if (next == null) {
      return false;
    }
    running = next;
    activity++;
    timeline.note("turn", next.id);
    next.turn.signal();
    return true;
  }

  /** Lets the next event happen or the next deadline pass; false if there is neither. */
  private boolean letTimePass() {
    if (timeline.now() > end) {
      end = Long.MAX_VALUE;
      onEnd.run();
      return true;
    }
    Strand late = strands.nextLate();
    long deadline = late == null ? Long.MAX_VALUE : late.deadline;
    if (timeline.nextTime() <= deadline && timeline.nextTime() < Long.MAX_VALUE) {
      timeline.happen();
    } else if (late != null) {
      timeline.jumpTo(deadline);
      strands.wake(strand -> strand == late);
    } else {
      return false;
    }
    return true;
  }

  /** From now on, all threads run at the same time and virtual time is real. The lock is held. */
  private void setFree() {
    freeFrom = timeline.now();
    freeSince = System.nanoTime();
    free = true;
    strands.drain(strand -> strand.turn.signal());
    running = null;
  }

  // Beginning and end of strands and runs.

  Strand newStrand(SimThread thread, Node node, boolean program) {
    lock.lock();
    try {
      return new Strand(ids++, thread, node, program, lock.newCondition());
    } finally {
      lock.unlock();
    }
  }

  void started(Strand strand) {
    lock.lock();
    try {
      programs += strand.program ? 1 : 0;
      if (!free) {
        strands.addReady(strand);
      }
    } finally {
      lock.unlock();
    }
  }

  void begin(Strand self) {
    lock.lock();
    try {
      awaitTurn(self);
    } finally {
      lock.unlock();
    }
  }

  void end(Strand self) {
    lock.lock();
    try {
      self.ended = true;
      signal(self);
      programs -= self.program ? 1 : 0;
      if (programs == 0) {
        going = false; // between runs time stands still
        changed.signalAll();
      }
      if (running == self) {
        running = null;
        choose();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Lets strands run until all of programs have ended. */
  void run() throws InterruptedException {
    lock.lock();
    try {
      going = true;
      choose();
      int looks = 0;
      long seen = -1;
      while (programs > 0) {
        changed.awaitNanos(LOOK_NANOS);
        looks = isStuck() && activity == seen ? looks + 1 : 0;
        seen = activity;
        if (looks >= STUCK_LOOKS && !free) {
          setFree();
        }
        choose();
      }
    } finally {
      going = false;
      lock.unlock();
    }
  }

  /** Whether the strand that has the turn blocks on something that is not ours. */
  private boolean isStuck() {
    if (running == null || running.inside) {
      return false;
    }
    Thread.State state = running.thread.getState();
    return state != Thread.State.RUNNABLE && state != Thread.State.NEW;
  }

  /** What each strand that has not ended waits for, for people. The lock is held. */
  String describe() {
    StringBuilder text = new StringBuilder();
    for (Strand strand : strands.waiting()) {
      text.append(strand).append('\n');
      for (StackTraceElement frame : strand.thread.getStackTrace()) {
        text.append("    at ").append(frame).append('\n');
      }
    }
    return text.toString();
  }

  /** Waits for a thread of this world, in real time if the calling one is none. */
  void join(SimThread thread, long nanos) throws InterruptedException {
    lock.lock();
    try {
      long until = after(nanos);
      while (!thread.strand.ended && now() < until) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        block(thread.strand, null, until);
      }
    } finally {
      lock.unlock();
    }
    if (current() == null) {
      TimeUnit.NANOSECONDS.timedJoin(thread, nanos);
    }
  }
}
