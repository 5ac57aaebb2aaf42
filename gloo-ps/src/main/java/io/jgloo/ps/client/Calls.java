package io.jgloo.ps.client;

import io.jgloo.ps.membership.Members;
import io.jgloo.transport.JGlooException;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * The calls of a customer by timestamp: those under way, and the last ones that failed.
 *
 * <p><i>Threads</i>: any.
 */
public final class Calls<A> {

  /** How far back a failed call can be waited for, and repeated. */
  private static final int KEPT = 4096;

  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final AtomicLong next = new AtomicLong();
  private final ConcurrentSkipListMap<Long, Call<A>> calls = new ConcurrentSkipListMap<>();

  /** Identities of repetitions under way, with their numbers. */
  private final ConcurrentSkipListMap<Long, Integer> repeatedIdentities =
      new ConcurrentSkipListMap<>();

  /** Adds a call, which is made of its timestamp. */
  public synchronized Call<A> add(LongFunction<Call<A>> maker) {
    Call<A> call = maker.apply(next.getAndIncrement());
    calls.put(call.timestamp(), call);
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
      repeatedIdentities.merge(call.identity(), 1, Integer::sum); // first, so that it is kept
    }
    if (call == null || calls.get(repeated) == null) {
      if (call != null) {
        forgetRepetition(call.identity());
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
  public void ended(Call<A> call) {
    if (call.failure() == null) {
      calls.remove(call.timestamp());
    }
    if (call.identity() != call.timestamp()) {
      forgetRepetition(call.identity());
    }
    long oldest = next.get() - KEPT;
    for (Map.Entry<Long, Call<A>> entry : calls.headMap(oldest).entrySet()) {
      if (entry.getValue().isDone()) {
        calls.remove(entry.getKey());
      }
    }
  }

  /**
   * What a call has sent of a push; null without a call to repeat.
   *
   * @param repeated a timestamp, or -1
   * @throws IllegalArgumentException if the call is not known, or has sent all
   */
  public TopKeys.Selection<A> selection(long repeated) {
    if (repeated < 0) {
      return null;
    }
    Call<A> call = calls.get(repeated);
    if (call == null || call.selection() == null) {
      throw new IllegalArgumentException(
          "call " + repeated + " cannot be repeated: which of its keys were sent is not known");
    }
    return call.selection();
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
    while (!call.isDone() && !members.await(call::isDone, call.deadlineNanos() + LATE_NANOS)) {
      members.messenger().wakeup(); // the timer that ends the call is late
    }
    if (call.failure() != null) {
      throw call.failure().again("call " + timestamp);
    }
  }
}
