package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.Ranks;
import org.junit.jupiter.api.BeforeAll;

/** The contract holds when messages are read in the memory of the rank that sends them. */
class TcpHeapDeviceTest extends DeviceContract {

  @BeforeAll
  static void useSocketsOnce() {
    TcpDeviceTest.useSocketsOnce();
  }

  @Override
  public Ranks ranks(int size) {
    return new HeapRanks(size, 256 << 20, TcpMemoryDeviceTest.MEMORY);
  }
}
