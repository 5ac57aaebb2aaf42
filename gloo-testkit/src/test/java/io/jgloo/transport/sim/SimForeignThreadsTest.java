package io.jgloo.transport.sim;

import io.jgloo.transport.CancelContract;
import io.jgloo.transport.ClosingContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.ThreadsContract;
import io.jgloo.transport.WaitingContract;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;

/**
 * Devices opened by name, and used by threads that no world knows, keep the contracts in which
 * threads wait; {@link SimDeviceTest} holds the device to all of them.
 */
@Timeout(100)
class SimForeignThreadsTest
    implements CancelContract, WaitingContract, ThreadsContract, ClosingContract {

  private static final AtomicInteger WORLDS = new AtomicInteger();

  @Override
  public Ranks ranks(int size) {
    DeviceOptions options =
        DeviceOptions.DEFAULTS.with("world", "test-" + WORLDS.incrementAndGet()).with("seed", 5);
    return new ThreadRanks(size, rank -> Devices.open("sim", options));
  }
}
