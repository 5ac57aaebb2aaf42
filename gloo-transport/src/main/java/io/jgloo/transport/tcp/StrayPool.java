package io.jgloo.transport.tcp;

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

  private Stray spare;
  private long spareBytes;
  private boolean closed;

  /** A stray with room for this many bytes. */
  Stray take(long bytes) {
    Stray before = null;
    int looks = 0;
    for (Stray at = spare; at != null && looks < LOOKS; before = at, at = at.next, looks++) {
      if (at.capacity >= bytes) {
        if (before == null) {
          spare = at.next;
        } else {
          before.next = at.next;
        }
        spareBytes -= at.capacity;
        return at;
      }
    }
    return new Stray(Math.max(SMALLEST_BYTES, Long.highestOneBit(Math.max(1, bytes - 1)) << 1));
  }

  void giveBack(Stray stray) {
    stray.claimedBy = null;
    if (closed || spareBytes + stray.capacity > SPARE_BYTES) {
      stray.free();
      return;
    }
    spareBytes += stray.capacity;
    stray.next = spare;
    spare = stray;
  }

  void close() {
    closed = true;
    for (Stray at = spare; at != null; at = at.next) {
      at.free();
    }
    spare = null;
    spareBytes = 0;
  }
}
