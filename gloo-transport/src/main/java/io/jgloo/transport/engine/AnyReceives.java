package io.jgloo.transport.engine;

import io.jgloo.transport.JGlooException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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
    if (!isServed(request)) {
      posted.add(request);
      checkHope(request);
    }
  }

  /** Posts a receive again whose message will not come, in its place among the others. */
  void postAgain(EngineRequest request) {
    if (!request.isDone() && !isServed(request)) {
      posted.addInOrder(request);
      checkHope(request);
    }
  }

  private boolean isServed(EngineRequest request) {
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
    }
    return from != null;
  }

  private void checkHope(EngineRequest request) {
    if (!isHopeless(request)) {
      return;
    }
    if (mesh.isPairwise()) {
      posted.remove(request);
      request.fail(lastCause(request));
    } else {
      EnginePair first = mesh.pairAt(request.peers.nextSetBit(0));
      mesh.fail(first.departure(), null);
    }
  }

  /** Fails the receives all of whose ranks have ended. */
  void failHopeless(JGlooException cause) {
    List<EngineRequest> hopeless = new ArrayList<>();
    for (EngineRequest request : posted) {
      if (isHopeless(request)) {
        hopeless.add(request);
      }
    }
    for (EngineRequest request : hopeless) {
      posted.remove(request);
      request.fail(cause);
    }
  }

  private JGlooException lastCause(EngineRequest request) {
    return request.peers.stream()
        .mapToObj(mesh::pairAt)
        .max(Comparator.comparingLong(EnginePair::endOrder))
        .flatMap(EnginePair::failure)
        .orElseThrow();
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
    request.endCancelled();
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

  /** Whether a receive may be served by this rank. */
  boolean listensTo(int peer) {
    for (EngineRequest request : posted) {
      if (request.peers.get(peer)) {
        return true;
      }
    }
    return false;
  }

  void failAll(JGlooException cause) {
    posted.drain(request -> request.fail(cause));
  }

  private boolean isHopeless(EngineRequest request) {
    return request.peers.stream().allMatch(peer -> mesh.pairAt(peer).isGone());
  }
}
