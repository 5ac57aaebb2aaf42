package io.jgloo.transport.ibverbs;

/**
 * The strays of a pair in order of arrival, and spare ones for the next.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: their memory.
 */
final class StrayList {

  /** Spare strays kept, at most 4 MiB of room. */
  private static final int MAX_SPARE = 256;

  private Stray first;
  private Stray last;
  private Stray spare;
  private int spareCount;

  Stray add(long frame, boolean announced, long order) {
    Stray stray = spare;
    if (stray == null) {
      stray = new Stray();
    } else {
      spare = stray.next;
      spareCount--;
    }
    stray.take(frame, announced, order);
    if (last == null) {
      first = stray;
    } else {
      last.next = stray;
    }
    last = stray;
    return stray;
  }

  /** The oldest of a slot, or null. */
  Stray find(long slot) {
    for (Stray stray = first; stray != null; stray = stray.next) {
      if (stray.slot == slot) {
        return stray;
      }
    }
    return null;
  }

  /** Takes out one whose bytes have been delivered. */
  void remove(Stray stray) {
    Stray before = null;
    for (Stray at = first; at != stray; at = at.next) {
      before = at;
    }
    if (before == null) {
      first = stray.next;
    } else {
      before.next = stray.next;
    }
    if (last == stray) {
      last = before;
    }
    stray.trim();
    if (spareCount < MAX_SPARE) {
      stray.next = spare;
      spare = stray;
      spareCount++;
    } else {
      stray.next = null;
      stray.free();
    }
  }

  void close() {
    for (Stray stray = first; stray != null; stray = stray.next) {
      stray.free();
    }
    for (Stray stray = spare; stray != null; stray = stray.next) {
      stray.free();
    }
    first = null;
    last = null;
    spare = null;
    spareCount = 0;
  }
}
