package io.jgloo.collectives.execution;

/**
 * The order of a group's calls: numbers them, and sums up the ones before.
 *
 * <p>A call can end well at ranks that disagree about it: two that each take themselves for the
 * root of a broadcast send to each other and expect nothing. The sum travels with the messages of
 * every later call, so the next message between the two shows it.
 *
 * <p><em>Threads</em>: any.
 */
final class CallOrder {

  /** Bits of the sum; one disagreement in 65536 goes unnoticed by one message. */
  static final int PAST_BITS = 16;

  private long next;
  private long past;

  /** Gives the run its place behind all before; under the lock of this object. */
  void admit(Run run) {
    run.place(next++, past >>> (Long.SIZE - PAST_BITS));
    past = mix(past ^ run.digest());
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
