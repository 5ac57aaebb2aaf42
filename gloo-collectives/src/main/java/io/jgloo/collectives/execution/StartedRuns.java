package io.jgloo.collectives.execution;

import io.jgloo.transport.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * The started runs, for which perhaps no thread waits.
 *
 * <p><em>Threads</em>: any.
 */
final class StartedRuns {

  private static final long EVER_NANOS = Long.MAX_VALUE / 4;

  /** For runs that were failed at their deadlines and wait for their requests to end. */
  private static final long SOON_NANOS = 1_000_000;

  /** A run whose deadline has passed, and which of its calls that was. */
  record Overdue(Run run, Pending pending) {}

  private final Clock clock;
  private final List<Run> runs = new ArrayList<>();
  private volatile int count;

  StartedRuns(Clock clock) {
    this.clock = clock;
  }

  synchronized void add(Run run) {
    runs.add(run);
    count = runs.size();
  }

  synchronized void remove(Run run) {
    runs.remove(run);
    count = runs.size();
  }

  /** How many there are. */
  int count() {
    return count;
  }

  synchronized List<Overdue> overdue() {
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
  synchronized long nextDeadlineNanos() {
    long now = clock.nanoTime();
    long left = EVER_NANOS;
    for (Run run : runs) {
      left = Math.min(left, run.deadlineNanos() - now);
    }
    return now + Math.max(left, SOON_NANOS);
  }
}
