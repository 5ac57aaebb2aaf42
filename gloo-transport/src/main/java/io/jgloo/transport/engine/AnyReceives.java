package io.jgloo.transport.engine;

import io.jgloo.transport.GlooException;

/**
 * Receives that take the earliest message from any of a set of ranks.
 *
 * <p>Messages are taken in order of arrival over all pairs, so no peer starves another.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
public final class AnyReceives {

  private final EngineMesh mesh;
  private final RequestList posted = new RequestList();

  AnyReceives(EngineMesh mesh) {
    this.mesh = mesh;
  }

  /** Posts a receive, or serves it with the earliest message that is here already. */
  void post(EngineRequest request) {
    request.pair = null;
    EnginePair from = null;
    UnexpectedMessage earliest = null;
    for (int peer = request.peers.nextSetBit(0);
        peer >= 0;
        peer = request.peers.nextSetBit(peer + 1)) {
      UnexpectedMessage message = mesh.pairAt(peer).route().find(request.slot());
      if (message != null && (earliest == null || message.order() < earliest.order())) {
        earliest = message;
        from = mesh.pairAt(peer);
      }
    }
    if (from != null) {
      request.pair = from;
      from.serve(request, earliest);
      return;
    }
    posted.add(request);
    if (isHopeless(request)) {
      EnginePair first = mesh.pairAt(request.peers.nextSetBit(0));
      mesh.fail(first.departure(), null);
    }
  }

  public boolean isEmpty() {
    return posted.isEmpty();
  }

  /** The receive that is next for a message of this slot from this rank, left in place, or null. */
  EngineRequest find(long slot, int peer) {
    return posted.isEmpty() ? null : posted.find(slot, peer);
  }

  void remove(EngineRequest request) {
    posted.remove(request);
  }

  /** Withdraws a receive that has not been matched; false if it is too late. */
  boolean cancel(EngineRequest request) {
    if (!posted.remove(request)) {
      return false;
    }
    request.cancel();
    return true;
  }

  /** Whether a receive can only be served by ranks that have left, this one the last of them. */
  boolean needs(int peer) {
    for (EngineRequest request : posted) {
      if (request.peers.get(peer) && isHopeless(request)) {
        return true;
      }
    }
    return false;
  }

  void failAll(GlooException cause) {
    posted.drain(request -> request.fail(cause));
  }

  private boolean isHopeless(EngineRequest request) {
    return request.peers.stream().allMatch(peer -> mesh.pairAt(peer).hasDeparted());
  }
}
