package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.Address;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.engine.EnginePair;
import io.jgloo.transport.tcp.wire.Welcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/**
 * Connects peers of a mesh with failure scope pairwise: peers that come later, and new processes in
 * place of earlier ones.
 *
 * <p><i>Threads</i>: under the mesh's lock.
 */
public final class LatePeers {

  private final ConnectMesh mesh;
  private final ConnectFailures failures;

  LatePeers(ConnectMesh mesh, ConnectFailures failures) {
    this.mesh = mesh;
    this.failures = failures;
  }

  /** The addresses known by now; null for a rank that has never published one. */
  static List<Address> merge(List<Address> known, List<Address> latest) {
    List<Address> all = new ArrayList<>(latest);
    for (int peer = 0; peer < known.size(); peer++) {
      if (all.get(peer) == null) {
        all.set(peer, known.get(peer));
      }
    }
    return Collections.unmodifiableList(all);
  }

  /**
   * Readies the pairs of all peers that have an address for a connection to it.
   *
   * @param before endpoints so far, or null
   * @param latest endpoints now; null for a rank without news
   * @return the endpoints that are known
   */
  Endpoint[] update(Endpoint[] before, Endpoint[] latest) {
    Endpoint[] all = before == null ? new Endpoint[latest.length] : before.clone();
    for (int peer = 0; peer < latest.length; peer++) {
      if (latest[peer] != null) {
        ready(mesh.pairAt(peer), all[peer], latest[peer]);
        all[peer] = latest[peer];
      }
    }
    return all;
  }

  private void ready(EnginePair pair, Endpoint before, Endpoint now) {
    int peer = pair.peer();
    boolean same = now.equals(before);
    mesh.connectionTable().cancelDial(peer); // the next dial has the timeout of this connect
    if (!same && pair.isOpen() && mesh.streamAt(peer).wasConnected()) {
      String reason = pair + " was replaced by a new process at " + now.listener();
      pair.fail(new PeerLostException(peer, reason, null), null);
    }
    if (same && pair.hasDeparted()) {
      failures.addFinal(peer, pair.departure()); // that process will not come back
    } else if (!pair.isOpen()) {
      pair.renew();
      failures.clear(peer);
    }
  }

  /** The answer to a process that connects a pair: its address must be known first. */
  Welcome.Status onJoining(int peer, UUID source) {
    if (mesh.streamAt(peer).link() != null && mesh.connectionTable().knows(peer, source)) {
      mesh.source().lookSoon(); // the end of its earlier connection was not seen yet
      return Welcome.Status.DUPLICATE;
    }
    return isAwaited(peer, source) ? Welcome.Status.ACCEPTED : Welcome.Status.NOT_YET;
  }

  /** Whether a process is the one that a pair is, or may be, connected to. */
  boolean isAwaited(int peer, UUID source) {
    return mesh.pairAt(peer).isOpen() && mesh.connectionTable().isExpected(peer, source);
  }

  /** Addresses by rank as hosts: empty where there is none. */
  static List<String> hosts(List<Address> addresses) {
    return addresses.stream().map(address -> address == null ? "" : address.host()).toList();
  }

  /** Of all ranks: those that have an address. */
  static BitSet present(Endpoint[] endpoints) {
    BitSet present = new BitSet();
    for (int peer = 0; peer < endpoints.length; peer++) {
      present.set(peer, endpoints[peer] != null);
    }
    return present;
  }
}
