package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceOptions;

/** Pairs of several connections fail alone, and are connected anew. */
class TcpStripesPairwiseTest extends TcpPairwiseTest {

  @Override
  DeviceOptions options() {
    return Loopback.OPTIONS.with("connections", 3);
  }
}
