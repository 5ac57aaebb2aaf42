package io.jgloo.transport.ibverbs;

import org.junit.jupiter.api.Tag;

/** As {@link IbverbsDeviceTest}, with the messages of different pairs overtaking each other. */
@Tag("full")
final class IbverbsReorderingTest extends IbverbsDeviceTest {

  private static final long SEED = 20261121;

  @Override
  SoftRanks newRanks() {
    return SoftRanks.reordering(SEED);
  }
}
