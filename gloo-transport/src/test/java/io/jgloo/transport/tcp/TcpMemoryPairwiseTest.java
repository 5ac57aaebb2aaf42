package io.jgloo.transport.tcp;

import io.jgloo.transport.Devices;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.PairwiseContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** Pairs that share memory fail alone, and are connected anew. */
@Timeout(100)
class TcpMemoryPairwiseTest implements PairwiseContract {

  @BeforeAll
  static void useSocketsOnce() {
    TcpDeviceTest.useSocketsOnce();
  }

  @Override
  public Ranks ranks(int size) {
    return new ThreadRanks(size, rank -> Devices.open("tcp", TcpMemoryDeviceTest.MEMORY));
  }

  @Override
  public void lose(Mesh mesh) {
    LostConnections.of(mesh);
  }

  /** What is in memory when the socket breaks is read to the end. */
  @Override
  public boolean losesAtOnce() {
    return false;
  }
}
