package io.jgloo.transport.tcp.socket;

import java.io.IOException;
import java.net.InetSocketAddress;

/** A listening, non-blocking socket. */
public abstract class Acceptor extends Pollable {

  /** The next connection, or null if there is none. */
  public abstract Link accept() throws IOException;

  public abstract InetSocketAddress localAddress();
}
