package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.CancelContract;
import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.Devices;
import io.jgloo.transport.MemorySafetyContract;
import io.jgloo.transport.MismatchContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.RepeatedSuites;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.ThreadsContract;
import io.jgloo.transport.UnexpectedContract;
import io.jgloo.transport.UsageContract;
import io.jgloo.transport.WaitingContract;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract holds where some peers share memory and others are on another host.
 *
 * <p>Suites are repeated whose subject is two ranks: here these are on two hosts, as if without
 * memory.
 */
@RepeatedSuites({
  UnexpectedContract.class,
  CancelContract.class,
  MismatchContract.class,
  WaitingContract.class,
  ThreadsContract.class,
  MemorySafetyContract.class,
  UsageContract.class
})
class TcpMixedHostsDeviceTest extends DeviceContract {

  /** Hosts a, b, b, a, a, b, b ... */
  private static String host(int rank) {
    return (rank + 1) / 2 % 2 == 0 ? "a" : "b";
  }

  @Override
  public Ranks ranks(int size) {
    return new ThreadRanks(
        size, rank -> Devices.open("tcp", TcpMemoryDeviceTest.MEMORY.with("host", host(rank))));
  }

  /** Here they do not: a is the host of rank 0, b that of ranks 1 and 2. */
  @Override
  @Test
  public void ranksOfOneMachineShareItsHost() {
    ranks(3)
        .run(
            rank -> {
              assertEquals(List.of("a", "b", "b"), rank.mesh().hosts());
            });
  }

  @Test
  void routes_followHosts() {
    ranks(4)
        .run(
            rank -> {
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
