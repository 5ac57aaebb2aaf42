package io.jgloo.collectives.execution;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.Allocation;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.Request;
import io.jgloo.transport.Slot;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.capability.Diagnosis.Blockers;
import io.jgloo.transport.capability.SharedHeap;
import io.jgloo.transport.flight.CollectiveEvent;
import io.jgloo.transport.flight.FailureEvent;
import io.jgloo.transport.flight.Flight;
import io.jgloo.transport.flight.WaitEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.FlightRecorder;

/**
 * Makes progress for the runs of a group, in the threads that wait.
 *
 * <p>The thread that waits for its run takes completed requests from the queue and advances all
 * runs of the group; other waiting threads stand by. Started runs for which no thread waits are
 * driven by the {@link Watcher}.
 *
 * <p>It gives calls their numbers and sums them up. A call can end well at ranks that disagree
 * about it: two that each take themselves for the root of a broadcast send to each other and expect
 * nothing. The sum travels with the messages of every later call, so the next message between the
 * two shows it. And it records the last calls in a ring of arrays: a call stores what it is under
 * the lock that gives it its number, and its end without a lock. Times are nanoseconds of the
 * clock, counted from its value at the start so that none is 0.
 *
 * <p>The first failure ends the group: it is kept, and later calls fail with it.
 *
 * <p>In one file because each end of a run, whatever its cause, is noticed in the same wait, and
 * because a short call enters fewer classes.
 *
 * <p><em>Threads</em>: any. <em>Fails</em>: a run whose deadline passes or whose thread is
 * interrupted fails the group, unless it can be withdrawn.
 */
public final class Driver {

  private static final System.Logger LOG = System.getLogger(Driver.class.getName());

  /** How long to wait for the requests of an aborted mesh to end, which takes no time at all. */
  private static final long SETTLE_NANOS = 5_000_000_000L;

  static final long EVER_NANOS = Long.MAX_VALUE / 4;

  /** How long a rank has to say what holds it up: half the call's timeout, within these bounds. */
  private static final long MIN_PATIENCE_NANOS = 500_000_000;

  private static final long MAX_PATIENCE_NANOS = 2_000_000_000;

  /** Calls that are recorded; older ones are forgotten. */
  static final int RECORDED = 1 << 10;

  private static final int MASK = RECORDED - 1;

  /** Sequence number of a message, which has none. */
  static final long NONE = -1;

  /** In place of a time: the call ended before anybody looked at the clock. */
  private static final long AT_ONCE = 1;

  /**
   * The failure that ended the group.
   *
   * @param cause as the transport or this package raised it
   * @param reported the same with the context of the call that failed first
   */
  private record Failure(JGlooException cause, JGlooException reported) {}

  private final Mesh mesh;
  private final Clock clock;
  private final SharedHeap heap; // null if there is none
  private final Diagnosis diagnosis;
  private final CompletionQueue queue;
  private final StagingPool pool = new StagingPool(this::share);
  private final FunctionThreads functions = new FunctionThreads();
  private final AtomicInteger active = new AtomicInteger();
  private final AtomicReference<Failure> failure = new AtomicReference<>();
  private volatile Runnable failureListener = () -> {};
  private volatile boolean closed;
  private final Object order = new Object(); // guards numbers and the record, but for ends of calls
  private final long originNanos;
  private final CallKind[] kinds = new CallKind[RECORDED];
  private final int[] sequences = new int[RECORDED]; // the lower half
  private final long[] starts = new long[RECORDED];
  private final long[] ends = new long[RECORDED]; // if it has a start; 0: not yet; negative: failed
  private final int[] peers = new int[RECORDED]; // of messages, as the next two
  private final long[] tags = new long[RECORDED];
  private final long[] lengths = new long[RECORDED];
  private long recorded;
  private long alone = NONE; // the call that was admitted alone and has neither ended nor a start
  private long nextSequence;
  private long past; // the sum of calls
  private Run last;
  private long lastSequence;
  private long beforeLast; // the value of past
  private volatile Watcher watcher; // null until a call is started that goes on by itself
  private CellBoard board; // null if there are no cells

