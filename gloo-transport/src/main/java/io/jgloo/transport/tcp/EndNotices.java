package io.jgloo.transport.tcp;

import io.jgloo.transport.MismatchException;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.engine.EnginePair;
import io.jgloo.transport.tcp.connect.ConnectDevice;
import io.jgloo.transport.tcp.connect.ConnectMesh;
import io.jgloo.transport.tcp.connect.Endpoint;
import io.jgloo.transport.tcp.connect.SideChannel;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.stream.Stream;
import io.jgloo.transport.tcp.wire.AbortNotice;
import java.util.HashMap;
import java.util.Map;

/**
 * Notifies the peers that this rank leaves or has failed; under the mesh's lock.
 *
 * <p>A notice goes behind what is in the stream already. Where a message is cut off in the stream,
 * or the socket is full, it goes by a side channel. Rejected alternative: to pad the message, by
 * which the peer could complete a receive with bytes that were never sent.
 */
final class EndNotices {

  private final ConnectMesh mesh;
  private final ConnectDevice device;
  private final Map<Integer, SideChannel.Notice> bySideChannel = new HashMap<>();

  EndNotices(ConnectMesh mesh, ConnectDevice device) {
    this.mesh = mesh;
    this.device = device;
  }

  /** Sends all peers the cause of the failure, except the peer that is lost or knows it. */
  void abort(byte[] notice, EnginePair source) {
    for (int peer = 0; peer < mesh.size(); peer++) {
      Stream stream = mesh.streamAt(peer);
      if (stream != null && stream.pair() != source) {
        abort(notice, stream);
      }
    }
  }

  /** Sends one peer the cause for which its pair has ended. */
  void abort(byte[] notice, Stream stream) {
    if (canReceive(stream) && !stream.rules().giveUp(notice)) {
      sendPast(stream, notice);
    }
  }

  private void sendPast(Stream stream, byte[] notice) {
    int peer = stream.pair().peer();
    Endpoint endpoint = mesh.connectionTable().endpoint(peer);
    bySideChannel.put(peer, SideChannel.sendNotice(mesh, device, endpoint, notice));
  }

  /**
   * Tells all peers that nothing more will come; one whose message is cut off has lost it.
   *
   * @param lastCall of this rank, or null
   */
  void goodbye(MismatchException.Side lastCall) {
    for (int peer = 0; peer < mesh.size(); peer++) {
      Stream stream = mesh.streamAt(peer);
      if (stream != null && canReceive(stream)) {
        stream.rules().leave(lastCall);
        if (!mesh.wire().isGloo() && stream.isCutOff()) {
          String what = "rank " + mesh.rank() + " has left the group in the middle of a message";
          PeerDepartedException departure = new PeerDepartedException(mesh.rank(), what);
          sendPast(stream, AbortNotice.encode(mesh.rank(), departure));
        }
      }
    }
  }

  /**
   * Hands a pair's connections over to delayed closes, which send what is staged. A stream with a
   * cut-off message ends when the peer has heard the notice.
   */
  void closeDelayed(Stream stream) {
    byte[] staged = stream.takeStaged();
    SideChannel.Notice notice = bySideChannel.get(stream.pair().peer());
    for (Link link : stream.detach()) {
      device.closeDelayed(link, staged, notice);
      staged = new byte[0];
    }
  }

  private static boolean canReceive(Stream stream) {
    return stream.link() != null && !stream.pair().hasDeparted();
  }
}
