package io.jgloo.ps.client;

import io.jgloo.ps.membership.Members;
import io.jgloo.transport.JGlooException;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The calls of a customer by timestamp: those under way, and the last ones that failed.
 *
 * <p><i>Threads</i>: any.
 */
public final class Calls<A> {

  /** How far back a failed call can be waited for, and repeated. */
  private static final int KEPT = 4096;

  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final AtomicInteger next = new AtomicInteger();
  private final ConcurrentSkipListMap<Integer, Call<A>> calls = new ConcurrentSkipListMap<>();

  public int newTimestamp() {
    return next.getAndIncrement();
  }

  public void add(Call<A> call) {
    calls.put(call.timestamp(), call);
  }

  /** A call has ended: it is forgotten if it was executed. */
  public void ended(Call<A> call) {
    if (call.failure() == null) {
      calls.remove(call.timestamp());
    }
    int oldest = next.get() - KEPT;
    for (Map.Entry<Integer, Call<A>> entry : calls.headMap(oldest).entrySet()) {
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
  public TopKeys.Selection<A> selection(int repeated) {
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

  /** The lowest timestamp that may be repeated. */
  public int floor() {
    Map.Entry<Integer, Call<A>> first = calls.firstEntry();
    int now = next.get();
    return first == null ? now : Math.max(first.getKey(), now - KEPT);
  }

  /**
   * Waits for a call.
   *
   * @throws IllegalArgumentException if there was no such call
   * @throws JGlooException if it failed
   */
  public void await(Members members, int timestamp) {
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
