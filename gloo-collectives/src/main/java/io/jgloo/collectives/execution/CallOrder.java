package io.jgloo.collectives.execution;

import io.jgloo.transport.MismatchException;
import io.jgloo.transport.Slot;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of a group's calls, with a record of the last ones.
 *
 * <p>A call can end well at ranks that disagree about it: two that each take themselves for the
 * root of a broadcast send to each other and expect nothing. The sum travels with the messages of
 * every later call, so the next message between the two shows it.
 *
 * <p>The record is a ring of arrays: a call stores what it is under the lock that gives it its
 * number, and its end without a lock. Times are nanoseconds of the clock, counted from its value at
 * the start so that none is 0. The ring is here, and not in a class of its own, because a short
 * call would enter one class more.
 *
 * <p><em>Threads</em>: any.
 */
final class CallOrder {

  /** Bits of the sum; one disagreement in 65536 goes unnoticed by one message. */
  static final int PAST_BITS = 16;

  /** Calls that are recorded; older ones are forgotten. */
  static final int RECORDED = 1 << 10;

  private static final int MASK = RECORDED - 1;

  /** Sequence number of a message, which has none. */
  static final long NONE = -1;

  /** In place of a time: the call ended before anybody looked at the clock. */
  private static final long AT_ONCE = 1;

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

  private long next;
  private long past;
  private Run last;
  private long lastSequence;
  private long beforeLast; // the value of past

  CallOrder(long nowNanos) {
    originNanos = nowNanos - AT_ONCE - 1;
  }

  /** Gives the run its place behind all before; under the lock of this object. */
  void admit(Run run) {
    long sequence = next++;
    run.place(sequence, past >>> (Long.SIZE - PAST_BITS));
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

  /** Records a message, which has no number; under the lock of this object. */
  void record(Run run, int peer, long tag, long bytes) {
    int at = record(run, (int) NONE);
    peers[at] = peer;
    tags[at] = tag;
    lengths[at] = bytes;
  }

  /** Notes when a recorded call started. */
  void started(Run run, long nanos) {
    int at = (int) run.entry & MASK;
    ends[at] = 0;
    starts[at] = nanos - originNanos;
  }

  /** Notes the end of a call, unless it has been forgotten. */
  @SuppressWarnings("GuardedBy") // a call that is forgotten at this moment may be noted or not
  void ended(Run run, long nanos, boolean failed) {
    if (recorded - run.entry <= RECORDED) {
      long time = nanos - originNanos;
      ends[(int) run.entry & MASK] = failed ? -time : time;
    }
  }

  /** Notes that the latest call, which was admitted alone, ended at once. */
  @SuppressWarnings("GuardedBy") // no other call is admitted before
  void endedAtOnce() {
    alone = NONE;
  }

  /**
   * A call as it was recorded.
   *
   * @param sequence its number, {@link #NONE} for a message
   * @param peer of a message; -1 for any
   * @param start in nanoseconds of the clock, or null if it is not known
   * @param end the same, or null
   */
  record Entry(
      CallKind kind,
      long sequence,
      int peer,
      long tag,
      long bytes,
      String state,
      Long start,
      Long end) {}

  /** The recorded calls in the order in which they were made. */
  synchronized List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (long each = Math.max(0, recorded - RECORDED); each < recorded; each++) {
      int at = (int) each & MASK;
      boolean timed = starts[at] != AT_ONCE;
      long end = timed ? ends[at] : each == alone ? 0 : AT_ONCE;
      boolean message = kinds[at].isMessage();
      entries.add(
          new Entry(
              kinds[at],
              message ? NONE : next - Integer.toUnsignedLong((int) next - sequences[at]),
              message ? peers[at] : -1,
              message ? tags[at] : -1,
              message ? lengths[at] : kinds[at].bytes(),
              end == 0 ? "running" : end < 0 ? "failed" : "done",
              timed ? starts[at] + originNanos : null,
              timed && end != 0 ? Math.abs(end) + originNanos : null));
    }
    return entries;
  }

  /** The last numbered call, as messages of it would name it; null if there is none. */
  synchronized MismatchException.Side last(int rank) {
    PlanFamily family = last instanceof Plan run ? run.family : null;
    return family == null || family.high() == 0
        ? null
        : new MismatchException.Side(
            rank,
            Slot.of(Slot.COLLECTIVE, lastSequence),
            0,
            family.high(),
            family.low(beforeLast >>> (Long.SIZE - PAST_BITS)));
  }

  /** How many calls were recorded, those included that are forgotten. */
  synchronized long count() {
    return recorded;
  }

  /** Numbers that no run bears; the first of so many. */
  synchronized long take(int count) {
    next += count;
    return next - count;
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
}
