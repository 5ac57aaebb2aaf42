package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections on Gloo's wire whose number is that of no pair. */
@Timeout(60)
class GlooNumberTest {

  private static final DeviceOptions GLOO = Loopback.OPTIONS.with("wire", "gloo");

  private interface Script {
    void run(GlooRogue rogue, Rank rank) throws Exception;
  }

  private static void play(Script script) {
    Loopback.ranks(1, GLOO)
        .run(
            rank -> {
              try (GlooRogue rogue = new GlooRogue(rank, rank.device())) {
                script.run(rogue, rank);
              }
            });
  }

  /** The device still accepts a peer, and a payload arrives. */
  private static void connects(GlooRogue rogue, Rank rank) throws Exception {
    rogue.peer = rogue.dial().say(GlooRogue.number(rogue.number()));
    rogue.connect();
    Area in = rank.area(1);
    Request recv = rogue.recv(5, in);
    rogue.peer.say(
        GlooRogue.header(GlooRogue.SEND_READY, 5, 1),
        GlooRogue.header(GlooRogue.PAYLOAD, 5, 1),
        new byte[] {7});
    rogue.complete(recv);
    assertEquals(7, in.bytes(0, 1)[0]);
  }

  @Test
  void numberOfTheRankItself_isRefused() {
    play(
        (rogue, rank) -> {
          for (int i = 0; i < 20; i++) {
            try (RoguePeer own = rogue.dial().say(GlooRogue.number(rogue.number() - 1))) {
              assertTrue(own.hearsTheEnd());
            }
          }
          connects(rogue, rank);
        });
  }
}
