package io.jgloo.transport.ibverbs;

/** As {@link IbverbsDeviceTest}, with the messages of different pairs overtaking each other. */
final class IbverbsReorderingTest extends IbverbsDeviceTest {

  private static final long SEED = 20261121;

  @Override
  SoftRanks newRanks() {
    return SoftRanks.reordering(SEED);
  }
}
