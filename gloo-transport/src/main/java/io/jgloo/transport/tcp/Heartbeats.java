package io.jgloo.transport.tcp;

import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.tcp.connect.ConnectDevice;
import io.jgloo.transport.tcp.connect.ConnectMesh;
import io.jgloo.transport.tcp.stream.Settings;
import io.jgloo.transport.tcp.stream.Stream;
import io.jgloo.transport.tcp.wire.Frame;

/**
 * Sends a frame on links that are idle, and finds peers that have sent nothing for too long.
 *
 * <p>Only periods in which this rank has read its sockets count. So the time in which this process
 * itself was stopped is not held against its peers, and bytes of any kind are a sign of life.
 *
 * <p><i>Threads</i>: {@link #start} under the mesh's lock, the rest by the device's thread, which
 * never waits for that lock. <i>Fails</i>: the pair, with a {@link PeerLostException}.
 */
final class Heartbeats {

  /** A link that was idle for one of these parts of a period gets a frame. */
  private static final int CHECKS_PER_PERIOD = 2;

  private final ConnectMesh mesh;
  private final ConnectDevice device;
  private final int periodMillis;
  private final int misses;

  Heartbeats(ConnectMesh mesh, ConnectDevice device, Settings settings) {
    this.mesh = mesh;
    this.device = device;
    periodMillis = settings.pair().heartbeatMillis();
    misses = settings.misses();
  }

  void start() {
    if (periodMillis > 0 && mesh.size() > 1) {
      again();
    }
  }

  private void again() {
    device.later(periodMillis * 1_000_000L / CHECKS_PER_PERIOD, this::check);
  }

  private void check() {
    if (!mesh.tryLock()) {
      device.retry(this::check);
      return;
    }
    try {
      if (mesh.hasEnded()) {
        return;
      }
      mesh.look();
      for (int peer = 0; peer < mesh.size(); peer++) {
        check(mesh.streamAt(peer));
      }
    } finally {
      mesh.unlock();
    }
    again();
  }

  private void check(Stream stream) {
    if (stream == null || stream.link() == null || stream.pair().hasDeparted()) {
      return;
    }
    if (stream.silence() >= misses * CHECKS_PER_PERIOD) {
      int peer = stream.pair().peer();
      String reason =
          "peer %d%s has sent nothing for %d heartbeat periods of %d ms"
              .formatted(peer, stream.where(), misses, periodMillis);
      // Reported to the silent peer too, which may go on.
      stream.pair().fail(new PeerLostException(peer, reason, null), null);
    } else if (stream.wasIdle()) {
      stream.control(Frame.CREDIT, 0, 0);
    }
  }
}
