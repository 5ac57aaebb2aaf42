package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Chain;
import io.jgloo.transport.SlotChain;

/**
 * The strays of a pair in order of arrival, and spare ones for the next.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: their memory.
 */
final class StrayList extends SlotChain<Stray> {

  /** Spare strays kept, at most 4 MiB of room. */
  private static final int MAX_SPARE = 256;

  private final Chain<Stray> spare = new Chain<>();
  private int spareCount;

  Stray add(long frame, boolean announced, long order) {
    Stray stray = spare.poll();
    if (stray == null) {
      stray = new Stray();
    } else {
      spareCount--;
    }
    stray.take(frame, announced, order);
    add(stray);
    return stray;
  }

  /** Takes out one whose bytes have been delivered. */
  void recycle(Stray stray) {
    remove(stray);
    stray.trim();
    if (spareCount < MAX_SPARE) {
      spare.addFirst(stray);
      spareCount++;
    } else {
      stray.free();
    }
  }

  void close() {
    drain(Stray::free);
    spare.drain(Stray::free);
    spareCount = 0;
  }
}
