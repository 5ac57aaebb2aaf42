package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A rank that sends a valid hello and then breaks the protocol: the mesh fails and names it, memory
 * stays bounded, and another mesh of the same device works on.
 */
@Timeout(60)
class RogueRankTest {

  private static final int WINDOW = 4 << 20;

  /** Unexpected messages, their bookkeeping and rounding up to powers of two, with a margin. */
  private static final long MOST_BYTES = 10L * WINDOW;

  /** Rank 0 of a healthy pair is attacked in another mesh of its device. */
  private static void attack(Victim.Attack attack) {
    Loopback.ranks(2)
        .run(
            rank -> {
              int peer = 1 - rank.rank();
              rank.tell(peer, 1);
              rank.hear(peer, 1);
              if (rank.rank() == 0) {
                Victim victim = new Victim(rank);
                long before = Memory.allocatedBytes();
                try (RoguePeer rogue = Victim.invade(victim)) {
                  attack.on(victim, rogue, rank);
                  long more = Memory.allocatedBytes() - before;
                  assertTrue(more < MOST_BYTES, more + " bytes allocated");
                }
                assertTrue(rank.mesh().failure().isEmpty());
                victim.close();
              }
              rank.tell(peer, 2);
              rank.hear(peer, 2);
              assertTrue(rank.mesh().failure().isEmpty());
            });
  }

