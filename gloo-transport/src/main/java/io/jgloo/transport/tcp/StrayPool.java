package io.jgloo.transport.tcp;

import io.jgloo.transport.Chain;

/**
 * Keeps the room of strays for the next ones, so that a peer that is a little ahead costs no
 * allocation.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the strays that are not in use.
 */
final class StrayPool {

  /** Most bytes kept for later. */
  private static final long SPARE_BYTES = 4 << 20;

  private static final long SMALLEST_BYTES = 256;

  /** How many spare ones are looked at for one that is large enough. */
  private static final int LOOKS = 16;

  /** Spares without room, for messages that are empty or only announced. */
  private static final int BARE = 1024;

  private final Chain<Stray> bare = new Chain<>();
  private int bareCount;
  private final Chain<Stray> spare = new Chain<>();
  private long spareBytes;
  private boolean closed;

  /** A stray with room for this many bytes. */
  Stray take(long bytes) {
    if (bytes == 0) {
      return takeBare();
    }
    Stray at = spare.first();
    for (int looks = 1; at != null && looks < LOOKS && at.capacity < bytes; looks++) {
      at = at.next();
    }
    if (at != null && at.capacity >= bytes) {
      spare.remove(at);
      spareBytes -= at.capacity;
      return at;
    }
    return new Stray(capacity(bytes));
  }

  /** The next power of two, as far as there is one worth it. */
  private static long capacity(long bytes) {
    boolean rounded = bytes <= SPARE_BYTES;
    return rounded ? Math.max(SMALLEST_BYTES, Long.highestOneBit(bytes - 1) << 1) : bytes;
  }

  private Stray takeBare() {
    if (bare.isEmpty()) {
      return new Stray(0);
    }
    bareCount--;
    return bare.poll();
  }

  void giveBack(Stray stray) {
    stray.claimedBy = null;
    if (stray.capacity == 0) {
      if (bareCount < BARE) {
        bareCount++;
        bare.addFirst(stray);
      }
      return;
    }
    if (closed || spareBytes + stray.capacity > SPARE_BYTES) {
      stray.free();
      return;
    }
    spareBytes += stray.capacity;
    spare.addFirst(stray);
  }

  void close() {
    closed = true;
    spare.drain(Stray::free);
    spareBytes = 0;
  }
}
