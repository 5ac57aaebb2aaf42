package io.jgloo.transport.ibverbs;

import io.jgloo.transport.SlotChain;

/** Posted requests in order. */
final class RequestList extends SlotChain<IbverbsRequest> {

  /**
   * The first request of a slot, left in place, or null.
   *
   * @param peer that it must listen to, or -1
   */
  IbverbsRequest find(long slot, int peer) {
    Place<IbverbsRequest> at = at(slot);
    while (at != null && peer >= 0 && !at.node().peers.get(peer)) {
      at = at.next();
    }
    return at == null ? null : at.node();
  }
}
