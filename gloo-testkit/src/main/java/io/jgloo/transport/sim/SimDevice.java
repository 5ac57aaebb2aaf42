package io.jgloo.transport.sim;

import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.TlsOptions;
import io.jgloo.transport.Wire;
import io.jgloo.transport.tcp.TcpProvider;
import java.time.Duration;
import java.util.Optional;

/** One rank's way into a simulated world: the TCP device on simulated sockets. */
final class SimDevice implements Device {

  private final Node node;
  private final Device tcp;
  private final Runnable onClose;
  private boolean closed;

  SimDevice(SimSockets sockets, SimPlatform platform, DeviceOptions options, Runnable onClose) {
    node = sockets.node();
    this.onClose = onClose;
    tcp = TcpProvider.open(Network.DEVICE, options, platform, sockets);
  }

  @Override
  public String name() {
    return tcp.name();
  }

  @Override
  public Clock clock() {
    return tcp.clock();
  }

  @Override
  public Wire wire() {
    return tcp.wire();
  }

  @Override
  public Optional<JobSecret> secret() {
    return tcp.secret();
  }

  @Override
  public Optional<TlsOptions> tls() {
    return tcp.tls();
  }

  @Override
  public Mesh newMesh(Membership membership) {
    return tcp.newMesh(membership);
  }

  @Override
  public Mesh newMesh(Membership membership, FailureScope scope) {
    return tcp.newMesh(membership, scope);
  }

  @Override
  public Liveness liveness(Address address, Duration timeout) {
    return tcp.liveness(address, timeout);
  }

  @Override
  public void close() {
    tcp.close();
    boolean first;
    synchronized (this) {
      first = !closed;
      closed = true;
    }
    if (first) {
      onClose.run();
    }
  }

  @Override
  public String toString() {
    return tcp + " of " + node;
  }
}