  /** Frames that are never allowed; the mesh fails and names the rank that sent them. */
  static Stream<Arguments> brokenFrames() {
    byte[] wrongMagic = WireBytes.header(WireBytes.CREDIT, 0, 0);
    wrongMagic[2] = 'l';
    byte[] reserved = WireBytes.header(WireBytes.CREDIT, 0, 0);
    reserved[7] = (byte) 0x80;
    return Stream.of(
        Arguments.of(
            "text",
            "GET / HTTP/1.1\r\nHost: localhost:29500\r\nAccept: application/json\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII)),
        Arguments.of("wrong magic", wrongMagic),
        Arguments.of("opcode 9", WireBytes.header(9, 1, 0)),
        Arguments.of("reserved bits", reserved),
        Arguments.of("length -1", WireBytes.header(WireBytes.EAGER, 1, -1)),
        Arguments.of("longer than a window", WireBytes.header(WireBytes.EAGER, 1, WINDOW + 1)),
        Arguments.of("negative announcement", WireBytes.header(WireBytes.ANNOUNCE, 1, -5)),
        Arguments.of("data without a grant", WireBytes.frame(WireBytes.DATA, 1, new byte[8])),
        Arguments.of("grant of nothing", WireBytes.header(WireBytes.GRANT, 1, 0)),
        Arguments.of("withdrawal of nothing", WireBytes.header(WireBytes.WITHDRAWN, 1, 0)),
        Arguments.of("abort without a notice", WireBytes.header(WireBytes.ABORT, 0, 0)),
        Arguments.of("abort, 8193 bytes", WireBytes.header(WireBytes.ABORT, 0, 8193)),
        Arguments.of("abort, random", WireBytes.frame(WireBytes.ABORT, 0, filled(100, 0x7f))),
        Arguments.of("abort, kind 9", notice(9, 0)),
        Arguments.of("abort, no rank is lost", notice(1, 0)),
        Arguments.of("abort, lost rank out of range", notice(1, 1, 2)),
        Arguments.of("abort, ranks cut short", notice(2, 500, 1, 1)),
        Arguments.of("abort, mismatch without sides", notice(3, 0)),
        Arguments.of("credit for nothing", WireBytes.header(WireBytes.CREDIT, 0, 0, 1)),
        Arguments.of("negative credit", WireBytes.header(WireBytes.CREDIT, 0, 0, -1)));
  }

  private static byte[] filled(int bytes, int value) {
    byte[] all = new byte[bytes];
    Arrays.fill(all, (byte) value);
    return all;
  }

  /** An abort frame of this kind that claims so many ranks to blame, and names these. */
  private static byte[] notice(int kind, int claimed, int... ranks) {
    ByteBuffer notice = ByteBuffer.allocate(9 + 4 * ranks.length);
    notice.putInt(1).put((byte) kind).putShort((short) claimed);
    for (int rank : ranks) {
      notice.putInt(rank);
    }
    return WireBytes.frame(WireBytes.ABORT, 0, notice.array());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("brokenFrames")
  void theMeshFailsAndNamesTheRank(String what, byte[] bytes) {
    attack(
        (victim, rogue, rank) -> {
          rogue.say(bytes);
          JGlooException failure = victim.failure();
          assertInstanceOf(ProtocolException.class, failure, failure.toString());
          assertTrue(failure.getMessage().startsWith("peer 1 (127.0.0.1:"), failure.getMessage());
          assertEquals(failure, victim.mesh().failure().orElseThrow());
        });
  }

  @Test
  void moreUnexpectedBytesThanTheWindow_failTheMesh() {
    attack(
        (victim, rogue, rank) -> {
          Request waiting = victim.recv(9, rank.area(1));
          byte[] unexpected = WireBytes.frame(WireBytes.EAGER, 7, new byte[1 << 20]);
          Ranks.Fork talking =
              rank.fork("rogue", self -> rogue.say(unexpected, unexpected, unexpected, unexpected));
          JGlooException failure = victim.end(waiting).failure();
          assertInstanceOf(ProtocolException.class, failure, failure.toString());
          assertTrue(failure.getMessage().contains("4194304"), failure.getMessage());
          victim.close();
          talking.join();
        });
  }

  /** An empty message has its price too: 64 bytes of the window. */
  @Test
  void moreEmptyUnexpectedMessagesThanTheWindow_failTheMesh() {
    attack(
        (victim, rogue, rank) -> {
          Request waiting = victim.recv(9, rank.area(1));
          byte[][] unexpected = new byte[WINDOW / 64 + 1][];
          Arrays.fill(unexpected, WireBytes.header(WireBytes.EAGER, 7, 0));
          Ranks.Fork talking = rank.fork("rogue", self -> rogue.say(unexpected));
          assertInstanceOf(ProtocolException.class, victim.end(waiting).failure());
          talking.join();
        });
  }

  /** An announcement holds no payload, so it costs no payload's room. */
  @Test
  void announcementsCostNoMemoryHoweverLongTheMessages() {
    attack(
        (victim, rogue, rank) -> {
          long before = Memory.allocatedBytes();
          byte[][] announcements = new byte[20_000][];
          Arrays.fill(announcements, WireBytes.header(WireBytes.ANNOUNCE, 7, Long.MAX_VALUE));
          rogue.say(announcements).say(WireBytes.frame(WireBytes.EAGER, 8, new byte[1]));
          Area area = rank.area(1);
          victim.complete(victim.recv(8, area));
          long more = Memory.allocatedBytes() - before;
          assertTrue(more < 100_000, more + " bytes for what was only announced");
          assertInstanceOf(
              MismatchException.class, victim.end(victim.recv(7, rank.area(100))).failure());
        });
  }

  @Test
  void endlessAnnouncements() {
    attack(
        (victim, rogue, rank) -> {
          Request waiting = victim.recv(9, rank.area(1));
          byte[][] announcements = new byte[1 << 16][];
          Arrays.fill(announcements, WireBytes.header(WireBytes.ANNOUNCE, 7, 1));
          byte[] many = WireBytes.join(announcements);
          Ranks.Fork talking =
              rank.fork(
                  "rogue",
                  self -> {
                    for (int i = 0; i <= 16; i++) {
                      rogue.sayIfHeard(many);
                    }
                  });
          assertInstanceOf(ProtocolException.class, victim.end(waiting).failure());
          victim.close();
          talking.join();
        });
  }

  @Test
  void anotherLengthThanWasAnnounced() {
    attack(
        (victim, rogue, rank) -> {
          Area area = rank.area(100).fill(1);
          Request recv = victim.recv(3, area);
          rogue.say(WireBytes.header(WireBytes.ANNOUNCE, 3, 100));
          Ranks.Fork ending = rank.fork("ending", self -> victim.end(recv));
          rogue.hear(WireBytes.HEADER_BYTES);
          rogue.say(WireBytes.header(WireBytes.DATA, 3, Long.MAX_VALUE), new byte[4096]);
          ending.join();
          assertInstanceOf(ProtocolException.class, recv.failure());
          area.check(1);
        });
  }

  @Test
  void moreGrantsThanAnnouncements() {
    attack(
        (victim, rogue, rank) -> {
          Area large = rank.area(2 << 20);
          Request send = victim.send(3, large);
          rogue.hear(WireBytes.HEADER_BYTES);
          byte[] grant = WireBytes.header(WireBytes.GRANT, 3, 0);
          rogue.say(grant, grant);
          assertInstanceOf(ProtocolException.class, victim.failure());
          assertTrue(send.isDone());
        });
  }

  /** Bytes behind an abort notice are ignored, and use no memory. */
  @Test
  void messagesBehindAnAbort() {
    attack(
        (victim, rogue, rank) -> {
          byte[] unexpected = WireBytes.frame(WireBytes.EAGER, 7, new byte[100_000]);
          rogue.say(WireBytes.frame(WireBytes.ABORT, 0, WireBytes.why()), unexpected, unexpected);
          JGlooException failure = victim.failure();
          assertTrue(failure.getMessage().contains("why"), failure.getMessage());
        });
  }

  @Test
  void messagesBehindAGoodbye() {
    attack(
        (victim, rogue, rank) -> {
          Area area = rank.area(1);
          byte before = area.bytes(0, 1)[0];
          Request posted = victim.recv(7, area);
          rogue.say(
              WireBytes.header(WireBytes.GOODBYE, 0, 0),
              WireBytes.frame(WireBytes.EAGER, 7, new byte[] {(byte) (before + 1)}));
          rogue.finish();
          assertInstanceOf(PeerDepartedException.class, victim.end(posted).failure());
          assertEquals(before, area.bytes(0, 1)[0]);
        });
  }

  static Stream<Arguments> cuts() {
    byte[] eager = WireBytes.frame(WireBytes.EAGER, 3, new byte[200_000]);
    return Stream.of(true, false)
        .flatMap(
            reset ->
                Stream.of(0, 63, 100_000)
                    .map(at -> Arguments.of(at, reset, Arrays.copyOf(eager, at))));
  }

  @ParameterizedTest(name = "after {0} bytes, reset {1}")
  @MethodSource("cuts")
  void theStreamEndsInTheMiddle(int at, boolean reset, byte[] bytes) {
    attack(
        (victim, rogue, rank) -> {
          Request posted = victim.recv(3, rank.area(200_000));
          rogue.say(bytes);
          rogue.end(reset);
          PeerLostException lost =
              assertInstanceOf(PeerLostException.class, victim.end(posted).failure());
          assertEquals(1, lost.peer());
          if (!reset) {
            assertEquals(at > 0, lost.getMessage().contains("middle"), lost.getMessage());
          }
        });
  }

  /**
   * The last bytes and the end come together: one edge for both, and a short read before the end.
   */
  @ParameterizedTest(name = "reset {0}")
  @ValueSource(booleans = {true, false})
  void theEndRightBehindTheLastBytes(boolean reset) {
    attack(
        (victim, rogue, rank) -> {
          rogue.say(WireBytes.frame(WireBytes.EAGER, 3, new byte[100])).end(reset);
          BitSet peers = new BitSet();
          peers.set(1);
          Request any = victim.request(4, rank.area(1));
          victim.mesh().recvAny(any, peers);
          assertInstanceOf(PeerLostException.class, victim.end(any).failure());
        });
  }
}
