package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceOptions;

/** Pairs that are connected on demand fail alone, and are connected anew. */
class TcpLazyPairwiseTest extends TcpPairwiseTest {

  @Override
  DeviceOptions options() {
    return TcpLazyDeviceTest.LAZY;
  }

  @Override
  public boolean connectsOnDemand() {
    return true;
  }
}
