package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.capability.Diagnosis;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer on current Gloo's wire that breaks its rules, or comes at another time than a rank. */
@Timeout(60)
class CppGlooRogueTest {

  @Test
  void aSendThatWasAskedForIsStillAnnounced() {
    CppGlooRogue.play(
        (rogue, rank) -> {
          rogue.peer.say(CppGlooRogue.header(3, 7, 0), CppGlooRogue.header(3, 7, 1 << 20));
          rogue.works(); // so the credits have been read
          Area large = rank.area(1 << 20).fill(3);
          rogue.complete(rogue.send(7, rank.area(0)));
          Request second = rogue.send(7, large);
          rogue.hears(CppGlooRogue.header(2, 7, 0));
          rogue.hears(CppGlooRogue.header(1, 7, 0));
          rogue.hears(CppGlooRogue.header(2, 7, 1 << 20));
          rogue.hears(CppGlooRogue.header(1, 7, 1 << 20));
          assertArrayEquals(large.bytes(0, 1 << 20), rogue.peer.hear(1 << 20));
          rogue.complete(second);
          rogue.send(7, rank.area(1)); // the credits are used up
          rogue.hears(CppGlooRogue.header(2, 7, 1));
          rogue.works();
        });
  }

  @Test
  void unknownOpcodesMeanNothing() {
    CppGlooRogue.play(
        (rogue, rank) -> {
          rogue.peer.say(CppGlooRogue.header(1, 4, 2, 3, -1, 5));
          rogue.peer.say(CppGlooRogue.header(0, -1, 2, 3, 4, 5));
          rogue.peer.say(CppGlooRogue.header(0, 1L << 32, 2, 3, 4, 5));
          rogue.works();
        });
  }

  // Offences.

  static Stream<Arguments> offences() {
    return Stream.of(
        Arguments.of("without a receive", CppGlooRogue.header(1, 9, 8)),
        Arguments.of("without a receive", CppGlooRogue.header(1, 9, 0)),
        Arguments.of("without a receive", CppGlooRogue.header(1, 9, Long.MAX_VALUE - 48)),
        Arguments.of("length -1", CppGlooRogue.header(47, 1, 9, 0, -1, 0)),
        Arguments.of("length -1", CppGlooRogue.header(48, 2, 9, 0, -1, 0)),
        Arguments.of("length -1", CppGlooRogue.header(47, 0, 9, 0, -1, 0)),
        Arguments.of("header of 47 bytes", CppGlooRogue.header(47, 3, 9, 0, 0, 0)),
        Arguments.of("header of 56 bytes", CppGlooRogue.header(56, 2, 9, 0, 8, 0)),
        Arguments.of("header of 48 bytes", CppGlooRogue.header(48, 1, 9, 0, 8, 0)));
  }

  @ParameterizedTest
  @MethodSource("offences")
  void offencesFailTheMeshAndNameThePeer(String expected, byte[] said) {
    CppGlooRogue.play(
        (rogue, rank) -> {
          rogue.peer.say(said);
          JGlooException failure = rogue.failure();
          assertInstanceOf(ProtocolException.class, failure);
          assertTrue(failure.getMessage().startsWith("peer 1 ("), failure.getMessage());
          assertTrue(failure.getMessage().contains(expected), failure.getMessage());
          rogue.peer.hearAll(); // and we hang up
        });
  }

  @Test
  void aWithdrawnReceiveDoesNotMakeRoomForMore() {
    CppGlooRogue.play(
        (rogue, rank) -> {
          Request recv = rogue.recv(9, rank.area(8));
          assertTrue(recv.cancel());
          rogue.peer.say(CppGlooRogue.header(1, 9, 1L << 40));
          assertInstanceOf(ProtocolException.class, rogue.failure());
        });
  }

  static IntStream seeds() {
    return IntStream.range(0, 8);
  }

  /** Replay one with its number. */
  @ParameterizedTest
  @MethodSource("seeds")
  void garbageHarmsOnlyItsMesh(int seed) {
    CppGlooRogue.play(
        (rogue, rank) -> {
          Request recv = rogue.recv(1, rank.area(100));
          byte[] garbage = new byte[48 * 1000];
          Random random = new Random(seed);
          random.nextBytes(garbage);
          for (int at = 0; at < garbage.length; at += 48) {
            Arrays.fill(garbage, at + 8, at + 16, (byte) 0);
            garbage[at + 8] = (byte) random.nextInt(6); // else hardly any opcode is known
          }
          rogue.peer.sayIfHeard(garbage);
          rogue.peer.end(random.nextBoolean());
          assertInstanceOf(JGlooException.class, rogue.end(recv).failure());
          try (CppGlooRogue other = CppGlooRogue.connected(rank)) {
            other.works();
          }
        });
  }

  // The end.

  static Stream<Arguments> ends() {
    return Stream.of(false, true)
        .flatMap(
            reset -> IntStream.of(0, 47, 96, 103).mapToObj(bytes -> Arguments.of(bytes, reset)));
  }

