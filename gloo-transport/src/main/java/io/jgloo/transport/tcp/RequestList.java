package io.jgloo.transport.tcp;

import io.jgloo.transport.SlotChain;

/** Requests in order: posted or granted. */
final class RequestList extends SlotChain<TcpRequest> {

  /** Adds a request before the first of its slot that was posted later. */
  void addInOrder(TcpRequest request) {
    Place<TcpRequest> at = at(request.slot());
    while (at != null && at.node().order < request.order) {
      at = at.next();
    }
    addBefore(at, request);
  }

  /** The first request of a slot that listens to this rank, left in place, or null. */
  TcpRequest find(long slot, int peer) {
    Place<TcpRequest> at = at(slot);
    while (at != null && !at.node().peers.get(peer)) {
      at = at.next();
    }
    return at == null ? null : at.node();
  }
}
