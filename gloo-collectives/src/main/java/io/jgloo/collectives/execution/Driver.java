package io.jgloo.collectives.execution;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.Allocation;
import io.jgloo.transport.Clock;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.Request;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.capability.SharedHeap;
import io.jgloo.transport.flight.CollectiveEvent;
import io.jgloo.transport.flight.Flight;
import io.jgloo.transport.flight.WaitEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.FlightRecorder;

/**
 * Makes progress for the runs of a group, in the threads that wait.
 *
 * <p>The thread that waits for its run takes completed requests from the queue and advances all
 * runs of the group; other waiting threads stand by. Started runs for which no thread waits are
 * driven by the {@link Watcher}.
 *
 * <p>In one file because each end of a run, whatever its cause, is noticed in the same wait.
 *
 * <p><em>Threads</em>: any. <em>Fails</em>: a run whose deadline passes or whose thread is
 * interrupted fails the group, unless it can be withdrawn.
 */
public final class Driver {

  private static final System.Logger LOG = System.getLogger(Driver.class.getName());

  /** How long to wait for the requests of an aborted mesh to end, which takes no time at all. */
  private static final long SETTLE_NANOS = 5_000_000_000L;

  static final long EVER_NANOS = Long.MAX_VALUE / 4;

  private final Mesh mesh;
  private final Clock clock;
  private final SharedHeap heap; // null if there is none
  private final Diagnosis diagnosis;
  private final CompletionQueue queue;
  private final TimeoutCause timeoutCause;
  private final FirstFailure failure;
  private final StartedRuns started;
  private final StagingPool pool = new StagingPool(this::share);
  private final FunctionThreads functions = new FunctionThreads();
  private final AtomicInteger active = new AtomicInteger();
  private final CallOrder order;
  private volatile Watcher watcher;
  private CellBoard board; // null if there are no cells

  Driver(Mesh mesh, CompletionQueue queue) {
    this.mesh = mesh;
    this.queue = queue;
    heap = mesh.capability(SharedHeap.class).orElse(null);
    diagnosis = Diagnosis.of(mesh);
    clock = mesh.clock();
    timeoutCause = new TimeoutCause(diagnosis, clock, queue);
    order = new CallOrder(clock.nanoTime());
    failure = new FirstFailure(group(), rank());
    started = new StartedRuns(clock);
  }

  private Allocation share(long bytes) {
    return heap != null && heap.hasSpare() ? heap.allocate(bytes) : null;
  }

  void cells(CellBoard its) {
    board = its;
  }

  /** Notes a call that does not use cells. */
  void log(long sequence, long high, long low) {
    if (board != null) {
      board.log(sequence, high, low);
    }
  }

  /** Hands a completed request to its run. */
  static void completed(Request request) {
    ((Run) request.attachment()).completed(request);
  }

  /** Starts a run that has its memory and waits for its end; returns its outcome. */
  int run(Run run, long timeoutNanos) {
    launch(run, timeoutNanos, null);
    return finish(run);
  }

  /** Waits for the end of a run that has begun; returns its outcome. */
  int finish(Run run) {
    WaitEvent event = isRecorded() ? wait(run.kind(), sequence(run)) : null;
    try {
      await(run);
    } finally {
      queue.flush(); // no wait has flushed a run that ended with its last post
      if (event != null) {
        event.commit();
      }
    }
    JGlooException failed = run.failure();
    int outcome = run.outcome();
    run.recycle();
    if (failed != null) {
      throw failed;
    }
    return outcome;
  }

  /** Starts a run that has its memory. */
  Pending start(Run run, long timeoutNanos) {
    Pending pending = new Pending(this);
    try {
      launch(run, timeoutNanos, pending);
    } finally {
      queue.flush();
    }
    if (!pending.isDone()) {
      watcher.wake();
    }
    return pending;
  }

  /** Starts runs that have their memory; if one cannot be started, the others end first. */
  List<Pending> start(List<? extends Run> runs, long timeoutNanos) {
    List<Pending> begun = new ArrayList<>(runs.size());
    try {
      for (Run run : runs) {
        Pending pending = new Pending(this);
        launch(run, timeoutNanos, pending);
        begun.add(pending);
      }
    } catch (RuntimeException | Error e) { // the group has failed or is closed
      runs.subList(begun.size() + 1, runs.size()).forEach(Run::release);
      begun.forEach(this::settled);
      throw e;
    } finally {
      queue.flush();
    }
    if (!begun.stream().allMatch(Pending::isDone)) {
      watcher.wake();
    }
    return begun;
  }

  /** Gives a call on cells its place in the order, if no other one waits. */
  boolean admitAlone(CellPlan plan) {
    if (functions.count > 0) {
      functions.check();
    }
    boolean admitted = false;
    try {
      synchronized (order) {
        failure.check();
        if (board.hasRuns()) {
          return false;
        }
        order.admit(plan);
        admitted = true;
        beginEvent(plan);
      }
      return true;
    } catch (RuntimeException | Error e) {
      brokeAdmitted(admitted, e);
      throw e;
    }
  }

