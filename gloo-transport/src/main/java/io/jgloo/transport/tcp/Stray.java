package io.jgloo.transport.tcp;

import io.jgloo.transport.Memory;

/** A message that came, or was announced, before a receive for it was posted. */
final class Stray {

  final long slot;
  final long length;
  final long fingerprintHigh;
  final long fingerprintLow;

  /** Only announced: its bytes are still with the sender. */
  final boolean announced;

  /** Place in the order of arrival over all pairs of the mesh, for receives from any. */
  final long order;

  /** Its bytes so far; 0 if it has none. */
  long memory;

  /** All bytes are here. */
  boolean complete;

  /** A receive that took it before all bytes were here. */
  TcpRequest claimedBy;

  /** Next of the pair. */
  Stray next;

  Stray(long header, boolean announced, long order) {
    slot = Frame.slot(header);
    length = Frame.length(header);
    fingerprintHigh = Frame.fingerprintHigh(header);
    fingerprintLow = Frame.fingerprintLow(header);
    this.announced = announced;
    this.order = order;
    if (!announced && length > 0) {
      memory = Memory.allocate(length, Memory.CACHE_LINE);
    }
    complete = announced || length == 0;
  }

  void free() {
    if (memory != 0) {
      Memory.free(memory);
      memory = 0;
    }
  }
}
