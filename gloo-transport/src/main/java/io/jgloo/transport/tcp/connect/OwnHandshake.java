package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.Address;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.wire.Hello;

/** Between JGloo ranks: the higher rank dials the lower one's device and sends a {@link Hello}. */
public final class OwnHandshake extends Handshake {

  OwnHandshake(ConnectMesh mesh, ConnectDevice device) {
    super(mesh, device);
  }

  @Override
  public Address address() {
    return device.addressOf(mesh.incarnation());
  }

  @Override
  Endpoint endpoint(int peer, Address address) {
    return Endpoint.decode(address, device.name());
  }

  @Override
  boolean dials(int peer, Endpoint endpoint) {
    return peer < mesh.rank();
  }

  @Override
  ControlConnection newAttempt(ControlLoop loop, Link link, Dial dial, long deadlineNanos) {
    return new ConnectAttempt(loop, link, dial, deadlineNanos);
  }

  @Override
  public void close() {
    // The device forgets the incarnation.
  }
}
