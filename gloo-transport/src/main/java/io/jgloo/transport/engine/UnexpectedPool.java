package io.jgloo.transport.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps unexpected messages that are not in use, with their memory, so that a peer that is a little
 * ahead costs no allocation.
 *
 * <p><i>Threads</i>: under the mesh's lock. <i>Owns</i>: the messages that are not in use.
 */
public final class UnexpectedPool {

  /** Most bytes kept for later. */
  private static final long SPARE_BYTES = 4 << 20;

  /** Room is a power of two of bytes, from this exponent on. */
  private static final int SMALLEST = 8;

  private static final int LARGEST = Long.numberOfTrailingZeros(SPARE_BYTES);

  /** A message takes room of up to so many sizes above its own. */
  private static final int SIZES_ABOVE = 2;

  /** Spares without room, kept for messages that are empty or only announced. */
  private static final int BARE = 1024;

  private final ArrayDeque<UnexpectedMessage> bare = new ArrayDeque<>();
  private final List<ArrayDeque<UnexpectedMessage>> spare = new ArrayList<>();
  private long spareBytes;
  private boolean closed;

  UnexpectedPool() {
    for (int size = SMALLEST; size <= LARGEST; size++) {
      spare.add(new ArrayDeque<>(0));
    }
  }

  /** A message with room for this many bytes. */
  public UnexpectedMessage take(long bytes) {
    if (bytes == 0) {
      return bare.isEmpty() ? new UnexpectedMessage(0) : bare.poll();
    }
    if (bytes > SPARE_BYTES) {
      return new UnexpectedMessage(bytes);
    }
    int size = size(bytes);
    for (int i = size; i <= Math.min(size + SIZES_ABOVE, LARGEST); i++) {
      UnexpectedMessage message = spare.get(i - SMALLEST).poll();
      if (message != null) {
        spareBytes -= message.capacity();
        return message;
      }
    }
    return new UnexpectedMessage(1L << size);
  }

  /** The exponent of the next power of two. */
  private static int size(long bytes) {
    return Math.max(SMALLEST, Long.SIZE - Long.numberOfLeadingZeros(bytes - 1));
  }

  /** Takes back a message that is no longer in use. */
  public void giveBack(UnexpectedMessage message) {
    message.claimedBy = null;
    long capacity = message.capacity();
    if (capacity == 0) {
      if (bare.size() < BARE) {
        bare.push(message);
      }
    } else if (closed || spareBytes + capacity > SPARE_BYTES) {
      message.free();
    } else {
      spareBytes += capacity;
      spare.get(size(capacity) - SMALLEST).push(message);
    }
  }

  /** Frees the messages that are not in use; those given back later are freed then. */
  public void close() {
    closed = true;
    for (ArrayDeque<UnexpectedMessage> messages : spare) {
      messages.forEach(UnexpectedMessage::free);
      messages.clear();
    }
    spareBytes = 0;
  }
}
