package io.jgloo.transport.sim;

import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import java.util.concurrent.atomic.AtomicInteger;

/** Holds devices opened by name, and used by threads no world knows, to the same contract. */
class SimForeignThreadsTest extends DeviceContract {

  private static final AtomicInteger WORLDS = new AtomicInteger();

  @Override
  public Ranks ranks(int size) {
    DeviceOptions options =
        DeviceOptions.DEFAULTS.with("world", "test-" + WORLDS.incrementAndGet()).with("seed", 5);
    return new ThreadRanks(size, rank -> Devices.open("sim", options));
  }

  @Override
  public long allocatedPerMessage() {
    return 4_000;
  }
}
