package io.jgloo.collectives.execution;

import io.jgloo.transport.Clock;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.InterruptedOperationException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The group's thread, with the started runs: makes progress for those for which no thread waits,
 * and watches their deadlines.
 *
 * <p>It exists from the first such call on, is parked while there is none, and makes way at once
 * for a thread that waits. After it has made way it looks again every half millisecond: to be woken
 * by each thread that stops driving would cost every blocking call a hand-over.
 *
 * <p><em>Threads</em>: any.
 */
final class Watcher implements CompletionQueue.Condition, Runnable {

  private static final long PATROL_NANOS = 500_000;

  /** For runs that were failed at their deadlines and wait for their requests to end. */
  private static final long SOON_NANOS = 1_000_000;

  /** A run whose deadline has passed, and which of its calls that was. */
  private record Overdue(Run run, Pending pending) {}

  private final Driver driver;
  private final Clock clock;
  private final Thread thread;
  private final List<Run> runs = new ArrayList<>();
  private volatile int count;

  Watcher(Driver driver, Clock clock) {
    this.driver = driver;
    this.clock = clock;
    thread = new Thread(this, "gloo-async-" + driver.group());
    thread.setDaemon(true);
    thread.start();
  }

  synchronized void add(Run run) {
    runs.add(run);
    count = runs.size();
  }

  synchronized void remove(Run run) {
    runs.remove(run);
    count = runs.size();
  }

  /** There is something new to drive, or the group closes. */
  void wake() {
    LockSupport.unpark(thread);
  }

  @Override
  public void run() {
    while (!driver.isClosed() || count > 0) {
      if (count == 0) {
        LockSupport.park(this);
      } else {
        drive();
        if (count > 0) {
          LockSupport.parkNanos(this, PATROL_NANOS);
        }
      }
    }
  }

  private void drive() {
    try {
      driver.driveInBackground(this, nextDeadlineNanos());
      overdue().forEach(each -> driver.expire(each.run, each.pending));
    } catch (InterruptedOperationException e) {
      Thread.interrupted(); // only close may stop this thread, and does not interrupt it
    } catch (Throwable e) {
      driver.failGroup(e); // without this thread the futures of started calls would stay open
    }
  }

  private synchronized List<Overdue> overdue() {
    List<Overdue> overdue = new ArrayList<>();
    long now = clock.nanoTime();
    for (Run run : runs) {
      Pending pending = run.pending();
      if (pending != null && now - run.deadlineNanos() >= 0) {
        overdue.add(new Overdue(run, pending));
      }
    }
    return overdue;
  }

  /** The earliest of their deadlines that is to come; soon, if some have passed. */
  private synchronized long nextDeadlineNanos() {
    long now = clock.nanoTime();
    long left = Driver.EVER_NANOS;
    for (Run run : runs) {
      left = Math.min(left, run.deadlineNanos() - now);
    }
    return now + Math.max(left, SOON_NANOS);
  }

  @Override
  public boolean isMet() {
    return count == 0;
  }
}
