package io.jgloo.transport.ibverbs;

import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import org.junit.jupiter.api.BeforeAll;

/** The ibverbs device keeps the contract on real queue pairs. */
final class RdmaDeviceTest extends DeviceContract {

  private static RdmaRanks rdma;

  /** The driver's library, and the sockets' runtime, open files of their own once. */
  @BeforeAll
  static void openOnce() {
    rdma = RdmaRanks.find();
    rdma.open().close();
  }

  @Override
  public Ranks ranks(int size) {
    return new ThreadRanks(size, rank -> rdma.open());
  }
}
