package io.jgloo.transport.sim;

import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.MemorySafetyContract;
import io.jgloo.transport.MismatchContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ReceiveAnyContract;
import io.jgloo.transport.ReductionContract;
import io.jgloo.transport.RepeatedSuites;
import io.jgloo.transport.UsageContract;

/**
 * Holds the simulated device to the contract of all devices.
 *
 * <p>Suites are repeated that look at messages only, which are those of the TCP device.
 */
@RepeatedSuites({
  ReductionContract.class,
  ReceiveAnyContract.class,
  MismatchContract.class,
  MemorySafetyContract.class,
  UsageContract.class
})
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
