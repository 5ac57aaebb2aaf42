package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import org.junit.jupiter.api.BeforeAll;

/** Put and get on real queue pairs. */
final class RdmaOneSidedTest extends OneSidedContract {

  private static RdmaRanks rdma;

  @BeforeAll
  static void find() {
    rdma = RdmaRanks.find();
    rdma.open().close(); // the driver's library opens files of its own once
  }

  @Override
  Ranks ranks(int size) {
    return new ThreadRanks(size, rank -> rdma.open());
  }
}
