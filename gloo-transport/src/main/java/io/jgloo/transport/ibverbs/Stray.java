package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Chain;
import io.jgloo.transport.Memory;
import io.jgloo.transport.SlotChain;

/** A message that came, or was announced, before a receive for it was posted. */
final class Stray extends Chain.Linked<Stray> implements SlotChain.Node {

  /** Rooms of up to this size are kept for the next stray. */
  private static final long KEPT_BYTES = 16 << 10;

  long slot;
  long length;
  long fingerprintHigh;
  long fingerprintLow;

  /** Only announced: its bytes are still with the sender, who calls it by this number. */
  boolean announced;

  int message;

  /** Place in the order of arrival over all pairs of the mesh, for receives from any. */
  long order;

  private long memory;
  private long capacity;

  @Override
  public long slot() {
    return slot;
  }

  /** Takes down what a frame says, and its payload if it has one. */
  void take(long frame, boolean onlyAnnounced, long place) {
    slot = Frame.slot(frame);
    length = Frame.length(frame);
    fingerprintHigh = Frame.fingerprintHigh(frame);
    fingerprintLow = Frame.fingerprintLow(frame);
    announced = onlyAnnounced;
    message = Frame.message(frame);
    order = place;
    if (!announced && length > 0) {
      if (capacity < length) {
        free();
        capacity = Math.max(256, Long.highestOneBit(length - 1) << 1);
        memory = Memory.allocate(capacity, Memory.CACHE_LINE);
      }
      Memory.copy(frame + Frame.BYTES, memory, length);
    }
  }

  long memory() {
    return memory;
  }

  /** Frees its room unless that is small enough to be kept. */
  void trim() {
    if (capacity > KEPT_BYTES) {
      free();
    }
  }

  long capacity() {
    return capacity;
  }

  void free() {
    if (memory != 0) {
      Memory.free(memory);
      memory = 0;
      capacity = 0;
    }
  }
}
