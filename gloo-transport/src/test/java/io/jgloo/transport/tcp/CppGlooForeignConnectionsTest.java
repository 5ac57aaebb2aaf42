package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Address;
import io.jgloo.transport.Area;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.cppgloo.CppGlooAddress;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.connect.CppGlooIncomingConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections to a listener of Gloo's kind that belong to no pair are closed by a deadline. */
@Timeout(60)
class CppGlooForeignConnectionsTest {

  private static final DeviceOptions GLOO = Loopback.OPTIONS.with("wire", "gloo");

  private static RoguePeer dial(Address mesh) throws IOException {
    byte[] listener = Arrays.copyOf(mesh.payload(), CppGlooAddress.BYTES);
    InetSocketAddress at = CppGlooAddress.decode(listener).listener();
    return new RoguePeer(new Socket(at.getAddress(), at.getPort()));
  }

  /** Eight bytes that are no pair's number, and what may follow. */
  private static byte[] garbage(SplittableRandom random) {
    byte[] said = new byte[random.nextInt(8, 300)];
    random.nextBytes(said);
    said[7] |= (byte) 0x80; // numbers count up from 0
    return said;
  }

  @Test
  void unknownNumbers_areClosedWhileRanksWork() {
    Loopback.ranks(2, GLOO.with("hello", 1000))
        .run(
            rank -> {
              Ranks.Fork visits = rank.rank() == 1 ? null : rank.fork("visits", h -> visit(h, 600));
              work(rank, visits);
              if (visits != null) {
                visits.join();
              }
              assertTrue(rank.mesh().failure().isEmpty());
            });
  }

  private static void visit(Rank host, int count) throws Exception {
    SplittableRandom random = new SplittableRandom(count);
    List<RoguePeer> foreigners = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RoguePeer foreigner = dial(host.mesh().address());
      foreigner.sayIfHeard(garbage(random));
      foreigners.add(foreigner);
    }
    for (RoguePeer each : foreigners) {
      assertTrue(each.hearsTheEnd());
      each.close();
    }
    host.until("the last is closed", () -> LiveObjects.of(CppGlooIncomingConnection.class) == 0);
  }

  /** Two ranks exchange messages until the visits, if any, are over. */
  private static void work(Rank rank, Ranks.Fork visits) {
    int peer = 1 - rank.rank();
    Area out = rank.area(5000);
    Area in = rank.area(5000);
    Area more = rank.area(1);
    boolean goesOn = true;
    for (int i = 0; goesOn; i++) {
      out.fill(2 * i + rank.rank());
      rank.complete(rank.recv(peer, 1, in), rank.send(peer, 1, out));
      in.check(2 * i + peer);
      if (visits == null) {
        rank.complete(rank.recv(0, 2, more));
        goesOn = more.bytes(0, 1)[0] != 0;
      } else {
        goesOn = !visits.hasEnded();
        Memory.putByte(more.address(), (byte) (goesOn ? 1 : 0));
        rank.complete(rank.send(1, 2, more));
      }
    }
  }
}
