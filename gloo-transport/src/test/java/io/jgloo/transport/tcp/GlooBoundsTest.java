package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Request;
import io.jgloo.transport.ThreadRanks;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a joined peer on Gloo's wire can make a rank allocate. */
@Timeout(60)
class GlooBoundsTest {

  private static final DeviceOptions GLOO =
      DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("wire", "gloo");

  private interface Script {
    void run(GlooRogue rogue, Rank rank) throws Exception;
  }

  @BeforeAll
  static void useSocketsOnce() {
    TcpDeviceTest.useSocketsOnce();
  }

  private static void play(DeviceOptions options, Script script) {
    new ThreadRanks(1, rank -> Devices.open("tcp", GLOO))
        .run(
            rank -> {
              try (Device device = Devices.open("tcp", options);
                  GlooRogue rogue = new GlooRogue(rank, device)) {
                rogue.peer = rogue.dial().say(GlooRogue.number(rogue.number()));
                rogue.connect();
                script.run(rogue, rank);
              }
            });
  }

  // Lengths.

  @Test
  void totalThatOverflows_failsTheMesh() {
    play(
        GLOO,
        (rogue, rank) -> {
          rogue.peer.say(GlooRogue.header(0, 1, 1), new byte[1]);
          rogue.peer.say(GlooRogue.header(0, 2, Long.MAX_VALUE)).sayIfHeard(new byte[1 << 16]);
          GlooException failure = rogue.failure();
          assertInstanceOf(ProtocolException.class, failure, failure.toString());
          assertTrue(failure.getMessage().startsWith("peer 1 ("), failure.getMessage());
          assertTrue(failure.getMessage().contains("length " + Long.MAX_VALUE));
        });
  }

  @Test
  void boundMessageLongerThanMemory_waitsForItsReceive() {
    long length = Long.MAX_VALUE - GlooRogue.HEADER_BYTES;
    play(
        GLOO,
        (rogue, rank) -> {
          rogue.recv(-2, rank.area(1)); // has the device's thread read
          rogue.peer.say(GlooRogue.header(0, 1, 100), new byte[100]);
          rogue.peer.say(GlooRogue.header(0, 2, length)).sayIfHeard(new byte[1 << 16]);
          rank.until("reading has stopped", ((TcpMesh) rogue.mesh).pairAt(1).inbox()::isStalled);
          rogue.complete(rogue.recv(rogue.request(1, rank.area(100)).bound(0)));
          Request recv = rogue.recv(rogue.request(2, rank.area(100)).bound(0));
          MismatchException failure =
              assertInstanceOf(MismatchException.class, rogue.end(recv).failure());
          assertEquals(length, failure.second().length());
        });
  }
}
