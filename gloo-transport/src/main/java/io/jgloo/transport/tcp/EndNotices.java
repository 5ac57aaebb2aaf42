package io.jgloo.transport.tcp;

import io.jgloo.transport.engine.EnginePair;
import java.util.BitSet;

/**
 * Tells the peers that this rank leaves or gives up; under the mesh's lock.
 *
 * <p>A notice goes behind what is in the stream already. Where a message is cut off in the stream,
 * or the socket is full, it goes by a connection of its own: padding the message instead could let
 * the peer complete a receive with bytes that were never sent.
 */
final class EndNotices {

  /**
   * How long a message that is cut off stays open for the notice to come first: its end alone would
   * look as if this rank were the one that is lost.
   */
  private static final long NOTICE_NANOS = 300_000_000L;

  private final TcpMesh mesh;
  private final TcpDevice device;
  private final BitSet notifiedBySideChannel = new BitSet();

  EndNotices(TcpMesh mesh, TcpDevice device) {
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
    if (canReceive(stream) && !stream.rules().giveUp(notice)) {
      notifiedBySideChannel.set(stream.pair().peer());
      device.notifyBySideChannel(
          mesh, mesh.connectionTable().endpoint(stream.pair().peer()), notice);
    }
  }

  /** Tells all peers that nothing more will come. */
  void goodbye() {
    for (int peer = 0; peer < mesh.size(); peer++) {
      Stream stream = mesh.streamAt(peer);
      if (stream != null && canReceive(stream)) {
        stream.rules().leave();
      }
    }
  }

  /** Lets go of a pair's connections; what is staged is sent still. */
  void closeDelayed(Stream stream) {
    byte[] staged = stream.outbox().takeStaged();
    boolean waits = notifiedBySideChannel.get(stream.pair().peer());
    for (Link link : stream.detach()) {
      device.closeDelayed(link, staged, waits ? NOTICE_NANOS : 0);
      staged = new byte[0];
    }
  }

  private static boolean canReceive(Stream stream) {
    return stream.link() != null && !stream.pair().hasDeparted();
  }
}
