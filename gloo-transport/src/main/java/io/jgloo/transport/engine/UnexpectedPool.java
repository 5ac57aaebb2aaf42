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
  private static final long MAX_FREE_BYTES = 4 << 20;

  /** Room is a power of two of bytes, from this exponent on. */
  private static final int SMALLEST = 8;

  private static final int LARGEST = Long.numberOfTrailingZeros(MAX_FREE_BYTES);

  /** A message takes room of up to so many sizes above its own. */
  private static final int SIZES_ABOVE = 2;

  /** Spares without room, kept for messages that are empty or only announced. */
  private static final int MAX_FREE_EMPTY = 1024;

  private final ArrayDeque<UnexpectedMessage> freeEmpty = new ArrayDeque<>();
  private final List<ArrayDeque<UnexpectedMessage>> free = new ArrayList<>();
  private long freeBytes;
  private boolean closed;

  UnexpectedPool() {
    for (int size = SMALLEST; size <= LARGEST; size++) {
      free.add(new ArrayDeque<>(0));
    }
  }

  /** A message with room for this many bytes. */
  public UnexpectedMessage take(long bytes) {
    if (bytes == 0) {
      return freeEmpty.isEmpty() ? new UnexpectedMessage(0) : freeEmpty.poll();
    }
    if (bytes > MAX_FREE_BYTES) {
      return new UnexpectedMessage(bytes);
    }
    int size = size(bytes);
    for (int i = size; i <= Math.min(size + SIZES_ABOVE, LARGEST); i++) {
      UnexpectedMessage message = free.get(i - SMALLEST).poll();
      if (message != null) {
        freeBytes -= message.capacity();
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
      if (freeEmpty.size() < MAX_FREE_EMPTY) {
        freeEmpty.push(message);
      }
    } else if (closed || freeBytes + capacity > MAX_FREE_BYTES) {
      message.free();
    } else {
      freeBytes += capacity;
      free.get(size(capacity) - SMALLEST).push(message);
    }
  }

  /** Frees the messages that are not in use; those given back later are freed then. */
  public void close() {
    closed = true;
    for (ArrayDeque<UnexpectedMessage> messages : free) {
      messages.forEach(UnexpectedMessage::free);
      messages.clear();
    }
    freeBytes = 0;
  }
}
