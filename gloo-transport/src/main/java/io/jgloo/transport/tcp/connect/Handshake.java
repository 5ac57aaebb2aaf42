package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.Address;
import io.jgloo.transport.Wire;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.wire.Hello;
import java.io.IOException;

/**
 * The way the pairs of a mesh are connected on a wire: where they listen, which rank dials, and
 * which bytes are exchanged before the first message.
 *
 * <p><i>Owns</i>: its listening sockets, if any beside the device's.
 */
public abstract class Handshake implements AutoCloseable {

  final ConnectMesh mesh;
  final ConnectDevice device;

  Handshake(ConnectMesh mesh, ConnectDevice device) {
    this.mesh = mesh;
    this.device = device;
  }

  public static Handshake of(ConnectMesh mesh, ConnectDevice device) throws IOException {
    Wire wire = mesh.wire();
    if (wire == Wire.JGLOO) {
      return new Own(mesh, device);
    }
    return wire == Wire.GLOO
        ? new CppGlooHandshake(mesh, device)
        : new ClassicHandshake(mesh, device);
  }

  /** Where peers reach the mesh. */
  public abstract Address address();

  /** Where this rank reaches a peer. */
  abstract Endpoint endpoint(int peer, Address address);

  /** Whether this rank dials the peer, or waits for it. */
  abstract boolean dials(int peer, Endpoint endpoint);

  /** This rank has dialled the peer, and the pair is connected. */
  void dialled(int peer) {}

  /** One attempt to become a pair's connection, on a link that has begun to connect. */
  abstract ControlConnection newAttempt(ControlLoop loop, Link link, Dial dial, long deadlineNanos);

  @Override
  public abstract void close();

  /**
   * Between JGloo ranks: the higher rank dials the lower one's device and sends a {@link Hello}.
   */
  private static final class Own extends Handshake {
    Own(ConnectMesh mesh, ConnectDevice device) {
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
}