  @ParameterizedTest
  @MethodSource("ends")
  void theEndAtEveryStage(int bytes, boolean reset) {
    CppGlooRogue.play(
        (rogue, rank) -> {
          Request recv = rogue.recv(9, rank.area(8));
          byte[] all =
              WireBytes.join(
                  CppGlooRogue.header(2, 9, 8), CppGlooRogue.header(1, 9, 8), new byte[8]);
          rogue.peer.say(Arrays.copyOf(all, bytes));
          rogue.peer.end(reset);
          PeerLostException lost =
              assertInstanceOf(PeerLostException.class, rogue.end(recv).failure());
          assertEquals(1, lost.peer());
          assertTrue(lost.getMessage().startsWith("peer 1 ("), lost.getMessage());
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theEndOfAnIdlePeerHarmsOnlyWhoNeedsItLater(boolean reset) {
    CppGlooRogue.play(
        (rogue, rank) -> {
          rogue.works();
          rogue.peer.end(reset);
          try (CppGlooRogue other = CppGlooRogue.connected(rank)) {
            other.works();
          }
          Diagnosis.of(rogue.mesh()).counters();
          assertTrue(rogue.mesh().failure().isEmpty());
          Request send = rogue.send(1, rank.area(8));
          assertInstanceOf(PeerLostException.class, rogue.end(send).failure());
        });
  }

  @Test
  void connectionBeforeItsMeshExists_isKept() {
    CppGlooRogue.unconnected(
        CppGlooRogue.GLOO,
        (rogue, rank) -> {
          RoguePeer early = rogue.dial().say(CppGlooRogue.number(rogue.number() + 2));
          rogue.peer = rogue.dial().say(CppGlooRogue.number(rogue.number()));
          rogue.connect();
          rogue.works();
          try (CppGlooRogue later = new CppGlooRogue(rank, rogue.device)) {
            later.peer = early;
            later.connect();
            later.works();
          }
        });
  }

  @Test
  void aNumberServesOnce() {
    CppGlooRogue.play(
        (rogue, rank) -> {
          try (RoguePeer second = rogue.dial().say(CppGlooRogue.number(rogue.number()))) {
            assertTrue(second.hearsTheEnd());
          }
          rogue.works();
        });
  }

  @Test
  void smallerAddressIsDialledAndGetsItsNumberOnly() {
    CppGlooRogue.unconnected(
        CppGlooRogue.GLOO.with("bind", "127.0.0.2"),
        (rogue, rank) -> {
          try (ServerSocket server = RoguePeer.listen()) {
            InetSocketAddress smaller = (InetSocketAddress) server.getLocalSocketAddress();
            Ranks.Fork connecting =
                rank.fork("connecting", self -> rogue.connect(smaller, 0x1122334455667788L));
            rogue.peer = new RoguePeer(server.accept());
            assertArrayEquals(CppGlooRogue.number(0x1122334455667788L), rogue.peer.hear(8));
            connecting.join();
            rogue.works();
          }
        });
  }

  @Test
  void byRankWePresentOurOwn() {
    CppGlooRogue.unconnected(
        CppGlooRogue.GLOO.with("bind", "127.0.0.2").with("connecting", "lazy"),
        (rogue, rank) -> {
          assertEquals(136, rogue.mesh().address().payload().length);
          try (ServerSocket server = RoguePeer.listen()) {
            InetSocketAddress smaller = (InetSocketAddress) server.getLocalSocketAddress();
            Ranks.Fork connecting = rank.fork("connecting", self -> rogue.connect(smaller, 77));
            rogue.peer = new RoguePeer(server.accept());
            assertArrayEquals(CppGlooRogue.number(0), rogue.peer.hear(8));
            connecting.join();
            rogue.works();
          }
        });
  }

  @Test
  void aLazyMeshStartsBeforeItsPeerHasCome() {
    CppGlooRogue.unconnected(
        CppGlooRogue.GLOO.with("connecting", "lazy"),
        (rogue, rank) -> {
          rogue.connect();
          Area out = rank.area(8).fill(1);
          Request send = rogue.send(4, out);
          Request bound = rogue.send(rogue.request(5, rank.area(2)).bound(0));
          rogue.peer = rogue.dial().say(CppGlooRogue.number(1));
          rogue.complete(bound);
          rogue.hears(CppGlooRogue.header(2, 4, 8));
          rogue.hears(CppGlooRogue.header(0, 5, 2));
          rogue.peer.hear(2);
          rogue.peer.say(CppGlooRogue.header(3, 4, 8));
          rogue.complete(send);
          rogue.hears(CppGlooRogue.header(1, 4, 8));
          assertArrayEquals(out.bytes(0, 8), rogue.peer.hear(8));
          rogue.works();
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void lazyMesh_failsForAnUnreachablePeerWhenItIsNeeded(boolean first) {
    CppGlooRogue.unconnected(
        CppGlooRogue.GLOO.with("bind", "127.0.0.2").with("connecting", "lazy"),
        (rogue, rank) -> {
          InetSocketAddress closedPort;
          try (ServerSocket server = RoguePeer.listen()) {
            closedPort = (InetSocketAddress) server.getLocalSocketAddress();
          }
          rogue.connect(closedPort, 77);
          TcpMesh mesh = (TcpMesh) rogue.mesh();
          if (!first) {
            rank.until("an attempt has failed", () -> mesh.connectionTable().hasCause(1));
            assertTrue(rogue.mesh().failure().isEmpty());
          }
          Request recv = rogue.recv(4, rank.area(8));
          PeerLostException lost =
              assertInstanceOf(PeerLostException.class, rogue.end(recv).failure());
          assertEquals(1, lost.peer());
        });
  }

  @Test
  void numberOfTheRankItself_isRefused() {
    CppGlooRogue.unconnected(
        CppGlooRogue.GLOO,
        (rogue, rank) -> {
          for (int i = 0; i < 20; i++) {
            try (RoguePeer own = rogue.dial().say(CppGlooRogue.number(rogue.number() - 1))) {
              assertTrue(own.hearsTheEnd());
            }
          }
          rogue.peer = rogue.dial().say(CppGlooRogue.number(rogue.number()));
          rogue.connect();
          rogue.works();
        });
  }
}
