package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.Ranks;
import org.junit.jupiter.api.BeforeAll;

/**
 * The contract holds with named files, and rings that frames of any kind fill and wrap. All pages
 * of such a file are reserved when it is made, which takes longer than most tests; so the heap is
 * small here, and longer areas are private.
 */
class TcpHeapFileDeviceTest extends DeviceContract {

  @BeforeAll
  static void useSocketsOnce() {
    TcpDeviceTest.useSocketsOnce();
  }

  @Override
  public Ranks ranks(int size) {
    return new HeapRanks(
        size, 2 << 20, TcpMemoryDeviceTest.MEMORY.with("segment", "file").with("ring", "4096"));
  }
}
