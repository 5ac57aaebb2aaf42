package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.Area;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Request;
import io.jgloo.transport.tcp.socket.Link;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process of an earlier run connects first, and the right one by another kind of connection. */
@Timeout(100)
class ReplacedLinkTest {

  private static final DeviceOptions AUTO = Loopback.OPTIONS.with("memory", "auto");
  private static final int RING_BYTES = 64 << 10;

  private interface Program {
    void run(Victim victim, Rank rank) throws Exception;
  }

  private static void run(DeviceOptions options, Program program) {
    Loopback.ranks(1, options)
        .run(
            rank -> {
              try (Victim victim = new Victim(rank)) {
                program.run(victim, rank);
              }
            });
  }

  @Test
  void socketsOfAnEarlierProcess_areReplacedByASegment() {
    run(
        AUTO.with("connections", "2"),
        (victim, rank) -> {
          WireBytes.RawHello earlier = victim.hello();
          earlier.source = UUID.randomUUID();
          try (RoguePeer first = victim.welcome(earlier).say(WireBytes.confirmation())) {
            earlier.stripe = 1;
            try (RoguePeer second = welcomeWhenNext(victim, earlier)) {
              second.say(WireBytes.confirmation());
              rank.until("the earlier one is connected", () -> link(victim) != null);
              first.finish();
            }
          }
          try (SegmentRogue right =
              SegmentRogue.join(victim, victim.hello(), 4 * RING_BYTES, false)) {
            victim.connect();
            int length = 2 * RING_BYTES;
            Area area = rank.area(length).fill(1);
            Request recv = victim.recv(5, area);
            right.say(
                WireBytes.header(WireBytes.ANNOUNCE, 5, length),
                WireBytes.frame(WireBytes.DATA, 5, new byte[length]));
            victim.complete(recv);
            assertEquals("shared memory (memfd)", victim.mesh().pair(1).medium());
          }
        });
  }

  /** The second connection is not the next one before the first was confirmed. */
  private static RoguePeer welcomeWhenNext(Victim victim, WireBytes.RawHello hello)
      throws Exception {
    while (true) {
      RoguePeer rogue = RoguePeer.dial(victim.mesh().address()).say(hello.bytes());
      if (rogue.hear(WireBytes.WELCOME_BYTES)[27] == WireBytes.ACCEPTED) {
        return rogue;
      }
      rogue.close();
    }
  }

  private static Link link(Victim victim) {
    TcpMesh mesh = (TcpMesh) victim.mesh();
    mesh.lock();
    try {
      return mesh.streamAt(1).link();
    } finally {
      mesh.unlock();
    }
  }
}
