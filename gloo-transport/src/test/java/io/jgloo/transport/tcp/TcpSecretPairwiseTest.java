package io.jgloo.transport.tcp;

import io.jgloo.transport.Devices;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.PairwiseContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** With a job secret pairs fail alone, and are connected anew. */
@Tag("full")
@Timeout(100)
class TcpSecretPairwiseTest implements PairwiseContract {

  @BeforeAll
  static void useSocketsOnce() {
    TcpDeviceTest.useSocketsOnce();
  }

  @Override
  public Ranks ranks(int size) {
    return new ThreadRanks(
        size, rank -> Devices.open("tcp", Secrets.OPTIONS.with("sockets", "nio")));
  }

  @Override
  public void lose(Mesh mesh) {
    LostConnections.of(mesh);
  }
}
