package io.jgloo.transport.ibverbs;

import io.jgloo.transport.ConnectContract;
import io.jgloo.transport.MemorySafetyContract;
import io.jgloo.transport.MismatchContract;
import io.jgloo.transport.ReductionContract;
import io.jgloo.transport.RepeatedSuites;
import io.jgloo.transport.UsageContract;
import io.jgloo.transport.WaitingContract;

/**
 * As {@link IbverbsDeviceTest}, with the messages of different pairs overtaking each other.
 *
 * <p>Suites are repeated that the order of messages does not concern.
 */
@RepeatedSuites({
  ReductionContract.class,
  MismatchContract.class,
  WaitingContract.class,
  ConnectContract.class,
  MemorySafetyContract.class,
  UsageContract.class
})
final class IbverbsReorderingTest extends IbverbsDeviceTest {

  private static final long SEED = 20261121;

  @Override
  SoftRanks newRanks() {
    return SoftRanks.reordering(SEED);
  }
}
