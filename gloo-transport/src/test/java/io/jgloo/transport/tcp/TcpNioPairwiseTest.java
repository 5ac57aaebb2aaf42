package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceOptions;

/** Pairs of the TCP device without epoll fail alone, and are connected anew. */
class TcpNioPairwiseTest extends TcpPairwiseTest {

  @Override
  DeviceOptions options() {
    return Loopback.OPTIONS.with("sockets", "nio");
  }
}
