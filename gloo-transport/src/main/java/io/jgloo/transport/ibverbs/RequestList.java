package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Chain;

/** Requests in order: posted or completed. */
final class RequestList extends Chain<IbverbsRequest> {

  /**
   * The first request of a slot, left in place, or null.
   *
   * @param peer that it must listen to, or -1
   */
  IbverbsRequest find(long slot, int peer) {
    IbverbsRequest at = first();
    while (at != null && (at.slot() != slot || (peer >= 0 && !at.peers.get(peer)))) {
      at = at.next();
    }
    return at;
  }
}
