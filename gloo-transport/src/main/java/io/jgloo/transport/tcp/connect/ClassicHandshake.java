package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.Address;
import io.jgloo.transport.Wire;
import io.jgloo.transport.cppgloo.CppGlooAddress;
import io.jgloo.transport.tcp.socket.Acceptor;
import io.jgloo.transport.tcp.socket.Link;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Gloo before May 2023: every pair listens on a port of its own, and no bytes are sent before the
 * first message.
 */
public final class ClassicHandshake extends Handshake {

  private static final int BACKLOG = 1;

  private final AtomicReferenceArray<Acceptor> acceptors; // null once the pair is connected
  private final InetSocketAddress[] listeners;

  ClassicHandshake(ConnectMesh mesh, ConnectDevice device) throws IOException {
    super(mesh, device);
    acceptors = new AtomicReferenceArray<>(mesh.size());
    listeners = new InetSocketAddress[mesh.size()];
    try {
      for (int peer = 0; peer < listeners.length; peer++) {
        if (peer != mesh.rank()) {
          listen(peer);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void listen(int peer) throws IOException {
    InetSocketAddress any = new InetSocketAddress(device.bound(), 0);
    Acceptor acceptor = device.sockets().listen(any, BACKLOG, mesh.settings().congestion());
    acceptors.set(peer, acceptor); // stored first, so that close finds it
    listeners[peer] =
        new InetSocketAddress(device.listener().getAddress(), acceptor.localAddress().getPort());
    device.attend(acceptor, mesh, link -> accepted(peer, link));
  }

  /** The first connection is taken for the peer's. */
  private boolean accepted(int peer, Link link) {
    if (!mesh.tryLock()) {
      device.retry(() -> link.closeUnless(() -> accepted(peer, link)), link::close);
      return true; // for now
    }
    try {
      boolean taken = mesh.connectionTable().accepted(peer, link);
      if (taken) {
        dismiss(peer);
      }
      return taken;
    } finally {
      mesh.unlock();
    }
  }

  @Override
  public Address address() {
    ByteBuffer payload = ByteBuffer.allocate((mesh.size() - 1) * CppGlooAddress.BYTES);
    for (int peer = 0; peer < listeners.length; peer++) {
      if (peer != mesh.rank()) {
        payload.put(new CppGlooAddress(listeners[peer], CppGlooAddress.NO_SEQUENCE).encode());
      }
    }
    return device.addressOf(payload.array());
  }

  @Override
  Endpoint endpoint(int peer, Address address) {
    return Endpoint.ofForeigner(
        CppGlooAddress.ofPair(
            Wire.GLOO_CLASSIC, address.payload(), peer, mesh.rank(), mesh.size()));
  }

  @Override
  boolean dials(int peer, Endpoint endpoint) {
    return CppGlooAddress.connects(
        new CppGlooAddress(listeners[peer], CppGlooAddress.NO_SEQUENCE),
        new CppGlooAddress(endpoint.listener(), CppGlooAddress.NO_SEQUENCE));
  }

  /**
   * Not earlier: a peer that is restarted has another address, by which it may become the dialling
   * side.
   */
  @Override
  void dialled(int peer) {
    dismiss(peer);
  }

  @Override
  ControlConnection newAttempt(ControlLoop loop, Link link, Dial dial, long deadlineNanos) {
    return new CppGlooConnectAttempt(loop, link, dial, deadlineNanos, new byte[0]);
  }

  private void dismiss(int peer) {
    Acceptor acceptor = acceptors.getAndSet(peer, null);
    if (acceptor != null) {
      device.dismiss(acceptor);
    }
  }

  @Override
  public void close() {
    for (int peer = 0; peer < listeners.length; peer++) {
      dismiss(peer);
    }
  }
}