  Driver(Mesh mesh, CompletionQueue queue) {
    this.mesh = mesh;
    this.queue = queue;
    heap = mesh.capability(SharedHeap.class).orElse(null);
    diagnosis = Diagnosis.of(mesh);
    clock = mesh.clock();
    originNanos = clock.nanoTime() - AT_ONCE - 1;
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
      begun.forEach(this::awaitSettled);
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
        check();
        if (board.hasRuns()) {
          return false;
        }
        admit(plan);
        admitted = true;
        beginEvent(plan);
      }
      return true;
    } catch (RuntimeException | Error e) {
      failAdmitted(admitted, e);
      throw e;
    }
  }

  /** A call that has its number cannot go on, for lack of memory: other ranks make it. */
  private void failAdmitted(boolean admitted, Throwable thrown) {
    if (admitted) {
      failGroup(thrown);
    }
  }

  /** Makes a run of a call that was admitted alone. */
  void adopt(CellPlan plan, long timeoutNanos) {
    board.addFirst(plan); // first: there may be no memory for it, and nothing is to be undone then
    long nowNanos = clock.nanoTime();
    plan.enroll(nowNanos, timeoutNanos, null);
    noteStart(plan, nowNanos);
    active.incrementAndGet();
    plan.isReady(true);
  }

  /** Takes numbers as so many calls would; the first of them. */
  public long takeNumbers(int count) {
    synchronized (order) {
      nextSequence += count;
      return nextSequence - count;
    }
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
        check();
        if (pending != null && watcher == null) {
          watcher = new Watcher(this, clock);
        }
        if (run.numbered()) {
          admit(run);
          admitted = true;
          beginEvent(run);
        } else {
          run.recordIn(this);
        }
        long nowNanos = clock.nanoTime();
        noteStart(run, nowNanos);
        run.enroll(nowNanos, timeoutNanos, pending);
        if (pending != null) {
          pending.begun(run, sequence(run));
          watcher.add(run); // before the group can be closed, after which the watcher may end
        }
        run.enrolled();
        active.incrementAndGet();
      }
    } catch (RuntimeException | Error e) {
      if (pending != null && watcher != null) {
        watcher.remove(run);
      }
      failAdmitted(admitted, e);
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
      failRun(run, e);
      awaitSettled(run); // whatever it was, nothing may touch the caller's memory any more
      throw e;
    }
    awaitSettled(run);
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
      awaitSettled(pending);
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

  private void awaitSettled(CompletionQueue.Condition ended) {
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

  /** Fails a run whose deadline has passed, and names the ranks that hold it up. */
  void expire(Run run, Pending pending) {
    OperationTimeoutException cause = timeoutCause(run, pending == null ? run : pending);
    if (mesh.failure().isEmpty()) {
      fail(run, pending, cause);
    } // or else its requests have ended with what another rank reports
  }

  /**
   * Why the run has not ended. The ranks that a call waits for may themselves wait for another
   * rank; the transport asks them, for up to twice the time that a rank has to answer. Meanwhile
   * the group goes on: another rank may find out first, and its notice ends the call.
   *
   * @param ended whether the run has ended after all
   */
  private OperationTimeoutException timeoutCause(Run run, CompletionQueue.Condition ended) {
    OperationTimeoutException overdue = run.overdue(run.timeout());
    if (!run.numbered()) {
      return overdue;
    }
    long half = run.timeout().toNanos() / 2;
    long patience = Math.max(MIN_PATIENCE_NANOS, Math.min(half, MAX_PATIENCE_NANOS));
    CompletableFuture<Blockers> search =
        diagnosis
            .findBlockers(run.slot(), Duration.ofNanos(patience))
            .whenComplete((found, failed) -> queue.wakeup());
    try {
      queue.await(
          () -> search.isDone() || ended.isMet(),
          Driver::completed,
          clock.nanoTime() + 2 * patience);
    } catch (InterruptedOperationException e) {
      return overdue; // its flag stays set
    }
    return explained(overdue, search.getNow(Blockers.NONE));
  }

  private static OperationTimeoutException explained(
      OperationTimeoutException overdue, Blockers found) {
    List<Integer> ranks = new ArrayList<>(found.silent());
    ranks.addAll(found.late());
    if (ranks.isEmpty()) {
      return overdue;
    }
    StringBuilder text = new StringBuilder(overdue.getMessage());
    List<Integer> silent = found.silent();
    if (!silent.isEmpty()) {
      text.append(
          silent.size() == 1
              ? "; rank " + silent.get(0) + " does not answer"
              : "; ranks " + Membership.list(silent) + " do not answer");
    }
    List<Integer> late = found.late();
    if (!late.isEmpty()) {
      text.append(
          late.size() == 1
              ? "; rank " + late.get(0) + " answers but is late"
              : "; ranks " + Membership.list(late) + " answer but are late");
    }
    ranks.sort(null);
    return new OperationTimeoutException(text.toString(), ranks, true);
  }

  /** Makes progress for started runs until the condition is met or another thread waits. */
  void driveInBackground(CompletionQueue.Condition condition, long deadlineNanos) {
    queue.awaitInBackground(condition, Driver::completed, deadlineNanos);
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
    recordFailure(cause, reported);
    mesh.abort(reported);
  }

  /** A run's own code threw. */
  void failRun(Run run, Throwable thrown) {
    fail(run, run.pending(), broken(thrown));
  }

  /** The driving itself threw: fails the group, so that all its runs end. */
  void failGroup(Throwable thrown) {
    AbortedException cause = broken(thrown);
    recordFailure(cause, cause);
    mesh.abort(cause);
  }

  private AbortedException broken(Throwable thrown) {
    return new AbortedException(rank(), "rank " + rank() + " failed: " + thrown, thrown);
  }

  /** A request of the run failed, so the mesh has. */
  void requestFailed(Run run, JGlooException raw) {
    if (cause() == null) {
      JGlooException cause = raw;
      if (raw instanceof MismatchException mismatch) {
        cause = Fingerprint.explain(mismatch);
      } else if (raw instanceof OperationTimeoutException heard) {
        cause = run.alsoOverdue(heard);
      }
      recordFailure(cause, cause.during(run.context(clock.nanoTime())));
    }
  }

  // The order of calls and their record.

  /** Gives the run its place behind all before; under the lock of the order. */
  private void admit(Run run) {
    long sequence = nextSequence++;
    run.place(sequence, past >>> Fingerprint.COUNT_BITS);
    last = run;
    lastSequence = sequence;
    beforeLast = past;
    past = mix(past ^ run.digest());
    record(run, (int) sequence);
  }

  /** Writes no more than three arrays: the ring is as large as the first cache. */
  private int record(Run run, int sequence) {
    int at = (int) recorded & MASK;
    kinds[at] = run.kind();
    sequences[at] = sequence;
    starts[at] = AT_ONCE;
    alone = recorded;
    run.entry = recorded++;
    return at;
  }

  /** Records a message, which has no number; under the lock of the order. */
  void record(Run run, int peer, long tag, long bytes) {
    int at = record(run, (int) NONE);
    peers[at] = peer;
    tags[at] = tag;
    lengths[at] = bytes;
  }

  /** Notes when a recorded call started. */
  private void noteStart(Run run, long nanos) {
    int at = (int) run.entry & MASK;
    ends[at] = 0;
    starts[at] = nanos - originNanos;
  }

  /** Records the end of a run, unless it has been forgotten, and returns when that was. */
  @SuppressWarnings("GuardedBy") // a call that is forgotten at this moment may be noted or not
  long noteEnd(Run run, boolean failed) {
    long nowNanos = clock.nanoTime();
    if (recorded - run.entry <= RECORDED) {
      long time = nowNanos - originNanos;
      ends[(int) run.entry & MASK] = failed ? -time : time;
    }
    if (run.event != null) {
      endEvent(run, failed);
    }
    return nowNanos;
  }

  /** Records the end of a call that was admitted alone and did not become a run. */
  @SuppressWarnings("GuardedBy") // no other call is admitted before
  void noteEndAtOnce(CellPlan plan) {
    alone = NONE;
    if (plan.event != null) {
      endEvent(plan, false);
    }
  }

  /** The recorded calls in the order in which they were made. */
  List<CallDump.Entry> recordedCalls() {
    synchronized (order) {
      return entries();
    }
  }

  private List<CallDump.Entry> entries() {
    List<CallDump.Entry> entries = new ArrayList<>();
    for (long each = Math.max(0, recorded - RECORDED); each < recorded; each++) {
      int at = (int) each & MASK;
      boolean timed = starts[at] != AT_ONCE;
      long end = timed ? ends[at] : each == alone ? 0 : AT_ONCE;
      boolean message = kinds[at].isMessage();
      entries.add(
          new CallDump.Entry(
              kinds[at],
              message
                  ? NONE
                  : nextSequence - Integer.toUnsignedLong((int) nextSequence - sequences[at]),
              message ? peers[at] : -1,
              message ? tags[at] : -1,
              message ? lengths[at] : kinds[at].bytes(),
              end == 0 ? "running" : end < 0 ? "failed" : "done",
              timed ? starts[at] + originNanos : null,
              timed && end != 0 ? Math.abs(end) + originNanos : null));
    }
    return entries;
  }

  /** How many calls were recorded, those included that are forgotten. */
  long countRecorded() {
    synchronized (order) {
      return recorded;
    }
  }

  /**
   * The last numbered call, as messages of it would name it; null if there is none. Under the lock.
   */
  private MismatchException.Side lastCall() {
    PlanFamily family = last instanceof Plan run ? run.family : null;
    return family == null || family.high() == 0
        ? null
        : new MismatchException.Side(
            rank(),
            Slot.of(Slot.COLLECTIVE, lastSequence),
            0,
            family.high(),
            family.low(beforeLast >>> Fingerprint.COUNT_BITS));
  }

  /**
   * Finalizer of SplittableRandom (Steele, Lea, Flood 2014): each bit in changes half of those out.
   */
  static long mix(long bits) {
    long z = bits + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
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
    return run.numbered() ? run.sequence() : NONE;
  }

  /** A run for which a thread waits has ended. */
  void ended() {
    active.decrementAndGet();
  }

  /** A started run has ended. */
  void ended(Run run, Pending.Finish finish) {
    watcher.remove(run);
    run.recycle();
    active.decrementAndGet();
    finish.publish();
  }

  /** Refuses calls from here on; a call that was not refused is counted. False if it did before. */
  boolean refuseCalls() {
    synchronized (order) {
      boolean before = closed;
      closed = true;
      return !before;
    }
  }

  /** See {@link Executor#close}. */
  void close() {
    refuseCalls();
    MismatchException.Side lastCall;
    synchronized (order) {
      lastCall = lastCall();
    }
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

  // The first failure.

  /** Takes the cause if it is the first. */
  void recordFailure(JGlooException cause, JGlooException reported) {
    if (failure.get() != null || !failure.compareAndSet(null, new Failure(cause, reported))) {
      return;
    }
    if (Flight.isRunning()) {
      FailureEvent.record(group(), rank(), reported);
    }
    failureListener.run();
  }

  /** Is run once, when the group fails: under locks, by any thread; must return soon. */
  void onFailure(Runnable listener) {
    failureListener = listener;
  }

  /** The first cause, or null. */
  JGlooException cause() {
    Failure first = failure.get();
    return first == null ? null : first.cause;
  }

  /** The first cause with the context of the call that failed first, or null. */
  JGlooException reported() {
    Failure first = failure.get();
    return first == null ? null : first.reported;
  }

  /** Whether the group is closed. */
  boolean isClosed() {
    return closed;
  }

  /**
   * Refuses new calls once there is a reason to.
   *
   * @throws ClosedException if the group is closed
   * @throws JGlooException the first cause, for this call
   */
  public void check() {
    if (closed) {
      throw new ClosedException("group " + group() + " is closed", reported());
    }
    Failure first = failure.get();
    if (first != null) {
      throw first.reported.again("group " + group() + " has failed before");
    }
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