  /** A call that has its number cannot go on, for lack of memory: other ranks make it. */
  private void brokeAdmitted(boolean admitted, Throwable thrown) {
    if (admitted) {
      broke(thrown);
    }
  }

  /** Makes a run of a call that was admitted alone. */
  void adopt(CellPlan plan, long timeoutNanos) {
    board.addFirst(plan); // first: there may be no memory for it, and nothing is to be undone then
    long nowNanos = clock.nanoTime();
    plan.enroll(nowNanos, timeoutNanos, null);
    order.started(plan, nowNanos);
    active.incrementAndGet();
    plan.isReady(true);
  }

  /** Takes numbers as so many calls would; the first of them. */
  public long takeNumbers(int count) {
    return order.take(count);
  }

  private void launch(Run run, long timeoutNanos, Pending pending) {
    boolean enrolled = false;
    try {
      if (functions.count > 0) {
        functions.check();
      }
      enroll(run, timeoutNanos, pending);
      enrolled = true;
    } finally {
      if (!enrolled) {
        run.release();
      }
    }
    queue.collect();
    run.start();
  }

  private void enroll(Run run, long timeoutNanos, Pending pending) {
    boolean admitted = false;
    try {
      synchronized (order) {
        failure.check();
        if (pending != null && watcher == null) {
          watcher = new Watcher(group(), started, failure, this);
        }
        if (run.numbered()) {
          order.admit(run);
          admitted = true;
          beginEvent(run);
        } else {
          run.recordIn(order);
        }
        long nowNanos = clock.nanoTime();
        order.started(run, nowNanos);
        run.enroll(nowNanos, timeoutNanos, pending);
        if (pending != null) {
          pending.begun(run, sequence(run));
          started.add(run); // before the group can be closed, after which the watcher may end
        }
        run.enrolled();
        active.incrementAndGet();
      }
    } catch (RuntimeException | Error e) {
      started.remove(run);
      brokeAdmitted(admitted, e);
      throw e;
    }
  }

  private void await(Run run) {
    try {
      if (queue.await(run, Driver::completed, run.deadlineNanos())) {
        return;
      }
      expire(run, null);
    } catch (InterruptedOperationException e) {
      fail(run, null, e);
    } catch (RuntimeException | Error e) {
      broke(run, e);
      settled(run); // whatever it was, nothing may touch the caller's memory any more
      throw e;
    }
    settled(run);
  }

  /** Waits for the end of a started run; its deadline is the watcher's business. */
  void await(Pending pending) {
    if (functions.count > 0) {
      functions.check();
    }
    WaitEvent event = isRecorded() ? wait(pending.kind(), pending.sequence()) : null;
    try {
      queue.await(pending, Driver::completed, clock.nanoTime() + EVER_NANOS);
    } catch (InterruptedOperationException e) {
      Run run = pending.run();
      if (run != null) {
        fail(run, pending, e);
      }
      settled(pending);
    } finally {
      if (event != null) {
        event.commit();
      }
    }
  }

  /** The same for a while; throws if that was too short. */
  void await(Pending pending, Duration limit) {
    if (functions.count > 0) {
      functions.check();
    }
    WaitEvent event = isRecorded() ? wait(pending.kind(), pending.sequence()) : null;
    boolean ended;
    try {
      ended = queue.await(pending, Driver::completed, clock.nanoTime() + Clock.nanos(limit));
    } catch (InterruptedOperationException e) {
      await(pending); // meets the same interrupt
      return;
    } finally {
      if (event != null) {
        event.commit();
      }
    }
    Run run = ended ? null : pending.run();
    if (run != null) {
      throw run.overdue(limit).during(run.context(clock.nanoTime()));
    }
  }

  private void settled(CompletionQueue.Condition ended) {
    settle(ended);
    if (!ended.isMet()) {
      throw new IllegalStateException("the requests of an aborted mesh did not end");
    }
  }

  /** Waits for a condition that will be met soon, despite interrupts. */
  private void settle(CompletionQueue.Condition ended) {
    if (!awaitUninterrupted(ended, clock.nanoTime() + SETTLE_NANOS)) {
      LOG.log(System.Logger.Level.ERROR, "requests of {0} did not end", mesh.membership());
    }
  }

