package io.jgloo.collectives.execution;

import io.jgloo.transport.Clock;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.Request;
import io.jgloo.transport.flight.CollectiveEvent;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One call in progress: from its first request to its end, well or not.
 *
 * <p>A run is attached to its requests, so a completed request leads back to it; and it is used
 * again for later calls.
 *
 * <p><em>Threads</em>: the calling thread and the one that makes progress, kept apart by {@link
 * #lock}. What happened before the end (a volatile store) is seen by a thread that sees it {@link
 * #ended}. <em>Owns </em>: the memory it took from the pool, until its end. <em>Fails</em>: ends
 * only when none of its requests is in the hands of the transport, so never before the caller's
 * memory is free.
 */
abstract class Run implements CompletionQueue.Condition {

  final Driver driver;
  final ReentrantLock lock = new ReentrantLock();

  /** Its place in the record of calls. */
  long entry;

  /** For Flight Recorder; null if no recording wants it. */
  CollectiveEvent event;

  private volatile boolean ended = true;
  private long sequence;
  private long past;
  private long startNanos;
  private long deadlineNanos;
  private volatile Pending pending;
  private JGlooException cause;
  private FailureContext context;

  Run(Driver driver) {
    this.driver = driver;
  }

  /**
   * Gives the run its place in the order of calls.
   *
   * @param past the calls before, summed up
   */
  final void place(long sequence, long past) {
    this.sequence = sequence;
    this.past = past;
  }

  /** Begins the run's life; it may be started then. */
  final void enroll(long startNanos, long timeoutNanos, Pending pending) {
    this.startNanos = startNanos;
    this.deadlineNanos = startNanos + timeoutNanos;
    this.pending = pending;
    cause = null;
    context = null;
    ended = false;
  }

  /** Takes its place among the runs it must wait for; under the lock of the order. */
  void enrolled() {}

  /** Starts what can be started; called once after {@link #enroll}. */
  final void start() {
    Throwable broken = null;
    lock.lock();
    try {
      begin();
    } catch (Throwable e) {
      broken = e;
    } finally {
      lock.unlock();
    }
    settle(broken);
  }

  /** Takes note of a request of this run that has completed. */
  final void completed(Request request) {
    Throwable broken = null;
    lock.lock();
    try {
      advance(request);
    } catch (Throwable e) {
      broken = e;
    } finally {
      lock.unlock();
    }
    settle(broken);
  }

  /** What throws in here is arithmetic or a bug; neither leaves the group in a known state. */
  private void settle(Throwable broken) {
    if (broken == null) {
      return;
    }
    driver.failRun(this, broken);
    lock.lock();
    try {
      stop();
    } finally {
      lock.unlock();
    }
  }

  /** Issues the first requests; may end the run. */
  abstract void begin();

  /** Goes on after a request; may end the run. */
  abstract void advance(Request request);

  /** Issues nothing more, and ends the run if nothing is posted. */
  abstract void stop();

  /** Lets go of the caller's memory and of memory from the pool. */
  abstract void release();

  /** Makes the run idle, for use by another call. */
  abstract void recycle();

  /** What it is in the record of calls. */
  abstract CallKind kind();

  /** Records the run if it is not numbered; under the lock of the order. */
  void recordIn(Driver driver) {}

  /** Whether the run counts as a call that all ranks make. */
  boolean numbered() {
    return true;
  }

  /** Slot of its messages. */
  abstract long slot();

  /** What all ranks must agree on, if they all make it. */
  abstract long digest();

  /** Ranks whose messages are awaited, or else those that take none of ours. */
  abstract List<Integer> missingPeers();

  /** The same once the group has failed under the run. */
  abstract List<Integer> missedPeers();

  /**
   * Takes back what is posted, so that the run ends with this cause and the group lives on; whether
   * that was possible. The messages of a collective that have gone out cannot be called back.
   */
  boolean withdraw(JGlooException reason) {
    return false;
  }

  /** A number that came out of it, where one does. */
  int outcome() {
    return 0;
  }

  /** What runs, as messages print it. */
  abstract String operation();

  /** Messages completed so far. */
  abstract int step();

  /** Messages there are. */
  abstract int steps();

  /** Ends the run, well if there is no cause; nothing of it may be touched after. */
  final void end(JGlooException failure) {
    release();
    cause = failure;
    long nowNanos = driver.noteEnd(this, failure != null);
    context = failure == null ? null : context(nowNanos);
    if (pending == null) {
      ended = true;
      driver.ended();
    } else {
      driver.ended(this, finished());
    }
  }

  private Pending.Finish finished() {
    Pending.Finish finish = new Pending.Finish(pending, cause, context);
    pending = null;
    ended = true;
    return finish;
  }

  final FailureContext context(long nowNanos) {
    Duration elapsed = Duration.ofNanos(nowNanos - startNanos);
    return new FailureContext(
        driver.group(), driver.rank(), operation(), sequence, step(), steps(), elapsed);
  }

  /** The timeout of a run that has not ended within that time, with the ranks it waits for. */
  final OperationTimeoutException overdue(Duration limit) {
    List<Integer> peers;
    lock.lock();
    try {
      peers = missingPeers();
    } finally {
      lock.unlock();
    }
    String seconds = String.format(Locale.ROOT, "%.3f s", Clock.nanos(limit) / 1e9);
    return new OperationTimeoutException(
        "not done within " + seconds + ", still waiting for rank(s) " + Membership.list(peers),
        peers);
  }

  /**
   * What a peer's timeout means here. A peer that could not find out which ranks hold up the call
   * names those it waited for; so that the right one is named by some rank, each does the same.
   */
  final JGlooException alsoOverdue(OperationTimeoutException heard) {
    List<Integer> peers = missedPeers();
    return peers.isEmpty() || heard.isConfirmed()
        ? heard
        : new OperationTimeoutException(
            heard.getMessage() + "; this rank was waiting for rank(s) " + Membership.list(peers),
            peers);
  }

  /** The failure as the waiting thread throws it, or null if all went well. */
  final JGlooException failure() {
    return cause == null ? null : cause.during(context);
  }

  final boolean ended() {
    return ended;
  }

  /** To be completed at the end, or null if a thread waits for this run itself. */
  final Pending pending() {
    return pending;
  }

  final long sequence() {
    return sequence;
  }

  final long past() {
    return past;
  }

  final long deadlineNanos() {
    return deadlineNanos;
  }

  final Duration timeout() {
    return Duration.ofNanos(deadlineNanos - startNanos);
  }

  @Override
  public final boolean isMet() {
    return ended;
  }
}
