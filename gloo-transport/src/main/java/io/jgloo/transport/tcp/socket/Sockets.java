package io.jgloo.transport.tcp.socket;

import io.jgloo.transport.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Makes sockets of one kind and pollers for them. */
public abstract class Sockets {

  /** What the attribute {@code sockets} calls this kind. */
  public abstract String name();

  public abstract Poller newPoller() throws IOException;

  /**
   * A listening socket.
   *
   * @param address to bind; port 0 lets the system choose
   * @param congestionControl for accepted connections, or null for the system's default
   */
  public abstract Acceptor listen(InetSocketAddress address, int backlog, String congestionControl)
      throws IOException;

  /**
   * Starts to connect.
   *
   * @param congestionControl for the connection, or null for the system's default
   */
  public abstract Link dial(InetSocketAddress address, String congestionControl) throws IOException;

  /** The system's default congestion control, or null if it cannot be known. */
  public abstract String defaultCongestionControl();

  /** Whether each of them is an open file of this process. */
  public boolean areFiles() {
    return true;
  }

  /** Names this host so that two ranks can tell whether they share one. */
  public String host(Wire wire) {
    return wire.isGloo() ? HostIdentity.name() : HostIdentity.own();
  }

  /** Whether an address is one of this host's. */
  public boolean isOwn(InetAddress address) {
    return Interfaces.isOwn(address);
  }
}
