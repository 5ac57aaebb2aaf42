package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.Address;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Liveness;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import org.junit.jupiter.api.BeforeAll;

/** The TCP device on epoll keeps the contract. */
class TcpDeviceTest extends DeviceContract {

  private static final DeviceOptions LOOPBACK = Loopback.OPTIONS;

  /** The runtime opens a descriptor of its own with its first socket and keeps it. */
  @BeforeAll
  static void useSocketsOnce() {
    try (Device device = Devices.open("tcp", LOOPBACK)) {
      Address address = device.newMesh(new Membership("first", 0, 0, 2)).address();
      try (Device other = Devices.open("tcp", LOOPBACK)) {
        assertEquals(Liveness.ALIVE, other.liveness(address, Ranks.PATIENCE));
      }
    }
  }

  @Override
  public Ranks ranks(int size) {
    return new ThreadRanks(size, rank -> Devices.open("tcp", LOOPBACK));
  }
}
