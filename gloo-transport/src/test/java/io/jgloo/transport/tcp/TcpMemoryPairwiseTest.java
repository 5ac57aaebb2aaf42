package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceOptions;

/** Pairs that share memory fail alone, and are connected anew. */
class TcpMemoryPairwiseTest extends TcpPairwiseTest {

  @Override
  DeviceOptions options() {
    return TcpMemoryDeviceTest.MEMORY;
  }

  /** What is in memory when the socket breaks is read to the end. */
  @Override
  public boolean losesAtOnce() {
    return false;
  }
}
