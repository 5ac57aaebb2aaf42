package io.jgloo.transport.sim;

import io.jgloo.transport.GlooException;
import java.util.ArrayList;
import java.util.List;

/** The receives of one mesh that take from any of a set, in the order in which they were posted. */
final class AnyReceives {

  private final SimMesh mesh;
  private final List<SimRequest> posted = new ArrayList<>();

  AnyReceives(SimMesh mesh) {
    this.mesh = mesh;
  }

  /** Serves a receive with the earliest message of its set, or lets it wait for one. */
  void post(SimRequest request) {
    SimPair from = null;
    long earliest = Long.MAX_VALUE;
    for (int peer = request.peers.nextSetBit(0); peer >= 0; ) {
      long order = mesh.pairAt(peer).inbox().earliest(request.slot());
      if (order < earliest) {
        earliest = order;
        from = mesh.pairAt(peer);
      }
      peer = request.peers.nextSetBit(peer + 1);
    }
    if (from != null) {
      from.inbox().serveEarliest(request);
      return;
    }
    posted.add(request);
    if (isForsaken(request)) {
      mesh.fail(mesh.pairAt(request.peers.nextSetBit(0)).departure(), null);
    }
  }

  boolean cancel(SimRequest request) {
    boolean withdrawn = posted.remove(request);
    if (withdrawn) {
      request.cancel();
    }
    return withdrawn;
  }

  /** The first that listens to a peer on a slot, or null. */
  SimRequest first(long slot, int peer) {
    for (SimRequest request : posted) {
      if (request.slot() == slot && request.peers.get(peer)) {
        return request;
      }
    }
    return null;
  }

  void remove(SimRequest request) {
    posted.remove(request);
  }

  /** Whether one has lost the last rank of its set, this one. */
  boolean needs(int peer) {
    return posted.stream().anyMatch(request -> request.peers.get(peer) && isForsaken(request));
  }

  private boolean isForsaken(SimRequest request) {
    return request.peers.stream().allMatch(peer -> mesh.pairAt(peer).hasDeparted());
  }

  void failAll(GlooException cause) {
    List<SimRequest> all = new ArrayList<>(posted);
    posted.clear();
    all.forEach(request -> request.fail(cause));
  }
}
