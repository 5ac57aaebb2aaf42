package io.jgloo.transport.tcp;

import io.jgloo.transport.Chain;
import java.util.function.LongPredicate;

/** Requests in order: posted, granted or completed. */
final class RequestList extends Chain<TcpRequest> {

  /** Adds a request before the first of its slot that was posted later. */
  void addInOrder(TcpRequest request) {
    TcpRequest before = null;
    TcpRequest at = first();
    while (at != null && (at.slot() != request.slot() || at.order < request.order)) {
      before = at;
      at = at.next();
    }
    addBehind(before, request);
  }

  /** The first request of a slot, left in place, or null. */
  TcpRequest find(long slot) {
    TcpRequest at = first();
    while (at != null && at.slot() != slot) {
      at = at.next();
    }
    return at;
  }

  /** Whether there is a request of one of these slots. */
  boolean has(LongPredicate slots) {
    TcpRequest at = first();
    while (at != null && !slots.test(at.slot())) {
      at = at.next();
    }
    return at != null;
  }

  /** The first request of a slot that listens to this rank, left in place, or null. */
  TcpRequest find(long slot, int peer) {
    TcpRequest at = first();
    while (at != null && (at.slot() != slot || !at.peers.get(peer))) {
      at = at.next();
    }
    return at;
  }
}
