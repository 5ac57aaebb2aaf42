package io.jgloo.rendezvous.store;

import java.time.Duration;

/** A store at a server that speaks PyTorch's store protocol, ours or PyTorch's. */
public interface TcpStore extends ExtendedStore {
  /** The host at which clients reach the server. */
  String host();

  /** The port at which clients reach the server. */
  int port();

  /** Whether this handle serves the store; then {@link #close()} ends the store for all clients. */
  boolean isServer();

  /**
   * Counts one more process, as every process of a PyTorch job does whose size is known: its server
   * waits in its constructor until all have. The count is kept under a key that no user can set,
   * and that {@link #numKeys} counts.
   *
   * @return how many have been counted so far
   */
  long joinWorkers();

  /**
   * Waits until that many processes have been counted.
   *
   * @throws StoreTimeoutException with the number of those that have
   */
  void awaitWorkers(int count, Duration timeout);
}
