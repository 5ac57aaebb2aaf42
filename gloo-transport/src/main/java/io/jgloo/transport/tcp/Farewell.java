package io.jgloo.transport.tcp;

import io.jgloo.transport.Address;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells the peers that this rank leaves or gives up; under the mesh's lock.
 *
 * <p>A notice goes behind what is in the stream already. Where a message is cut off in the stream,
 * or the socket is full, it goes by a connection of its own: padding the message instead could let
 * the peer complete a receive with bytes that were never sent.
 */
final class Farewell {

  private final TcpMesh mesh;
  private final TcpDevice device;

  Farewell(TcpMesh mesh, TcpDevice device) {
    this.mesh = mesh;
    this.device = device;
  }

  /** Tells all peers why the group is given up, but for the one that knows or cannot hear. */
  void abort(byte[] notice, TcpPair source) {
    List<Address> aside = new ArrayList<>();
    for (int peer = 0; peer < mesh.size(); peer++) {
      TcpPair pair = mesh.pairAt(peer);
      if (pair != null && pair != source && hears(pair) && !pair.flow().giveUp(notice)) {
        aside.add(mesh.roster().address(peer));
      }
    }
    device.tellAside(mesh, aside, notice);
  }

  /** Tells all peers that nothing more will come. */
  void goodbye() {
    for (int peer = 0; peer < mesh.size(); peer++) {
      TcpPair pair = mesh.pairAt(peer);
      if (pair != null && hears(pair)) {
        pair.flow().leave();
      }
    }
  }

  /** Lets go of a pair's connections; what is staged is sent still. */
  void linger(TcpPair pair) {
    byte[] staged = pair.outbox().takeStaged();
    for (Link link : pair.detach()) {
      device.linger(link, staged);
      staged = new byte[0];
    }
  }

  private static boolean hears(TcpPair pair) {
    return pair.link() != null && !pair.hasDeparted();
  }
}
