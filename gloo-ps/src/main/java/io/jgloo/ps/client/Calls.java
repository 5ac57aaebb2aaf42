package io.jgloo.ps.client;

import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.membership.Members;
import io.jgloo.transport.JGlooException;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The calls of a customer by timestamp: those under way, and the last ones that failed.
 *
 * <p><i>Threads</i>: any.
 */
public final class Calls<A> {

  /** How far back a failed call can be waited for, and repeated. */
  public static final int KEPT = 4096;

  private final AtomicLong next = new AtomicLong();
  private final ConcurrentSkipListMap<Long, Call<A>> calls = new ConcurrentSkipListMap<>();

  /** Identities of repetitions under way, with their numbers. */
  private final ConcurrentSkipListMap<Long, Integer> repeatedIdentities =
      new ConcurrentSkipListMap<>();

  /**
   * Adds a call.
   *
   * @param repeated the call that it repeats; null for none
   * @param round the present one of the worker
   */
  public synchronized Call<A> add(
      Call<A> repeated,
      long round,
      ValueType<A> type,
      int flags,
      KvCall options,
      Sink<A> sink,
      long deadlineNanos) {
    long timestamp = next.getAndIncrement();
    long identity = repeated == null ? timestamp : repeated.identity;
    long first = repeated == null ? round : repeated.round;
    Call<A> call =
        new Call<>(this, timestamp, identity, first, type, flags, options, sink, deadlineNanos);
    calls.put(timestamp, call);
    return call;
  }

  /**
   * A call that is repeated: its repetition has the same identity. Null if it has succeeded.
   *
   * @throws IllegalArgumentException if servers may not know the repeated call any more
   */
  public Call<A> repeat(long repeated) {
    if (repeated >= next.get()) {
      throw new IllegalArgumentException("there was no call " + repeated + " to repeat");
    }
    Call<A> call = calls.get(repeated);
    if (call != null) {
      repeatedIdentities.merge(call.identity, 1, Integer::sum); // first, so that it is kept
    }
    if (call == null || calls.get(repeated) == null) {
      if (call != null) {
        forgetRepetition(call.identity);
      }
      if (repeated > next.get() - KEPT) {
        return null;
      }
      throw new IllegalArgumentException(
          ("call " + repeated + " cannot be repeated: it is older than the last ")
              + (KEPT + " calls"));
    }
    return call;
  }

  private void forgetRepetition(long identity) {
    repeatedIdentities.computeIfPresent(identity, (key, count) -> count == 1 ? null : count - 1);
  }

  /** A call has ended: it is forgotten if it was executed. */
  void ended(Call<A> call) {
    if (call.failure() == null) {
      calls.remove(call.timestamp());
    }
    if (call.identity != call.timestamp()) {
      forgetRepetition(call.identity);
    }
    long oldest = next.get() - KEPT;
    for (Map.Entry<Long, Call<A>> entry : calls.headMap(oldest).entrySet()) {
      if (entry.getValue().isDone()) {
        calls.remove(entry.getKey());
      }
    }
  }

  /** The lowest identity that may be repeated. */
  public synchronized long floor() {
    long now = next.get();
    Map.Entry<Long, Call<A>> first = calls.firstEntry();
    Map.Entry<Long, Integer> repeated = repeatedIdentities.firstEntry();
    return Math.min(
        first == null ? now : first.getKey(), repeated == null ? now : repeated.getKey());
  }

  /**
   * Waits for a call.
   *
   * @throws IllegalArgumentException if there was no such call
   * @throws JGlooException if it failed
   */
  public void await(Members members, long timestamp) {
    if (timestamp < 0 || timestamp >= next.get()) {
      throw new IllegalArgumentException("there was no call " + timestamp);
    }
    Call<A> call = calls.get(timestamp);
    if (call == null) {
      return;
    }
    members.awaitEnd(call::isDone, call.deadlineNanos);
    if (call.failure() != null) {
      throw call.failure().again("call " + timestamp);
    }
  }
}
