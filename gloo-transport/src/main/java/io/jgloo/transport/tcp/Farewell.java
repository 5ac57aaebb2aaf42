package io.jgloo.transport.tcp;

import io.jgloo.transport.engine.EnginePair;

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
  void abort(byte[] notice, EnginePair source) {
    for (int peer = 0; peer < mesh.size(); peer++) {
      Stream stream = mesh.streamAt(peer);
      if (stream != null && stream.pair() != source) {
        abort(notice, stream);
      }
    }
  }

  /** Tells one peer why its pair has ended. */
  void abort(byte[] notice, Stream stream) {
    if (hears(stream) && !stream.rules().giveUp(notice)) {
      device.tellAside(mesh, mesh.roster().address(stream.pair().peer()), notice);
    }
  }

  /** Tells all peers that nothing more will come. */
  void goodbye() {
    for (int peer = 0; peer < mesh.size(); peer++) {
      Stream stream = mesh.streamAt(peer);
      if (stream != null && hears(stream)) {
        stream.rules().leave();
      }
    }
  }

  /** Lets go of a pair's connections; what is staged is sent still. */
  void linger(Stream stream) {
    byte[] staged = stream.outbox().takeStaged();
    for (Link link : stream.detach()) {
      device.linger(link, staged);
      staged = new byte[0];
    }
  }

  private static boolean hears(Stream stream) {
    return stream.link() != null && !stream.pair().hasDeparted();
  }
}
