package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Request;
import io.jgloo.transport.tcp.connect.IncomingConnection;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links of java.nio: between two selectors, and before they belong to a pair. */
@Timeout(60)
class NioSocketsTest {

  private static final DeviceOptions NIO = Loopback.OPTIONS.with("sockets", "nio");
  private static final int MESSAGES = 4;
  private static final int BYTES = 8 << 20;

  private static boolean isConnected(TcpMesh mesh, int peer) {
    mesh.lock();
    try {
      return mesh.streamAt(peer).link() != null;
    } finally {
      mesh.unlock();
    }
  }

  /**
   * A new pair's link has left the device's selector, and the mesh's selector does not know it yet:
   * what a first write leaves over must be continued, not repeated.
   */
  @ParameterizedTest(name = "rank {0} sends")
  @ValueSource(ints = {0, 1})
  void shortWriteBetweenTwoSelectors_sendsEachByteOnce(int sender) {
    DeviceOptions lazy =
        NIO.with("connecting", "lazy")
            .with("window", Integer.toString(2 * MESSAGES * BYTES))
            .with("eager", Integer.toString(BYTES));
    Loopback.ranks(2, lazy)
        .run(
            rank -> {
              List<Area> areas = new ArrayList<>();
              for (int i = 0; i < MESSAGES; i++) {
                areas.add(rank.area(BYTES));
              }
              if (rank.rank() == sender) {
                rank.complete(sendBeforeItIsPolled(rank, areas));
              } else {
                Request[] received = new Request[MESSAGES];
                rank.meet(); // nothing is read before the sender's socket is full
                for (int i = 0; i < MESSAGES; i++) {
                  received[i] = rank.recv(sender, 1, areas.get(i));
                }
                rank.complete(received);
                for (int i = 0; i < MESSAGES; i++) {
                  areas.get(i).check(i);
                }
              }
              rank.meet();
            });
  }

  private static Request[] sendBeforeItIsPolled(Rank rank, List<Area> areas) {
    TcpMesh mesh = (TcpMesh) rank.mesh();
    int peer = 1 - rank.rank();
    Request[] sent = new Request[areas.size()];
    rank.until("no other thread polls", mesh.progress()::take);
    try {
      mesh.connectionTable().summoned(peer); // what a first message does
      rank.until("the pair is connected", () -> isConnected(mesh, peer));
      for (int i = 0; i < sent.length; i++) {
        sent[i] = rank.send(peer, 1, areas.get(i).fill(i));
      }
    } finally {
      mesh.progress().release();
    }
    rank.meet();
    return sent;
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getTotalCapacity)
        .sum();
  }

  @Test
  void connectionThatHasNotSaidHello_costsLittleDirectMemory() {
    int connections = 200;
    Loopback.ranks(1, NIO)
        .run(
            rank -> {
              long before = directBytes();
              List<RoguePeer> silent = new ArrayList<>();
              for (int i = 0; i < connections; i++) {
                silent.add(RoguePeer.dial(rank.mesh().address()).say(new byte[] {'J', 'G'}));
              }
              rank.until(
                  "all are accepted",
                  () -> LiveObjects.of(IncomingConnection.class) == connections);
              long each = (directBytes() - before) / connections;
              assertTrue(each < 8 << 10, each + " bytes of direct memory for each connection");
              for (RoguePeer peer : silent) {
                peer.close();
              }
            });
  }
}
