package io.jgloo.collectives.execution;

import io.jgloo.transport.Clock;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.capability.Diagnosis.Blockers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Names the ranks that hold up a call whose deadline has passed.
 *
 * <p>The ranks that a call waits for may themselves wait for another rank; the transport asks them.
 * Meanwhile the group goes on: another rank may find out first, and its notice ends the call.
 *
 * <p><em>Threads</em>: any.
 */
final class TimeoutCause {

  /** How long a rank has to answer: half the call's timeout, within these bounds. */
  private static final long MIN_PATIENCE_NANOS = 500_000_000;

  private static final long MAX_PATIENCE_NANOS = 2_000_000_000;

  private final Diagnosis diagnosis;
  private final Clock clock;
  private final CompletionQueue queue;

  TimeoutCause(Diagnosis diagnosis, Clock clock, CompletionQueue queue) {
    this.diagnosis = diagnosis;
    this.clock = clock;
    this.queue = queue;
  }

  /**
   * Why the run has not ended; takes up to twice the time that a rank has to answer.
   *
   * @param ended whether the run has ended after all
   */
  OperationTimeoutException of(Run run, CompletionQueue.Condition ended) {
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
}
