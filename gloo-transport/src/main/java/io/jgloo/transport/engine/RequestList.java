package io.jgloo.transport.engine;

import java.util.function.LongPredicate;

/** Requests in order: posted or granted. */
public final class RequestList extends SlotChain<EngineRequest> {

  /** Adds a request before the first of its slot that was posted later. */
  public void addInOrder(EngineRequest request) {
    Place<EngineRequest> at = at(request.slot());
    while (at != null && at.node().isBefore(request)) {
      at = at.next();
    }
    addBefore(at, request);
  }

  /** The first request of a slot that listens to this rank, left in place, or null. */
  EngineRequest find(long slot, int peer) {
    Place<EngineRequest> at = at(slot);
    while (at != null && !at.node().peers.get(peer)) {
      at = at.next();
    }
    return at == null ? null : at.node();
  }

  /** Whether there is a request of one of these slots. */
  boolean has(LongPredicate slots) {
    for (EngineRequest request : this) {
      if (slots.test(request.slot())) {
        return true;
      }
    }
    return false;
  }
}
