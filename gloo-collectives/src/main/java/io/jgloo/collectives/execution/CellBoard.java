package io.jgloo.collectives.execution;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.Algorithms;
import io.jgloo.collectives.algorithm.pattern.OneRound;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.capability.Cells;
import io.jgloo.transport.memory.Memory;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * Runs the calls of a group that use cells, one after the other in the order of calls.
 *
 * <p>A blocking call takes the progress lock, does its part, and looks for the cells of the others
 * for a while ({@link #run}). If they do not come, or if the lock is taken, it becomes a run as any
 * other, which the thread that makes progress advances.
 *
 * <p><em>Threads</em>: {@link #advance}, and what plans call, by the thread that makes progress;
 * the rest by any. In one file because blocking calls and runs share the order of calls and one way
 * to end. <em>Owns</em>: staging memory, of which one call at a time has need.
 */
final class CellBoard implements Cells.User {

  /** Most bytes that a rank writes in a call; beyond, other algorithms are faster. */
  private static final long MOST_WRITTEN_BYTES = 32 << 10;

  /** Looks, of which each takes some 3 ns, before a call becomes a run. */
  private static final int LOOKS = 4000;

  /** The same if a peer may not run before this thread yields, which it does after each. */
  private static final int CROWDED_LOOKS = 50;

  /** Looks in vain between two looks at what else may be wrong with a peer. */
  private static final int CHECK_MASK = 63;

  private static final int KEPT_PLANS = 8;

  /** Calls kept until they are noted where peers that wait for cells find them. */
  private static final int LOGGED = 16;

  private final Cells cells;
  private final Mesh mesh;
  private final Driver driver;
  private final CompletionQueue queue;
  private final Executor executor;
  private final Cells.Channel[] channels;
  private final long[] logSequences = new long[LOGGED]; // guarded by itself, as what follows
  private final long[] logHighs = new long[LOGGED];
  private final long[] logLows = new long[LOGGED];
  private volatile int logCount;
  private final boolean crowded;
  private final int looks;
  private final CellPlan[] kept = new CellPlan[KEPT_PLANS];
  private int nextKept;
  private final ArrayDeque<CellPlan> waiting = new ArrayDeque<>(); // guarded by itself
  private volatile int waitingCount;
  private volatile int agreed;
  private volatile long unannounced; // ranks, by bit
  private volatile long awaited; // ranks, by bit
  private volatile long awaitedSlot;
  private long staging;
  private long stagingBytes;
  private int checks;

  CellBoard(Cells cells, Mesh mesh, Driver driver, CompletionQueue queue, Executor executor) {
    this.cells = cells;
    this.mesh = mesh;
    this.driver = driver;
    this.queue = queue;
    this.executor = executor;
    channels = new Cells.Channel[mesh.membership().size()];
    for (int peer = 0; peer < channels.length; peer++) {
      channels[peer] = peer == mesh.membership().rank() ? null : cells.channel(peer);
    }
    crowded = mesh.membership().size() > Runtime.getRuntime().availableProcessors();
    looks = crowded ? CROWDED_LOOKS : LOOKS;
    cells.user(this);
  }

  // Which calls use cells; the same at all ranks.

  /**
   * Finds out, once, whether all ranks use cells; waits until they are connected. Only what the
   * ranks have announced decides: a rank that gave up waiting would choose other algorithms.
   *
   * @param interruptible whether an interrupt ends the wait; otherwise the flag is set again
   * @throws InterruptedOperationException if one does
   * @throws OperationTimeoutException if a rank has not announced it in time
   */
  void decide(long timeoutNanos, boolean interruptible) {
    if (agreed != 0) {
      return;
    }
    begin();
    CompletionQueue.Condition known = () -> agreed != 0 || cells.ending() != null;
    long deadlineNanos = driver.nanoTime() + timeoutNanos;
    boolean met =
        interruptible
            ? queue.await(known, Driver::completed, deadlineNanos)
            : driver.awaitUninterrupted(known, deadlineNanos);
    if (!met) {
      throw unannounced(timeoutNanos);
    }
  }

  private OperationTimeoutException unannounced(long timeoutNanos) {
    List<Integer> peers = ranks(unannounced);
    String text =
        "not begun within %.3f s: rank(s) %s have not connected to all ranks"
            .formatted(timeoutNanos / 1e9, Membership.list(peers));
    return new OperationTimeoutException(text, peers);
  }

  /** The ranks of a set by bit. */
  static List<Integer> ranks(long bits) {
    return IntStream.range(0, Long.SIZE).filter(peer -> (bits >>> peer & 1) != 0).boxed().toList();
  }

  boolean isUsed() {
    return agreed > 0;
  }

  /**
   * The algorithm for a call that asks for none, where another one would be chosen.
   *
   * @param calibrated whether the costs by which that one is chosen are those of this machine
   */
  static Algorithm choose(Algorithm chosen, Shape shape, ReduceOp op, boolean calibrated) {
    boolean own = Algorithms.of(shape.collective()).contains(chosen);
    if (own && fits(shape, op)) {
      return Algorithms.of(shape.collective()).stream()
          .filter(algorithm -> algorithm instanceof OneRound)
          .findFirst()
          .orElse(chosen);
    }
    boolean ofTwo = shape.collective() == Collective.ALLREDUCE && shape.size() == 2;
    boolean anyOrder = op == null || op.commutative();
    return own && ofTwo && anyOrder && !calibrated
        ? Algorithms.named(Collective.ALLREDUCE, "ring") // no copy to scratch memory, as in others
        : chosen;
  }

  /** Whether a call can use cells; reductions by functions would hold up the other calls. */
  static boolean fits(Shape shape, ReduceOp op) {
    long message =
        switch (shape.collective()) {
          case ALLREDUCE, BROADCAST, BARRIER, REDUCE -> shape.bytes();
          case ALLGATHER, ALLTOALL, REDUCE_SCATTER -> shape.bytes() / shape.size();
          default -> Long.MAX_VALUE;
        };
    boolean toOne = shape.collective() == Collective.REDUCE;
    return message <= Cells.MAX_BYTES
        && shape.size() > 1
        && (toOne ? 1 : shape.size() - 1) * message <= MOST_WRITTEN_BYTES
        && (op == null || op.function() == null);
  }

  // Blocking calls.

  /**
   * Makes a call if nothing is in its way.
   *
   * @return false if it is to be made as a run
   */
  boolean run(Call call) {
    if (agreed <= 0 || !cells.take()) {
      return false;
    }
    CellPlan late = null;
    try {
      CellPlan plan = find(call);
      if (plan == null) {
        return false;
      }
      plan.bind(call);
      boolean admitted = false;
      try {
        admitted = driver.admitAlone(plan);
      } finally {
        if (!admitted) {
          plan.end();
        }
      }
      if (!admitted) {
        return false;
      }
      if (tryToEnd(plan)) {
        return true;
      }
      try {
        driver.adopt(plan, call.timeoutNanos());
      } catch (RuntimeException | Error e) { // the other ranks may have the cells of this call
        driver.failGroup(e);
        plan.end();
        throw e;
      }
      late = plan;
    } finally {
      cells.release();
    }
    driver.finish(late);
    return true;
  }

  private boolean tryToEnd(CellPlan plan) {
    try {
      for (int i = looks; i > 0; i--) {
        if (plan.proceed()) {
          driver.noteEndAtOnce(plan);
          plan.end();
          return true;
        }
        pause();
      }
    } catch (Throwable e) {
      plan.broken = e; // reported when it is a run
    }
    return false;
  }

  @SuppressWarnings("ThreadPriorityCheck") // only time depends on it
  private void pause() {
    if (crowded) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }

  private CellPlan find(Call call) {
    for (CellPlan plan : kept) {
      if (plan != null && !plan.isBusy() && plan.family.serves(call)) {
        return plan;
      }
    }
    PlanFamily family = executor.family(call);
    if (!family.usesCells()) {
      return null;
    }
    CellPlan plan = new CellPlan(family, executor, driver, this, true);
    kept[nextKept++ % KEPT_PLANS] = plan;
    return plan;
  }

  // Runs.

  /** Takes a run into the order of calls; under the lock of that order. */
  void add(CellPlan plan) {
    synchronized (waiting) {
      waiting.addLast(plan);
      waitingCount = waiting.size();
    }
  }

  /** Takes a run that was admitted when there was no other. */
  void addFirst(CellPlan plan) {
    synchronized (waiting) {
      waiting.addFirst(plan);
      waitingCount = waiting.size();
    }
  }

  boolean hasRuns() {
    return waitingCount > 0;
  }

  /** Advances runs up to this one, if no thread does that already. */
  void begin() {
    if (cells.take()) {
      try {
        advance();
      } finally {
        cells.release();
      }
    } else {
      queue.wakeup();
    }
  }

  @Override
  public boolean advance() {
    boolean moved = false;
    if (agreed == 0) {
      unannounced = cells.unannounced();
      agreed = cells.agreement();
      moved = agreed != 0;
    }
    writeLog();
    for (CellPlan plan = head(); plan != null && attempt(plan); plan = head()) {
      moved = true;
    }
    return moved;
  }

  /** No call runs, not even one that was admitted alone: the caller makes progress. */
  @Override
  public void end() {
    freeStaging();
  }

  private CellPlan head() {
    if (waitingCount == 0) {
      return null;
    }
    synchronized (waiting) {
      CellPlan plan = waiting.peekFirst();
      return plan == null || !plan.isReady() ? null : plan;
    }
  }

  /** Ends the first run if it has come to its end, well or not. */
  private boolean attempt(CellPlan plan) {
    Throwable broken = plan.broken;
    try {
      if (broken == null && cells.isOpen() && plan.proceed()) {
        end(plan, null);
        return true;
      }
      if (broken == null && cells.isOpen() && (++checks & CHECK_MASK) == 0) {
        checkPeers(plan);
      }
    } catch (Throwable e) {
      broken = e;
    }
    if (broken instanceof JGlooException cause) {
      mesh.abort(cause);
      driver.requestFailed(plan, cause);
    } else if (broken != null) {
      driver.failRun(plan, broken);
    }
    JGlooException ending = cells.ending();
    if (ending == null) {
      return false;
    }
    driver.requestFailed(plan, ending);
    end(plan, driver.cause());
    return true;
  }

  private void end(CellPlan plan, JGlooException cause) {
    synchronized (waiting) {
      waiting.removeFirst();
      waitingCount = waiting.size();
    }
    awaited = 0;
    plan.lock.lock();
    try {
      plan.end(cause);
    } finally {
      plan.lock.unlock();
    }
  }

  /** Whether a peer makes another call or has left; notes which ones are awaited. */
  private void checkPeers(CellPlan plan) {
    long missing = plan.peersWithoutCell();
    plan.missing = missing;
    awaitedSlot = plan.slot();
    awaited = missing;
    for (int peer = 0; peer < channels.length; peer++) {
      if ((missing >>> peer & 1) != 0) {
        Cells.Channel channel = channels[peer];
        if (channel.hasLoggedOther(plan.sequence(), plan.family.high(), plan.low())) {
          throw mismatch(plan, peer, channel.loggedHigh(), channel.loggedLow(), 0);
        }
        cells.checkPresent(peer, plan.slot(), plan.family.high(), plan.low());
      }
    }
  }

  /** Compares the next cell of a peer with the call. */
  void check(CellPlan plan, int peer, long expected) {
    Cells.Channel channel = channels[peer];
    long high = channel.high();
    long low = channel.low();
    int length = channel.length();
    if (high != plan.family.high() || low != plan.low() || length != expected) {
      throw mismatch(plan, peer, high, low, length);
    }
  }

  private MismatchException mismatch(CellPlan plan, int peer, long high, long low, long length) {
    long slot = plan.slot();
    MismatchException.Side own =
        new MismatchException.Side(
            mesh.membership().rank(), slot, plan.lengthFrom(peer), plan.family.high(), plan.low());
    MismatchException.Side theirs = new MismatchException.Side(peer, slot, length, high, low);
    return new MismatchException(
        "ranks " + mesh.membership().rank() + " and " + peer + " make different calls",
        own,
        theirs);
  }

  @Override
  public long awaited(LongPredicate slots) {
    long ranks = awaited;
    return ranks != 0 && slots.test(awaitedSlot) ? ranks : 0;
  }

  /** Notes a call that does not use cells. */
  void log(long sequence, long high, long low) {
    if (agreed > 0) {
      addToLog(sequence, high, low);
      if (cells.take()) {
        try {
          writeLog();
        } finally {
          cells.release();
        }
      }
    }
  }

  /** Keeps a call until it is written; of too many, the last one is forgotten. */
  private void addToLog(long sequence, long high, long low) {
    synchronized (logSequences) {
      int at = Math.min(logCount, LOGGED - 1);
      logSequences[at] = sequence;
      logHighs[at] = high;
      logLows[at] = low;
      logCount = at + 1;
    }
  }

  private void writeLog() {
    if (logCount == 0 || !cells.isOpen()) {
      return;
    }
    synchronized (logSequences) {
      for (int i = 0; i < logCount; i++) {
        for (Cells.Channel channel : channels) {
          if (channel != null) {
            channel.log(logSequences[i], logHighs[i], logLows[i]);
          }
        }
      }
      logCount = 0;
    }
  }

  // For plans.

  Cells.Channel channel(int peer) {
    return channels[peer];
  }

  void wake(int peer) {
    cells.wake(peer);
  }

  /** Staging memory of at least that many bytes. */
  long staging(long bytes) {
    if (bytes > stagingBytes) {
      freeStaging();
      staging = Memory.allocate(bytes, Memory.CACHE_LINE);
      stagingBytes = bytes;
    }
    return staging;
  }

  private void freeStaging() {
    if (staging != 0) {
      Memory.free(staging);
      staging = 0;
      stagingBytes = 0;
    }
  }
}
