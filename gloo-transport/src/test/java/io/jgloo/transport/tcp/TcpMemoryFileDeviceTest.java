package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import org.junit.jupiter.api.BeforeAll;

/** The contract holds with named files, and rings that nearly every message fills and wraps. */
class TcpMemoryFileDeviceTest extends DeviceContract {

  @BeforeAll
  static void useSocketsOnce() {
    TcpDeviceTest.useSocketsOnce();
  }

  @Override
  public Ranks ranks(int size) {
    return new ThreadRanks(
        size,
        rank ->
            Devices.open(
                "tcp", TcpMemoryDeviceTest.MEMORY.with("segment", "file").with("ring", "4096")));
  }
}
