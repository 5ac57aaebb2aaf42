package io.jgloo.rendezvous.store;

import java.net.InetSocketAddress;

/** A server of stores for clients of other processes, without a client of its own. */
public interface TcpStoreServer extends AutoCloseable {
  /** The address it listens on, with the port as chosen. */
  InetSocketAddress address();

  /** The port it listens on. */
  int port();

  /** The number of connections it has closed because they exceeded its limits or the protocol. */
  long rejected();

  /** Closes the socket and all connections and ends the thread; all keys are lost. Idempotent. */
  @Override
  void close();
}
