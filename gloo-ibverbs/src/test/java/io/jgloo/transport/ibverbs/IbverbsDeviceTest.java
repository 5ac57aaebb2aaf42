package io.jgloo.transport.ibverbs;

import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import org.junit.jupiter.api.AfterEach;

/** The ibverbs device keeps the contract, on a software adapter. */
class IbverbsDeviceTest extends DeviceContract {

  private final SoftRanks soft = newRanks();

  SoftRanks newRanks() {
    return SoftRanks.prompt();
  }

  @Override
  public Ranks ranks(int size) {
    return new ThreadRanks(size, rank -> soft.open());
  }

  @AfterEach
  void nothingForbiddenWasDone() {
    soft.check();
  }
}
