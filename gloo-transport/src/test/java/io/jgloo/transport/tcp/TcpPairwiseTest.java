package io.jgloo.transport.tcp;

import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.PairwiseContract;
import io.jgloo.transport.Ranks;
import org.junit.jupiter.api.Timeout;

/** Pairs of the TCP device fail alone, and are connected anew. */
@Timeout(100)
class TcpPairwiseTest implements PairwiseContract {

  DeviceOptions options() {
    return Loopback.OPTIONS;
  }

  @Override
  public Ranks ranks(int size) {
    return Loopback.ranks(size, options());
  }

  @Override
  public void lose(Mesh mesh) {
    LostConnections.of(mesh);
  }
}
