package io.jgloo.rpc;

import io.jgloo.rpc.codec.Codec;
import io.jgloo.rpc.rref.protocol.Event;
import io.jgloo.rpc.rref.protocol.Outcome;
import io.jgloo.rpc.rref.protocol.Owned;
import io.jgloo.rpc.rref.protocol.RRefId;
import io.jgloo.rpc.rref.protocol.Reason;
import io.jgloo.transport.OperationTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The values of this agent's own references, for its own threads.
 *
 * <p><i>Threads</i>: any.
 */
final class Values {

  private final RRefs refs;

  /** Threads of this agent that wait until a value is set. */
  private final Map<RRefId, CompletableFuture<Void>> waiters = new ConcurrentHashMap<>();

  Values(RRefs refs) {
    this.refs = refs;
  }

  /** A function has ended. */
  void set(RRefId ref, Outcome outcome) {
    refs.tables().apply(new Event.ValueSet(ref, outcome));
    wake(ref);
  }

  /** The last handle of all agents is gone. */
  void dropped(RRefId ref, Outcome outcome) {
    discarded(outcome);
    wake(ref);
  }

  /** Nothing refers to the outcome any more. */
  void discarded(Outcome outcome) {
    if (outcome instanceof Outcome.Value value) {
      ((Stored) value.value()).release();
    }
  }

  private void wake(RRefId ref) {
    CompletableFuture<Void> waiter = waiters.isEmpty() ? null : waiters.remove(ref);
    if (waiter != null) {
      waiter.complete(null);
      refs.messenger().wakeup();
    }
  }

  private Outcome outcome(RRefId ref) {
    return refs.tables()
        .read(
            tables -> {
              Owned owned = tables.owners().get(ref);
              return owned == null ? new Outcome.Refused(Reason.CLOSED) : owned.outcome();
            });
  }

  <T> T read(RRefId ref, Codec<T> codec, long deadlineNanos) {
    Outcome outcome = outcome(ref);
    while (outcome == null) {
      CompletableFuture<Void> waiter =
          waiters.computeIfAbsent(ref, absent -> new CompletableFuture<>());
      boolean ended = outcome(ref) != null || refs.agent().await(waiter, deadlineNanos);
      outcome = outcome(ref);
      if (outcome == null && !ended) {
        throw new OperationTimeoutException(
            "the value of " + ref + " was not set before the deadline", List.of());
      }
    }
    Stored stored = (Stored) refs.valueOf(outcome, ref, ref, null);
    if (!stored.type().equals(codec.type())) {
      throw new IllegalStateException(
          "the value of " + ref + " is of type " + stored.type() + ", not " + codec.type());
    }
    @SuppressWarnings("unchecked") // the types are the same
    T value = (T) stored.value();
    return value;
  }
}
