package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.AbortContract;
import io.jgloo.transport.ConnectContract;
import io.jgloo.transport.Devices;
import io.jgloo.transport.MessageContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ReceiveAnyContract;
import io.jgloo.transport.ThreadRanks;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract holds where some peers share memory and others are on another host. */
@Timeout(100)
class TcpMixedHostsDeviceTest
    implements MessageContract, ReceiveAnyContract, AbortContract, ConnectContract {

  /** Hosts a, b, b, a, a, b, b ... */
  private static String host(int rank) {
    return (rank + 1) / 2 % 2 == 0 ? "a" : "b";
  }

  @Override
  public Ranks ranks(int size) {
    return new ThreadRanks(
        size, rank -> Devices.open("tcp", TcpMemoryDeviceTest.MEMORY.with("host", host(rank))));
  }

  @Test
  void routes_followHosts() {
    ranks(4)
        .run(
            rank -> {
              assertEquals(List.of("a", "b", "b", "a"), rank.mesh().hosts());
              for (int peer = 0; peer < 4; peer++) {
                if (peer != rank.rank()) {
                  boolean local = host(peer).equals(host(rank.rank()));
                  assertEquals(
                      local ? "shared memory (memfd)" : "tcp",
                      rank.mesh().pair(peer).medium(),
                      "" + peer);
                }
              }
            });
  }
}
