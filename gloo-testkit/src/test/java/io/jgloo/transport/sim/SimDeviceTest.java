package io.jgloo.transport.sim;

import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.Ranks;

/** Holds the simulated device to the contract of all devices. */
class SimDeviceTest extends DeviceContract {

  @Override
  public Ranks ranks(int size) {
    return new SimRanks(new SimWorld(size, 20_240_607));
  }

  /** It is built for replay, not for speed: each message is a few objects. */
  @Override
  public long allocatedPerMessage() {
    return 4_000;
  }
}
