package io.jgloo.transport.tcp;

import io.jgloo.transport.Chain;
import io.jgloo.transport.Memory;
import io.jgloo.transport.Request;
import io.jgloo.transport.SlotChain;

/** A message that came, or was announced, before a receive for it was posted; reused. */
final class Stray extends Chain.Linked<Stray> implements SlotChain.Node {

  long slot;
  long length;
  long fingerprintHigh;
  long fingerprintLow;

  /** The place a bound message is for, or {@link Request#UNBOUND}. */
  long remoteOffset;

  /** Only announced: its bytes are still with the sender. */
  boolean announced;

  /** Place in the order of arrival over all pairs of the mesh, for receives from any. */
  long order;

  /** Room for its bytes; 0 if it has none. */
  final long memory;

  /** Size of that room. */
  final long capacity;

  /** All bytes are here. */
  boolean complete;

  /** The receive its bytes are being handed to. */
  TcpRequest claimedBy;

  Stray(long capacity) {
    this.capacity = capacity;
    memory = capacity == 0 ? 0 : Memory.allocate(capacity, Memory.CACHE_LINE);
  }

  @Override
  public long slot() {
    return slot;
  }

  /** Describes a message without fingerprints. */
  Stray describe(long itsSlot, long itsLength, boolean isAnnounced, long place) {
    slot = itsSlot;
    length = itsLength;
    fingerprintHigh = 0;
    fingerprintLow = 0;
    remoteOffset = Request.UNBOUND;
    announced = isAnnounced;
    order = place;
    complete = isAnnounced || length == 0;
    claimedBy = null;
    return this;
  }

  boolean isBound() {
    return remoteOffset != Request.UNBOUND;
  }

  void free() {
    if (memory != 0) {
      Memory.free(memory);
    }
  }
}
