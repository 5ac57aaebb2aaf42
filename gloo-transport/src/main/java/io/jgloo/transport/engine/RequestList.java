package io.jgloo.transport.engine;

/** Requests in order: posted, granted or completed. */
public final class RequestList extends Chain<EngineRequest> {

  /** Adds a request before the first of its slot that was posted later. */
  public void addInOrder(EngineRequest request) {
    EngineRequest before = null;
    EngineRequest at = first();
    while (at != null && (at.slot() != request.slot() || at.isBefore(request))) {
      before = at;
      at = at.next();
    }
    addBehind(before, request);
  }

  /** The first request of a slot, left in place, or null. */
  public EngineRequest find(long slot) {
    EngineRequest at = first();
    while (at != null && at.slot() != slot) {
      at = at.next();
    }
    return at;
  }

  /** The first request of a slot that listens to this rank, left in place, or null. */
  EngineRequest find(long slot, int peer) {
    EngineRequest at = first();
    while (at != null && (at.slot() != slot || !at.peers.get(peer))) {
      at = at.next();
    }
    return at;
  }
}
