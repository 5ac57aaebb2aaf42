package io.jgloo.transport.sim;

import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Holds devices opened by name, and used by threads no world knows, to the same contract. */
class SimForeignThreadsTest extends DeviceContract {

  private static final AtomicInteger WORLDS = new AtomicInteger();

  @Override
  public Ranks ranks(int size) {
    DeviceOptions options =
        DeviceOptions.DEFAULTS.with("world", "test-" + WORLDS.incrementAndGet()).with("seed", 5);
    return new ThreadRanks(size, rank -> Devices.open("sim", options));
  }

  @Disabled("threads that only poll can keep the turn from each other; see SimDeviceTest for this")
  @Override
  @Test
  public void progressAloneMovesBytes() {}

  @Override
  public long allocatedPerMessage() {
    return 4_000;
  }
}
