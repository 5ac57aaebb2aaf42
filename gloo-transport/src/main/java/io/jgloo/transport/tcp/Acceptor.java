package io.jgloo.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;

/** A listening, non-blocking socket. */
abstract class Acceptor extends Pollable {

  /** The next connection, or null if there is none. */
  abstract Link accept() throws IOException;

  abstract InetSocketAddress localAddress();
}
