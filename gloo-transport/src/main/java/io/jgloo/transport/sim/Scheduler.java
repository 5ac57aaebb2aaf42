package io.jgloo.transport.sim;

import io.jgloo.transport.Clock;
import io.jgloo.transport.InterruptedOperationException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Decides by seed whose turn it is: one strand of a world runs at a time.
 *
 * <p>A strand keeps its turn until it waits, or until the dice take it at a call. Who gives up its
 * turn chooses the next: a strand that is ready, else whatever happens next in virtual time. So a
 * strand that only waits for a message goes on without a thread being switched.
 *
 * <p><i>Threads</i>: one lock guards the whole world. Threads not started by the world take the
 * lock for a call and a turn for a wait; as nobody knows what they do in between, deadlines then
 * take real time (see {@link #mayPass}).
 */
final class Scheduler implements Clock {

  private static final long FOREIGN_PARK_NANOS = 500_000L;
  private static final int LEAST_CALL_NANOS = 20;
  private static final int CALL_SPREAD = 64;

  final ReentrantLock lock = new ReentrantLock();
  final Timeline timeline;

  /** The instant this world's clock shows at its beginning. */
  private final long origin;

  private final List<Strand> ready = new ArrayList<>();
  private final List<Strand> waiting = new ArrayList<>();
  private int conditions;
  private int outsiders;
  private boolean foreignSeen;
  private Strand running;
  private boolean kicking;
  private int strands;
  private long turns;
  private int preemptionOneIn = 32;
  private long activeAt = System.nanoTime();

  Scheduler(Timeline timeline, long origin) {
    this.timeline = timeline;
    this.origin = origin;
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

  // Calls.

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
      if (foreignSeen || outsiders > 0) {
        activeAt = System.nanoTime();
      }
      if (self != null) {
        if (running != self) {
          comeBack(self);
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

  private void passTime(Strand self, Node node) {
    int dice = timeline.random(Integer.MAX_VALUE);
    timeline.advance(LEAST_CALL_NANOS + dice % CALL_SPREAD);
    while (timeline.nextTime() <= timeline.now()) {
      timeline.happen();
    }
    if (node.slowNanos() > 0) {
      block(self, node, null, null, timeline.now() + node.slowNanos());
    } else if (node.isPaused()
        || (preemptionOneIn > 0 && (dice >>> 8) % preemptionOneIn == 0 && !ready.isEmpty())) {
      stepBack(self);
    }
  }

  /** Ends a call; a foreign thread that had a turn gives it up. */
  void leave(Strand self) {
    if (self == null || self.foreign) {
      if (self != null && running == self) {
        running = null;
      }
      kick();
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
      kick();
    } finally {
      lock.unlock();
    }
  }

  // Waiting.

  /**
   * Gives up the turn until somebody signals, the condition holds, the deadline has passed, or the
   * thread is interrupted. The lock is held.
   *
   * @param self the calling strand, or null for a foreign thread
   * @param on what to be {@link #signal}led by; may be null
   * @param condition looked at whenever turns change; may be null
   * @return the strand that now has the turn and must {@link #leave}
   */
  Strand block(Strand self, Node node, Object on, BooleanSupplier condition, long deadline) {
    Strand strand = self;
    if (strand == null) {
      strand = new Strand(strands++, Thread.currentThread(), node, true);
      foreignSeen = true;
    }
    strand.waitsFor = on;
    strand.condition = condition;
    strand.deadline = deadline;
    strand.isWaiting = true;
    waiting.add(strand);
    if (condition != null) {
      conditions++;
    }
    if (running == strand) {
      running = null;
    }
    kick();
    awaitTurn(strand);
    if (node.hasCrashed() && strand.foreign) {
      // Its caller will leave without knowing of the turn.
      running = null;
      kick();
    }
    node.checkAlive();
    return strand;
  }

  /** Throws if the thread has been interrupted; its flag stays set. */
  static void checkInterrupt() {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedOperationException("the waiting thread was interrupted");
    }
  }

  /** Wakes all strands that wait for this. */
  void signal(Object what) {
    for (int i = waiting.size() - 1; i >= 0; i--) {
      if (waiting.get(i).waitsFor == what) {
        wake(waiting.get(i), Strand.Wake.SIGNAL);
      }
    }
  }

  /** Wakes all strands of a node, whatever they wait for. */
  void signalAll(Node node) {
    for (int i = waiting.size() - 1; i >= 0; i--) {
      if (waiting.get(i).node == node) {
        wake(waiting.get(i), Strand.Wake.SIGNAL);
      }
    }
  }

  private void wake(Strand strand, Strand.Wake why) {
    waiting.remove(strand);
    if (strand.condition != null) {
      conditions--;
    }
    strand.isWaiting = false;
    strand.waitsFor = null;
    strand.condition = null;
    strand.wake = why;
    ready.add(strand);
  }

  /** Lets others go first if the dice say so. */
  private void stepBack(Strand self) {
    ready.add(self);
    running = null;
    kick();
    awaitTurn(self);
  }

  private void comeBack(Strand self) {
    self.outside = false;
    outsiders--;
    ready.add(self);
    kick();
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

  // Turns.

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
    wakeByThemselves();
    Strand next = choose();
    if (next == null) {
      return false;
    }
    ready.remove(next);
    running = next;
    next.resumed = next.thread == Thread.currentThread();
    turns++;
    timeline.note("turn", next.id);
    if (!next.resumed) {
      LockSupport.unpark(next.thread);
    }
    return true;
  }

  private void wakeByThemselves() {
    for (int i = waiting.size() - 1; i >= 0; i--) {
      Strand strand = waiting.get(i);
      if (strand.wasInterrupted()) {
        wake(strand, Strand.Wake.INTERRUPT);
      } else if (conditions > 0 && strand.condition != null && strand.condition.getAsBoolean()) {
        wake(strand, Strand.Wake.SIGNAL);
      }
    }
  }

  private Strand choose() {
    int eligible = 0;
    for (Strand strand : ready) {
      eligible += strand.node.isPaused() ? 0 : 1;
    }
    if (eligible == 0) {
      return null;
    }
    int pick = eligible == 1 ? 0 : timeline.random(eligible);
    for (Strand strand : ready) {
      if (!strand.node.isPaused() && pick-- == 0) {
        return strand;
      }
    }
    throw new IllegalStateException("nobody is eligible");
  }

  /** Lets the next event happen or the next deadline pass; false if there is neither. */
  private boolean letTimePass() {
    Strand first = null;
    for (Strand strand : waiting) {
      if (!strand.node.isPaused() && (first == null || strand.deadline < first.deadline)) {
        first = strand;
      }
    }
    long event = timeline.nextTime();
    boolean byEvent = !timeline.isEmpty() && (first == null || event <= first.deadline);
    if (byEvent) {
      if (timeline.nextIsTimer() && (isDeserted() || !mayPass(event))) {
        return false;
      }
      timeline.happen();
      return true;
    }
    if (first == null || !mayPass(first.deadline)) {
      return false;
    }
    timeline.jumpTo(first.deadline);
    wake(first, Strand.Wake.DEADLINE);
    return true;
  }

  /** Before, between and after runs time stands still, so scripts wait for their ranks. */
  private boolean isDeserted() {
    return waiting.isEmpty() && ready.isEmpty();
  }

  /**
   * Whether virtual time may move to an instant at which nothing arrives: at once if all threads
   * are known to wait, else only when as much real time has gone by without a call.
   */
  private boolean mayPass(long time) {
    return (!foreignSeen && outsiders == 0)
        || time - timeline.now() <= System.nanoTime() - activeAt;
  }

  // Beginning and end of strands; called by the world.

  /** A strand for a thread about to be started; it is ready. */
  Strand newStrand(Thread thread, Node node) {
    Strand strand = new Strand(strands++, thread, node, false);
    ready.add(strand);
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
      if (running == self) {
        running = null;
      }
      if (self.outside) {
        outsiders--;
      }
      kick();
    } finally {
      lock.unlock();
    }
  }

  /** How often the turn has changed, for the one who watches over stuck strands. */
  long turns() {
    return turns;
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
      running = null;
      kick();
    }
  }
}
