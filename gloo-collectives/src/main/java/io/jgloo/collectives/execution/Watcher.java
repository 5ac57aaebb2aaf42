package io.jgloo.collectives.execution;

import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.InterruptedOperationException;
import java.util.concurrent.locks.LockSupport;

/**
 * The group's thread: makes progress for started calls for which no thread waits, and watches their
 * deadlines.
 *
 * <p>It exists from the first such call on, is parked while there is none, and makes way at once
 * for a thread that waits. After it has made way it looks again every half millisecond: to be woken
 * by each thread that stops driving would cost every blocking call a hand-over.
 */
final class Watcher implements CompletionQueue.Condition, Runnable {

  private static final long PATROL_NANOS = 500_000;

  private final StartedRuns started;
  private final FirstFailure failure;
  private final Driver driver;
  private final Thread thread;

  Watcher(String group, StartedRuns started, FirstFailure failure, Driver driver) {
    this.started = started;
    this.failure = failure;
    this.driver = driver;
    thread = new Thread(this, "gloo-async-" + group);
    thread.setDaemon(true);
    thread.start();
  }

  /** There is something new to drive, or the group closes. */
  void wake() {
    LockSupport.unpark(thread);
  }

  @Override
  public void run() {
    while (!failure.isClosed() || started.count() > 0) {
      if (started.count() == 0) {
        LockSupport.park(this);
      } else {
        drive();
        if (started.count() > 0) {
          LockSupport.parkNanos(this, PATROL_NANOS);
        }
      }
    }
  }

  private void drive() {
    try {
      driver.driveInBackground(this, started.nextDeadlineNanos());
      driver.expireStarted();
    } catch (InterruptedOperationException e) {
      Thread.interrupted(); // only close may stop this thread, and does not interrupt it
    } catch (Throwable e) {
      driver.broke(e); // without this thread the futures of started calls would stay open
    }
  }

  @Override
  public boolean isMet() {
    return started.count() == 0;
  }
}
