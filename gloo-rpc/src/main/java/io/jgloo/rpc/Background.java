package io.jgloo.rpc;

import io.jgloo.rpc.RRef.Handle;
import io.jgloo.rpc.RRefs.Tables;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.RRefId;
import io.jgloo.rpc.rref.protocol.RRefTables;
import io.jgloo.transport.Clock;
import io.jgloo.transport.CompletionQueue;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Work without a caller: handles that the collector found are closed, and time passes.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: a thread for both, and the cleaner's, which only enqueues.
 */
final class Background implements AutoCloseable {

  private static final Logger LOG = System.getLogger(Background.class.getName());
  private static final long PERIOD_NANOS = 100_000_000;

  private final RRefs refs;
  private final ScheduledThreadPoolExecutor executor;
  private final String name;

  @SuppressWarnings("NullAway.Init") // set by start
  private volatile Cleaner cleaner;

  private volatile @Nullable Future<?> sweeps;

  Background(RRefs refs, String name) {
    this.refs = refs;
    executor = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "jgloo-rref-" + name));
    this.name = name;
  }

  /** Begins to look at the time; the agent has an id by then. */
  void start() {
    cleaner = Cleaner.create(task -> daemon(task, "jgloo-rref-" + name + "-cleaner"));
    sweeps =
        executor.scheduleWithFixedDelay(
            this::sweep, PERIOD_NANOS, PERIOD_NANOS, TimeUnit.NANOSECONDS);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Closes the handle when the collector finds the reference. */
  Cleaner.Cleanable watch(RRef<?> ref, Handle handle) {
    return cleaner.register(ref, () -> enqueue(handle));
  }

  private void enqueue(Handle handle) {
    if (handle.isOpen()) {
      try {
        executor.execute(
            () -> {
              refs.observations.collected();
              handle.close();
            });
      } catch (RejectedExecutionException e) {
        LOG.log(Level.DEBUG, "the agent of {0} is closed", handle);
      }
    }
  }

  private void sweep() {
    try {
      long now = refs.messenger().clock().nanoTime();
      refs.creations.sweep(now);
      takeBack(now);
      refs.fetches.sweep(now);
    } catch (RuntimeException e) { // a sweep that throws would be the last one
      LOG.log(Level.WARNING, "a sweep of " + refs.agent().name() + " failed", e);
    }
  }

  // The forks in results. A caller that has given its call up drops the result without a word.

  /** The clocks of two processes may run apart by this. */
  private static final long SLACK_NANOS = 1_000_000_000;

  private record Result(List<ForkId> forks, long deadlineNanos) {}

  private final ConcurrentLinkedQueue<Result> added = new ConcurrentLinkedQueue<>();
  private final ArrayDeque<Result> watched = new ArrayDeque<>();

  /** Takes the forks of a result back if they have not been taken by the call's deadline. */
  void watch(List<ForkId> forks, long deadlineNanos) {
    added.add(new Result(List.copyOf(forks), deadlineNanos));
  }

  private void takeBack(long now) {
    for (Result result = added.poll(); result != null; result = added.poll()) {
      watched.add(result);
    }
    List<ForkId> late = new ArrayList<>();
    refs.tables()
        .read(
            tables ->
                watched.removeIf(
                    result -> {
                      boolean passed = now - result.deadlineNanos - SLACK_NANOS >= 0;
                      late.addAll(passed ? result.forks : List.of());
                      return passed || result.forks.stream().noneMatch(tables::isKnown);
                    }));
    late.forEach(fork -> refs.tables().apply(new Event.ForkUnknown(fork)));
  }

  /** Closes the handles of this agent and waits until those of the others are closed. */
  boolean settle(long deadlineNanos) {
    Tables tables = refs.tables();
    for (ForkId fork : tables.read(t -> List.copyOf(t.users().keySet()))) {
      if (tables.read(t -> t.users().containsKey(fork) && t.users().get(fork).open())) {
        refs.observations.open(fork);
        tables.apply(new Event.UserClosed(fork));
      }
    }
    for (RRefId ref : tables.read(t -> List.copyOf(t.owners().keySet()))) {
      int handles =
          tables.read(t -> t.owners().containsKey(ref) ? t.owners().get(ref).handles() : 0);
      for (int i = 0; i < handles; i++) {
        refs.observations.open(ref);
        tables.apply(new Event.OwnerClosed(ref));
      }
    }
    boolean quiet = await(() -> tables.read(RRefTables::isQuiet), deadlineNanos);
    if (!quiet) {
      tables
          .read(t -> t.owners().values().stream().flatMap(o -> o.forks().stream()).toList())
          .forEach(fork -> refs.observations.open(fork + " at agent " + fork.holder()));
    }
    return quiet;
  }

  /** Looks again from time to time: a change of the tables wakes no thread. */
  private boolean await(CompletionQueue.Condition condition, long deadlineNanos) {
    Clock clock = refs.messenger().clock();
    boolean met = condition.isMet();
    while (!met && clock.nanoTime() - deadlineNanos < 0) {
      met = refs.messenger().await(condition, clock.nanoTime() + PERIOD_NANOS);
    }
    return met;
  }

  /** Whether something is under way that ends by itself. */
  boolean isBusy() {
    return refs.creations.size() > 0
        || refs.tables()
            .read(
                tables ->
                    !tables.outbox().isEmpty()
                        || !tables.children().isEmpty()
                        || !tables.arrivals().isEmpty());
  }

  @Override
  public void close() {
    Future<?> begun = sweeps;
    if (begun != null) {
      begun.cancel(false);
    }
    executor.shutdownNow();
  }
}
