package io.jgloo.rendezvous.store;

/** A store at a server that speaks PyTorch's store protocol, ours or PyTorch's. */
public interface TcpStore extends Store {
  /** The host at which clients reach the server. */
  String host();

  /** The port at which clients reach the server. */
  int port();

  /** Whether this handle serves the store; then {@link #close()} ends the store for all clients. */
  boolean isServer();
}