  /** Waits despite interrupts, after which the flag is set again; whether the condition is met. */
  boolean awaitUninterrupted(CompletionQueue.Condition condition, long deadlineNanos) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return queue.await(condition, Driver::completed, deadlineNanos);
        } catch (InterruptedOperationException e) {
          interrupted = Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void expire(Run run, Pending pending) {
    CompletionQueue.Condition ended = pending == null ? run : pending;
    OperationTimeoutException cause = timeoutCause.of(run, ended);
    if (mesh.failure().isEmpty()) {
      fail(run, pending, cause);
    } // or else its requests have ended with what another rank reports
  }

  /** Makes progress for started runs until the condition is met or another thread waits. */
  void driveInBackground(CompletionQueue.Condition condition, long deadlineNanos) {
    queue.awaitInBackground(condition, Driver::completed, deadlineNanos);
  }

  /** Fails the started runs whose deadlines have passed. */
  void expireStarted() {
    for (StartedRuns.Overdue overdue : started.overdue()) {
      expire(overdue.run(), overdue.pending());
    }
  }

  /** Fails a run that has not ended, and with it the group unless it can be withdrawn. */
  private void fail(Run run, Pending pending, JGlooException cause) {
    JGlooException reported;
    run.lock.lock();
    try {
      if (run.ended() || run.pending() != pending || run.withdraw(cause)) {
        return;
      }
      reported = cause.during(run.context(clock.nanoTime()));
    } finally {
      run.lock.unlock();
    }
    failure.record(cause, reported);
    mesh.abort(reported);
  }

  /** A run's own code threw. */
  void broke(Run run, Throwable thrown) {
    fail(run, run.pending(), broken(thrown));
  }

  /** The driving itself threw: fails the group, so that all its runs end. */
  void broke(Throwable thrown) {
    AbortedException cause = broken(thrown);
    failure.record(cause, cause);
    mesh.abort(cause);
  }

  private AbortedException broken(Throwable thrown) {
    return new AbortedException(rank(), "rank " + rank() + " failed: " + thrown, thrown);
  }

  /** A request of the run failed, so the mesh has. */
  void met(Run run, JGlooException raw) {
    if (failure.cause() == null) {
      JGlooException cause = raw;
      if (raw instanceof MismatchException mismatch) {
        cause = Fingerprint.explain(mismatch);
      } else if (raw instanceof OperationTimeoutException heard) {
        cause = run.alsoOverdue(heard);
      }
      failure.record(cause, cause.during(run.context(clock.nanoTime())));
    }
  }

  /** Records the end of a run, and returns when that was. */
  long noteEnd(Run run, boolean failed) {
    long nowNanos = clock.nanoTime();
    order.ended(run, nowNanos, failed);
    if (run.event != null) {
      endEvent(run, failed);
    }
    return nowNanos;
  }

  /** Records the end of a call that was admitted alone and did not become a run. */
  void noteEndAtOnce(CellPlan plan) {
    order.endedAtOnce();
    if (plan.event != null) {
      endEvent(plan, false);
    }
  }

  // Flight Recorder.

  /** As {@link Flight#isRunning}, without one class more in a short call. */
  private static boolean isRecorded() {
    return Flight.PRESENT && FlightRecorder.isInitialized();
  }

  private void beginEvent(Run run) {
    if (isRecorded()) {
      run.event = CollectiveEvent.of(group(), rank(), run.sequence());
    }
  }

  private static void endEvent(Run run, boolean failed) {
    CallKind kind = run.kind();
    run.event.end(kind.operation(), kind.algorithm(), kind.bytes(), failed);
    run.event = null;
  }

  /** The event of a wait for such a call; null if no recording wants it. */
  private WaitEvent wait(CallKind kind, long sequence) {
    return WaitEvent.of(group(), rank(), kind.operation(), sequence);
  }

  private static long sequence(Run run) {
    return run.numbered() ? run.sequence() : CallOrder.NONE;
  }

  CallOrder order() {
    return order;
  }

  /** A run for which a thread waits has ended. */
  void ended() {
    active.decrementAndGet();
  }

  /** A started run has ended. */
  void ended(Run run, Pending.Finish finish) {
    started.remove(run);
    run.recycle();
    active.decrementAndGet();
    finish.publish();
  }

  /** Refuses calls from here on; a call that was not refused is counted. False if it did before. */
  boolean refuseCalls() {
    synchronized (order) {
      return failure.close();
    }
  }

  /** See {@link Executor#close}. */
  void close() {
    refuseCalls();
    MismatchException.Side lastCall = order.last(rank());
    if (lastCall != null) {
      diagnosis.lastCall(lastCall);
    }
    mesh.close();
    settle(() -> active.get() == 0);
    pool.close();
    Watcher watching = watcher;
    if (watching != null) {
      watching.wake();
    }
  }

  public FirstFailure failure() {
    return failure;
  }

  FunctionThreads functions() {
    return functions;
  }

  StagingPool pool() {
    return pool;
  }

  public String group() {
    return mesh.membership().group();
  }

  int rank() {
    return mesh.membership().rank();
  }

  public long nanoTime() {
    return clock.nanoTime();
  }
}
