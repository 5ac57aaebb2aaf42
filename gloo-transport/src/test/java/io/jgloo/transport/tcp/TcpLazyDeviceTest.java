package io.jgloo.transport.tcp;

import io.jgloo.transport.AbortContract;
import io.jgloo.transport.Area;
import io.jgloo.transport.ClosingContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.MessageContract;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ReceiveAnyContract;
import io.jgloo.transport.Request;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.WaitingContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/**
 * A TCP device that connects pairs on demand keeps the contract once they have been used: all of it
 * but how it connects, which {@link OnDemandTest} looks at.
 */
@Timeout(100)
class TcpLazyDeviceTest
    implements MessageContract,
        ReceiveAnyContract,
        WaitingContract,
        ClosingContract,
        AbortContract {

  static final DeviceOptions LAZY = Loopback.OPTIONS.with("connecting", "lazy");

  private static final long FIRST_USE = 0xf00dL;

  @Override
  public Ranks ranks(int size) {
    return new UsedOnce(size, LAZY);
  }

  /** Each rank has sent an empty message to each other. */
  static final class UsedOnce extends ThreadRanks {
    private final int size;

    UsedOnce(int size, DeviceOptions options) {
      super(size, rank -> Devices.open("tcp", options));
      this.size = size;
    }

    @Override
    protected void connected(Rank rank) {
      Area nothing = rank.area(0);
      List<Request> sends = new ArrayList<>();
      for (int peer = 0; peer < size; peer++) {
        if (peer != rank.rank()) {
          sends.add(rank.send(peer, FIRST_USE, nothing));
        }
      }
      for (int peer = 0; peer < size; peer++) {
        if (peer != rank.rank()) {
          rank.complete(rank.recv(peer, FIRST_USE, nothing));
        }
      }
      rank.complete(sends.toArray(Request[]::new));
    }
  }
}
