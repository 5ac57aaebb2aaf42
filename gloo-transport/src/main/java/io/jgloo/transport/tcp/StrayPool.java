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

  /** Spares without room, for messages that are empty or only announced. */
  private static final int BARE = 1024;

  private Stray bare;
  private int bareCount;
  private Stray spare;
  private long spareBytes;
  private boolean closed;

  /** A stray with room for this many bytes. */
  Stray take(long bytes) {
    if (bytes == 0) {
      return takeBare();
    }
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
    return new Stray(Math.max(SMALLEST_BYTES, Long.highestOneBit(bytes - 1) << 1));
  }

  private Stray takeBare() {
    Stray stray = bare;
    if (stray == null) {
      return new Stray(0);
    }
    bare = stray.next;
    bareCount--;
    return stray;
  }

  void giveBack(Stray stray) {
    stray.claimedBy = null;
    if (stray.capacity == 0) {
      if (bareCount < BARE) {
        bareCount++;
        stray.next = bare;
        bare = stray;
      }
      return;
    }
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
