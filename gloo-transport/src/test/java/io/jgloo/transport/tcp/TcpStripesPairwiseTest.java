package io.jgloo.transport.tcp;

import io.jgloo.transport.Devices;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.PairwiseContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** Pairs of several connections fail alone, and are connected anew. */
@Timeout(100)
class TcpStripesPairwiseTest implements PairwiseContract {

  @BeforeAll
  static void useSocketsOnce() {
    TcpDeviceTest.useSocketsOnce();
  }

  @Override
  public Ranks ranks(int size) {
    return new ThreadRanks(
        size, rank -> Devices.open("tcp", Loopback.OPTIONS.with("connections", 3)));
  }

  @Override
  public void lose(Mesh mesh) {
    LostConnections.of(mesh);
  }
}
