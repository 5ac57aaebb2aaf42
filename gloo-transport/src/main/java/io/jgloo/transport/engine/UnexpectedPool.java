package io.jgloo.transport.engine;

/**
 * Keeps unexpected messages that are not in use, with their memory, so that a peer that is a little
 * ahead costs no allocation.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the messages that are not in use.
 */
public final class UnexpectedPool {

  /** Most bytes kept for later. */
  private static final long SPARE_BYTES = 4 << 20;

  private static final long SMALLEST_BYTES = 256;

  /** How many spare ones are looked at for one that is large enough. */
  private static final int LOOKS = 16;

  /** Spares without room, kept for messages that are empty or only announced. */
  private static final int BARE = 1024;

  private final Chain<UnexpectedMessage> bare = new Chain<>();
  private int bareCount;
  private final Chain<UnexpectedMessage> spare = new Chain<>();
  private long spareBytes;
  private boolean closed;

  /** A message with room for this many bytes. */
  public UnexpectedMessage take(long bytes) {
    if (bytes == 0) {
      return takeBare();
    }
    UnexpectedMessage at = spare.first();
    for (int looks = 1; at != null && looks < LOOKS && at.capacity() < bytes; looks++) {
      at = at.next();
    }
    if (at != null && at.capacity() >= bytes) {
      spare.remove(at);
      spareBytes -= at.capacity();
      return at;
    }
    return new UnexpectedMessage(capacity(bytes));
  }

  /** The next power of two, as far as one is worth it. */
  private static long capacity(long bytes) {
    boolean rounded = bytes <= SPARE_BYTES;
    return rounded ? Math.max(SMALLEST_BYTES, Long.highestOneBit(bytes - 1) << 1) : bytes;
  }

  private UnexpectedMessage takeBare() {
    if (bare.isEmpty()) {
      return new UnexpectedMessage(0);
    }
    bareCount--;
    return bare.poll();
  }

  /** Takes back a message that is no longer in use. */
  public void giveBack(UnexpectedMessage message) {
    message.claimedBy = null;
    if (message.capacity() == 0) {
      if (bareCount < BARE) {
        bareCount++;
        bare.addFirst(message);
      }
      return;
    }
    if (closed || spareBytes + message.capacity() > SPARE_BYTES) {
      message.free();
      return;
    }
    spareBytes += message.capacity();
    spare.addFirst(message);
  }

  /** Frees the messages that are not in use; those given back later are freed then. */
  public void close() {
    closed = true;
    spare.drain(UnexpectedMessage::free);
    spareBytes = 0;
  }
}
