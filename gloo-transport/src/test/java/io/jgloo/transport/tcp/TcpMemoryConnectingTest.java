package io.jgloo.transport.tcp;

import io.jgloo.transport.AbortContract;
import io.jgloo.transport.Area;
import io.jgloo.transport.ClosingContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.MessageContract;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.ThreadRanks;
import org.junit.jupiter.api.Timeout;

/**
 * Memory takes the place of several connections, of pairs that are connected on demand, on
 * java.nio.
 */
@Timeout(100)
class TcpMemoryConnectingTest implements MessageContract, ClosingContract, AbortContract {

  private static final DeviceOptions OPTIONS =
      TcpMemoryDeviceTest.MEMORY
          .with("connections", "3")
          .with("connecting", "lazy")
          .with("sockets", "nio");

  private static final long FIRST_USE = 0xf00dL;

  @Override
  public Ranks ranks(int size) {
    return new ThreadRanks(size, rank -> Devices.open("tcp", OPTIONS)) {
      @Override
      protected void connected(Rank rank) {
        Area nothing = rank.area(0);
        for (int peer = 0; peer < size; peer++) {
          if (peer != rank.rank()) {
            Request sent = rank.send(peer, FIRST_USE, nothing);
            rank.complete(rank.recv(peer, FIRST_USE, nothing), sent);
          }
        }
      }
    };
  }
}
