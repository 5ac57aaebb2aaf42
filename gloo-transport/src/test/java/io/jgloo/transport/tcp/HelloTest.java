package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.Address;
import io.jgloo.transport.Area;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.tcp.wire.WireVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Invalid hellos get a reason and no connection. */
@Timeout(60)
class HelloTest {

  private static final int WINDOW = 4 << 20;
  private static final InetSocketAddress NOWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

  private static void meet(Victim.Handshake handshake) {
    Victim.meet(Loopback.OPTIONS, handshake);
  }

  /** The real rank 1 can join and send messages. */
  private static void joins(Victim victim, Rank rank) throws Exception {
    try (RoguePeer peer = Victim.invade(victim)) {
      works(victim, rank, peer);
    }
  }

  private static void works(Victim victim, Rank rank, RoguePeer peer) throws Exception {
    Area area = rank.area(3);
    Request recv = victim.recv(5, area);
    peer.say(WireBytes.frame(WireBytes.EAGER, 5, new byte[] {1, 2, 3}));
    victim.complete(recv);
    assertArrayEquals(new byte[] {1, 2, 3}, area.bytes(0, 3));
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        bent("unknown incarnation", WireBytes.UNKNOWN, h -> h.target = new UUID(1, 2)),
        bent("size 3", WireBytes.WRONG_SIZE, h -> h.size = 3),
        bent("other group", WireBytes.WRONG_GROUP, h -> h.group++),
        bent("later epoch", WireBytes.WRONG_GROUP, h -> h.epoch = 1),
        bent("rank 2 of 2", WireBytes.WRONG_RANK, h -> h.rank = 2),
        bent("our own rank", WireBytes.WRONG_RANK, h -> h.rank = 0),
        bent("means rank 1", WireBytes.WRONG_RANK, h -> h.targetRank = 1));
  }

  private static Arguments bent(String what, int status, Consumer<WireBytes.RawHello> bend) {
    return Arguments.of(what, status, bend);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void reasonIsReportedAndTheRankStaysFree(
      String what, int status, Consumer<WireBytes.RawHello> bend) {
    meet(
        (victim, rank) -> {
          WireBytes.RawHello hello = victim.hello();
          bend.accept(hello);
          try (RoguePeer rogue = RoguePeer.dial(victim.mesh().address())) {
            byte[] welcome = rogue.say(hello.bytes()).hear(WireBytes.WELCOME_BYTES);
            byte[] expected =
                status == WireBytes.UNKNOWN
                    ? WireBytes.welcome(status, 0, 0, 0)
                    : WireBytes.welcome(status, 2, WINDOW, 0);
            assertArrayEquals(expected, welcome);
            assertTrue(rogue.hearsTheEnd());
          }
          joins(victim, rank);
        });
  }

  /** A rank of another release gets the version, and this rank reports both sides'. */
  @Test
  void helloOfAnotherVersion_isAnsweredWithOurs() {
    meet(
        (victim, rank) -> {
          WireBytes.RawHello hello = victim.hello();
          hello.magic++;
          hello.release = "9.8.7";
          try (RoguePeer rogue = RoguePeer.dial(victim.mesh().address())) {
            byte[] later = WireBytes.join(hello.bytes(), new byte[700]);
            byte[] welcome = rogue.say(later).hear(WireBytes.WELCOME_BYTES);
            assertArrayEquals(WireBytes.welcome(WireBytes.OTHER_VERSION, 0, 0, 0), welcome);
            assertEquals(0, rogue.hearRest().length); // no reset, which would discard the welcome
          }
          List<Address> addresses =
              List.of(victim.mesh().address(), RoguePeer.address(UUID.randomUUID(), NOWHERE));
          MeshConnectException e =
              assertThrows(
                  MeshConnectException.class,
                  () -> victim.mesh().connect(addresses, Duration.ofMillis(1)));
          String both = "release 9.8.7, wire version 5, but this rank has release ";
          String said = e.getMessage();
          assertTrue(said.contains(both + WireVersion.RELEASE + ", wire version 4"), said);
        });
  }

  @Test
  void welcomeOfAnotherVersion_isFinalAndNamesBoth() throws Exception {
    byte[] other = WireBytes.welcome(WireBytes.OTHER_VERSION, 0, 0, 0);
    other[7]++;
    try (ServerSocket server = RoguePeer.listen()) {
      Loopback.ranks(1)
          .run(
              rank -> {
                Mesh mesh = rank.device().newMesh(new Membership("versions", 0, 1, 2));
                InetSocketAddress where = (InetSocketAddress) server.getLocalSocketAddress();
                Address rogue = RoguePeer.address(UUID.randomUUID(), where);
                Ranks.Fork answering =
                    rank.fork(
                        "answer",
                        self -> {
                          try (RoguePeer dialler = new RoguePeer(server.accept())) {
                            dialler.hear(WireBytes.HELLO_BYTES);
                            dialler.say(Arrays.copyOf(other, 30)); // it may be shorter than ours
                          }
                        });
                MeshConnectException e =
                    assertThrows(
                        MeshConnectException.class,
                        () -> mesh.connect(List.of(rogue, mesh.address()), Ranks.PATIENCE));
                answering.join();
                assertEquals(Set.of(0), e.refused());
                assertInstanceOf(ProtocolException.class, e.causes().get(0));
                String said = e.getMessage();
                assertTrue(said.contains("wire version 5, but this rank has release"), said);
              });
    }
  }

  /** A stranger who knows the mesh cannot hold connections for ever, and keeps no rank away. */
  @Test
  void acceptedConnectionThatIsNotConfirmed_isClosed() {
    Loopback.ranks(1, Loopback.OPTIONS.with("hello", "20"))
        .run(
            rank -> {
              try (Victim victim = new Victim(rank);
                  RoguePeer rogue = RoguePeer.dial(victim.mesh().address())) {
                rogue.say(victim.hello().bytes()).hear(WireBytes.WELCOME_BYTES);
                assertTrue(rogue.hearsTheEnd());
                joins(victim, rank);
              }
            });
  }

  static Stream<Arguments> unanswered() {
    return Stream.of(
        Arguments.of("other magic", (Consumer<WireBytes.RawHello>) h -> h.magic += 1 << 8),
        Arguments.of("purpose 6", (Consumer<WireBytes.RawHello>) h -> h.purpose = 6),
        Arguments.of("notice of -1 bytes", notice(-1)),
        Arguments.of("notice of 8193 bytes", notice(8193)));
  }

  private static Consumer<WireBytes.RawHello> notice(int length) {
    return hello -> {
      hello.purpose = WireBytes.NOTICE;
      hello.noticeLength = length;
    };
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unanswered")
  void invalidHello_getsNoAnswer(String what, Consumer<WireBytes.RawHello> bend) {
    meet(
        (victim, rank) -> {
          WireBytes.RawHello hello = victim.hello();
          bend.accept(hello);
          try (RoguePeer rogue = RoguePeer.dial(victim.mesh().address())) {
            assertTrue(rogue.say(hello.bytes()).hearsTheEnd());
          }
          joins(victim, rank);
        });
  }

  /** Frames right behind the confirmation are read by the pair, not by the handshake. */
  @Test
  void aHelloWithItsFirstMessageBehindIt() {
    meet(
        (victim, rank) -> {
          try (RoguePeer peer = RoguePeer.dial(victim.mesh().address())) {
            peer.say(
                victim.hello().bytes(),
                WireBytes.confirmation(),
                WireBytes.frame(WireBytes.EAGER, 9, new byte[] {7}));
            peer.hear(WireBytes.WELCOME_BYTES);
            victim.connect();
            Area area = rank.area(1);
            victim.complete(victim.recv(9, area));
            assertEquals(7, area.bytes(0, 1)[0]);
          }
        });
  }

  @Test
  void secondProcessOfARank_isAnsweredDuplicate() {
    meet(
        (victim, rank) -> {
          try (RoguePeer peer = Victim.invade(victim)) {
            for (boolean itself : new boolean[] {true, false}) {
              WireBytes.RawHello hello = victim.hello();
              hello.source = itself ? hello.source : UUID.randomUUID();
              try (RoguePeer rogue = RoguePeer.dial(victim.mesh().address())) {
                byte[] welcome = rogue.say(hello.bytes()).hear(WireBytes.WELCOME_BYTES);
                assertArrayEquals(WireBytes.welcome(WireBytes.DUPLICATE, 2, WINDOW, 0), welcome);
                assertTrue(rogue.hearsTheEnd());
              }
            }
            works(victim, rank, peer);
          }
        });
  }

  /** While others are still missing, a rank that is connected keeps its place. */
  @Test
  void connectedRank_cannotBeReplaced() {
    Loopback.ranks(1)
        .run(
            rank -> {
              try (Victim victim = new Victim(rank, 3);
                  RoguePeer peer = victim.join(1)) {
                Ranks.Fork connecting = rank.fork("connecting", self -> victim.connect());
                rank.until("rank 1 is expected", victim::knowsItsPeers);
                WireBytes.RawHello hello = victim.hello(1);
                hello.source = UUID.randomUUID();
                try (RoguePeer rogue = RoguePeer.dial(victim.mesh().address())) {
                  byte[] welcome = rogue.say(hello.bytes()).hear(WireBytes.WELCOME_BYTES);
                  assertArrayEquals(WireBytes.welcome(WireBytes.DUPLICATE, 3, WINDOW, 0), welcome);
                }
                try (RoguePeer last = victim.join(2)) {
                  connecting.join();
                  works(victim, rank, peer);
                  last.finish();
                }
              }
            });
  }

  /** A rank whose first attempt got lost dials again, and its newer connection counts. */
  @Test
  void aRankMayReplaceItsOwnAttempt() {
    Loopback.ranks(1)
        .run(
            rank -> {
              // While rank 2 has not come, the mesh is not complete, and attempts are attempts.
              try (Victim victim = new Victim(rank, 3);
                  RoguePeer lost = victim.join(1);
                  RoguePeer peer = victim.join(1)) {
                assertTrue(lost.hearsTheEnd());
                Ranks.Fork connecting = rank.fork("connecting", self -> victim.connect());
                rank.until("rank 1 is expected", victim::knowsItsPeers);
                try (RoguePeer newest = victim.join(1);
                    RoguePeer last = victim.join(2)) {
                  assertTrue(peer.hearsTheEnd());
                  connecting.join();
                  works(victim, rank, newest);
                  last.finish();
                }
              }
            });
  }

  static Stream<Arguments> givenUp() {
    return Stream.of(
        Arguments.of("before it was answered", (Visit) victim -> victim.dialled(1)),
        Arguments.of("without confirming", (Visit) victim -> victim.welcome(1)),
        Arguments.of(
            "while confirming",
            (Visit) victim -> victim.welcome(1).say(Arrays.copyOf(WireBytes.confirmation(), 7))),
        Arguments.of(
            "with something else", (Visit) victim -> victim.welcome(1).say(new byte[] {0})));
  }

  private interface Visit {
    RoguePeer to(Victim victim) throws IOException;
  }

  /** An attempt that the dialling side drops is not used, whichever answer it has read. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("givenUp")
  void droppedAttempt_isNotUsed(String what, Visit visit) {
    meet(
        (victim, rank) -> {
          Ranks.Fork connecting = rank.fork("connecting", self -> victim.connect());
          rank.until("rank 1 is expected", victim::knowsItsPeers);
          try (RoguePeer hasty = visit.to(victim)) {
            hasty.finish();
            hasty.hearAll();
          }
          try (RoguePeer peer = victim.join(1)) {
            connecting.join();
            works(victim, rank, peer);
          }
        });
  }

  /**
   * An accepted attempt without a confirmation keeps no other connection out, however long it
   * stays.
   */
  @Test
  void attemptWithoutConfirmation_isNotUsed() {
    meet(
        (victim, rank) -> {
          try (RoguePeer silent = victim.welcome(1);
              RoguePeer peer = Victim.invade(victim)) {
            works(victim, rank, peer);
            silent.say(WireBytes.confirmation());
            assertTrue(silent.hearsTheEnd());
            works(victim, rank, peer);
          }
        });
  }

  @Test
  void questionOfPeerIsAnsweredWithAwaitedRanks() {
    meet(
        (victim, rank) -> {
          try (RoguePeer peer = Victim.invade(victim)) {
            Area area = rank.area(3);
            Request recv = victim.recv(5, area);
            assertArrayEquals(
                WireBytes.join(
                    WireBytes.welcome(WireBytes.ACCEPTED, 2, 4, 0), new byte[] {0, 0, 0, 1}),
                answerTo(victim, h -> h.window = 5));
            assertArrayEquals(
                WireBytes.welcome(WireBytes.ACCEPTED, 2, 0, 0),
                answerTo(victim, h -> h.window = 4));
            assertArrayEquals(
                WireBytes.welcome(WireBytes.WRONG_RANK, 2, WINDOW, 0),
                answerTo(victim, h -> h.source = new UUID(1, 2)));
            peer.say(WireBytes.frame(WireBytes.EAGER, 5, new byte[] {1, 2, 3}));
            victim.complete(recv);
          }
        });
  }

  @Test
  void questionToFailedMeshIsAnsweredWithItsNotice() {
    meet(
        (victim, rank) -> {
          try (RoguePeer peer = Victim.invade(victim)) {
            victim.mesh().abort(new AbortedException(1, "why"));
            peer.hear(WireBytes.HEADER_BYTES);
            assertArrayEquals(
                WireBytes.join(WireBytes.welcome(WireBytes.FAILED, 0, 12, 0), WireBytes.why()),
                answerTo(victim, h -> {}));
          }
        });
  }

  /** All that comes for a question, until the connection is closed. */
  private static byte[] answerTo(Victim victim, Consumer<WireBytes.RawHello> bend)
      throws IOException {
    WireBytes.RawHello hello = victim.hello();
    hello.purpose = WireBytes.ASK;
    bend.accept(hello);
    try (RoguePeer asker = RoguePeer.dial(victim.mesh().address())) {
      return asker.say(hello.bytes()).hearRest();
    }
  }

  @Test
  void aNoticeOfThePeerFailsTheMesh() {
    meet(
        (victim, rank) -> {
          try (RoguePeer peer = Victim.invade(victim);
              RoguePeer messenger = RoguePeer.dial(victim.mesh().address())) {
            Request waiting = victim.recv(1, rank.area(1));
            WireBytes.RawHello hello = victim.hello();
            notice(12).accept(hello);
            messenger.say(hello.bytes(), WireBytes.why()).hear(WireBytes.WELCOME_BYTES);
            AbortedException failure =
                assertInstanceOf(AbortedException.class, victim.end(waiting).failure());
            assertEquals(1, failure.origin());
            assertTrue(failure.getMessage().contains("why"), failure.getMessage());
            peer.hear(WireBytes.HEADER_BYTES); // and passes it on
          }
        });
  }

  static Stream<Arguments> foreignNotices() {
    return Stream.of(
        Arguments.of(
            "unknown process",
            WireBytes.why(),
            (Consumer<WireBytes.RawHello>) h -> h.source = new UUID(1, 2)),
        Arguments.of("other rank", WireBytes.why(), (Consumer<WireBytes.RawHello>) h -> h.rank = 0),
        Arguments.of("rank -1", WireBytes.why(), (Consumer<WireBytes.RawHello>) h -> h.rank = -1),
        Arguments.of("other group", WireBytes.why(), (Consumer<WireBytes.RawHello>) h -> h.group++),
        Arguments.of(
            "other mesh",
            WireBytes.why(),
            (Consumer<WireBytes.RawHello>) h -> h.target = new UUID(1, 2)),
        Arguments.of("broken", new byte[12], (Consumer<WireBytes.RawHello>) h -> {}),
        Arguments.of("half", new byte[6], (Consumer<WireBytes.RawHello>) h -> {}));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("foreignNotices")
  void aNoticeOfAnybodyElseDoesNot(String what, byte[] notice, Consumer<WireBytes.RawHello> bend) {
    meet(
        (victim, rank) -> {
          try (RoguePeer peer = Victim.invade(victim);
              RoguePeer messenger = RoguePeer.dial(victim.mesh().address())) {
            WireBytes.RawHello hello = victim.hello();
            notice(12).accept(hello);
            bend.accept(hello);
            messenger.say(hello.bytes(), notice);
            messenger.finish();
            messenger.hearAll();
            works(victim, rank, peer);
            assertTrue(victim.mesh().failure().isEmpty());
          }
        });
  }
}
