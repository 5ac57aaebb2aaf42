package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.engine.UnexpectedMessage;
import io.jgloo.transport.tcp.stream.Stream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a joined peer on Gloo's wire can make a rank allocate, keep and search. */
@Timeout(60)
class CppGlooBoundsTest {

  /** Frames written at a time. */
  private static final int CHUNK = 1 << 14;

  /** Headers without payload on so many slots, one each. */
  private static byte[] headers(int opcode, long from, int count, int slots) {
    ByteBuffer all = ByteBuffer.allocate(count * CppGlooRogue.HEADER_BYTES);
    for (long slot = from; slot < from + count; slot++) {
      all.put(CppGlooRogue.header(opcode, slot % slots, 0));
    }
    return all.array();
  }

  private static Ranks.Fork flood(CppGlooRogue rogue, Rank rank, int opcode, int count, int slots) {
    return rank.fork(
        "flood",
        self -> {
          for (int from = 0; from < count; from += CHUNK) {
            int some = Math.min(CHUNK, count - from);
            if (!rogue.peer.sayIfHeard(headers(opcode, from, some, slots))) {
              return;
            }
          }
        });
  }

  // Lengths.

  @Test
  void totalThatOverflows_failsTheMesh() {
    CppGlooRogue.play(
        (rogue, rank) -> {
          rogue.peer.say(CppGlooRogue.header(0, 1, 1), new byte[1]);
          rogue.peer.say(CppGlooRogue.header(0, 2, Long.MAX_VALUE)).sayIfHeard(new byte[1 << 16]);
          JGlooException failure = rogue.failure();
          assertInstanceOf(ProtocolException.class, failure, failure.toString());
          assertTrue(failure.getMessage().startsWith("peer 1 ("), failure.getMessage());
          assertTrue(failure.getMessage().contains("length " + Long.MAX_VALUE));
        });
  }

  @Test
  void boundMessageLongerThanMemory_waitsForItsReceive() {
    long length = Long.MAX_VALUE - CppGlooRogue.HEADER_BYTES;
    CppGlooRogue.play(
        (rogue, rank) -> {
          rogue.recv(-2, rank.area(1)); // has the device's thread read
          rogue.peer.say(CppGlooRogue.header(0, 1, 100), new byte[100]);
          rogue.peer.say(CppGlooRogue.header(0, 2, length)).sayIfHeard(new byte[1 << 16]);
          rank.until("reading has stopped", ((TcpMesh) rogue.mesh()).streamAt(1)::isStalled);
          rogue.complete(rogue.recv(rogue.request(1, rank.area(100)).bound(0)));
          Request recv = rogue.recv(rogue.request(2, rank.area(100)).bound(0));
          MismatchException failure =
              assertInstanceOf(MismatchException.class, rogue.end(recv).failure());
          assertEquals(length, failure.second().length());
        });
  }

  // Numbers.

  @Test
  void emptyBoundMessages_countAgainstTheWindow() {
    int count = 1000;
    CppGlooRogue.play(
        CppGlooRogue.GLOO.with("window", 4096),
        (rogue, rank) -> {
          rogue.recv(-2, rank.area(1)); // has the device's thread read
          rogue.peer.hear(CppGlooRogue.HEADER_BYTES);
          rogue.peer.say(headers(CppGlooRogue.BOUND, 0, count, count));
          Stream stream = ((TcpMesh) rogue.mesh()).streamAt(1);
          rank.until("reading has stopped", stream::isStalled);
          assertTrue(LiveObjects.of(UnexpectedMessage.class) <= 4096 / 64);
          List<Request> all = new ArrayList<>();
          for (int slot = 0; slot < count; slot++) {
            all.add(rogue.recv(rogue.request(slot, rank.area(0)).bound(0)));
          }
          all.forEach(rogue::complete);
          rogue.works();
        });
  }

  @ParameterizedTest(name = "opcode {0}, {1} slots")
  @CsvSource({"2, 1", "2, 2000000", "3, 1", "3, 2000000"})
  void moreCreditsOrAnnouncementsThanAllowed_failTheMesh(int opcode, int slots) {
    CppGlooRogue.play(
        (rogue, rank) -> {
          Request waiting = rogue.recv(-2, rank.area(1));
          Ranks.Fork flooding = flood(rogue, rank, opcode, 2_000_000, slots);
          JGlooException failure = rogue.end(waiting).failure();
          assertInstanceOf(ProtocolException.class, failure, failure.toString());
          assertTrue(failure.getMessage().startsWith("peer 1 ("), failure.getMessage());
          assertTrue(failure.getMessage().contains("262145"), failure.getMessage());
          assertTrue(failure.getMessage().contains("262144"), failure.getMessage());
          rogue.peer.close();
          flooding.join();
        });
  }

  static IntStream opcodes() {
    return IntStream.rangeClosed(2, Boolean.getBoolean("jgloo.test.full") ? 3 : 2);
  }

  /** As many as are allowed, on as many slots; a linear search would take minutes. */
  @ParameterizedTest(name = "opcode {0}")
  @MethodSource("opcodes")
  void asManyCreditsOrAnnouncementsAsAllowed_areServed(int opcode) {
    int count = 1 << 18;
    CppGlooRogue.play(
        (rogue, rank) -> {
          Ranks.Fork flooding = flood(rogue, rank, opcode, count, count);
          Request behind = rogue.recv(rogue.request(-3, rank.area(0)).bound(0));
          Ranks.Fork reading = rank.fork("reading", self -> rogue.peer.hearAll());
          flooding.join();
          rogue.peer.say(CppGlooRogue.header(CppGlooRogue.BOUND, -3, 0));
          rogue.complete(behind);
          Area empty = rank.area(0);
          List<Request> all = new ArrayList<>();
          for (int slot = count - 1; slot >= 0; slot--) {
            all.add(opcode == 2 ? rogue.recv(slot, empty) : rogue.send(slot, empty));
          }
          if (opcode == 2) {
            flood(rogue, rank, CppGlooRogue.PAYLOAD, count, count).join();
          }
          all.forEach(rogue::complete);
          rogue.mesh().close();
          reading.join();
        });
  }
}
