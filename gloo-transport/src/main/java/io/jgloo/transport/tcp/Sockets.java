package io.jgloo.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;

/** Makes sockets of one kind and pollers for them. */
abstract class Sockets {

  /** What the attribute {@code sockets} calls this kind. */
  abstract String name();

  abstract Poller newPoller() throws IOException;

  /**
   * A listening socket.
   *
   * @param address to bind; port 0 lets the system choose
   * @param congestionControl for accepted connections, or null for the system's default
   */
  abstract Acceptor listen(InetSocketAddress address, int backlog, String congestionControl)
      throws IOException;

  /**
   * Starts to connect.
   *
   * @param congestionControl for the connection, or null for the system's default
   */
  abstract Link dial(InetSocketAddress address, String congestionControl) throws IOException;

  /** The system's default congestion control, or null if it cannot be known. */
  abstract String defaultCongestionControl();
}
