package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Request;
import io.jgloo.transport.capability.Diagnosis;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process that joins by shared memory and writes there what it must not: this process lives on,
 * and its mesh names the rank.
 */
@Timeout(100)
class SegmentRogueTest {

  private static final DeviceOptions AUTO = Loopback.OPTIONS.with("memory", "auto");
  private static final int RING_BYTES = 64 << 10;

  private static void fails(Victim victim, Request waiting, String what) {
    JGlooException failure = victim.end(waiting).failure();
    assertInstanceOf(ProtocolException.class, failure, failure.toString());
    assertTrue(failure.getMessage().startsWith("peer 1 (127.0.0.1:"), failure::getMessage);
    assertTrue(failure.getMessage().contains(what), failure::getMessage);
  }

  /** So many bytes that a read finds fewer than it needs, and looks at the tail in between. */
  @Test
  void tailThatOverflows_failsTheMesh() {
    Victim.meet(
        AUTO,
        (victim, rank) -> {
          try (SegmentRogue rogue = SegmentRogue.join(victim, victim.hello(), RING_BYTES, false)) {
            victim.connect();
            byte[] last = WireBytes.header(WireBytes.CREDIT, 0, 0);
            byte[][] credits = new byte[126][];
            Arrays.fill(credits, last);
            rogue.say(
                WireBytes.frame(WireBytes.EAGER, 7, new byte[41_000]),
                WireBytes.frame(WireBytes.EAGER, 7, new byte[30]),
                WireBytes.join(credits),
                Arrays.copyOf(last, 44));
            long head = 64 + 41_000 + 8192; // where 34 bytes of a header have been read, of 44
            rank.until("the first piece is read", () -> in(victim) >= 8192);
            rogue.putWord(SegmentRogue.TAIL, head + Long.MIN_VALUE);
            for (int i = 0; i < 10 && victim.mesh().failure().isEmpty(); i++) {
              victim.look();
            }
            rogue.putWord(SegmentRogue.TAIL, head + Long.MIN_VALUE + (1 << 28));
            fails(victim, victim.recv(9, rank.area(1)), "sent the tail " + (head + Long.MIN_VALUE));
          }
        });
  }

  private static long in(Victim victim) {
    victim.look();
    return Diagnosis.of(victim.mesh()).counters().get("bytesInShared");
  }

  /** Random words while messages are awaited and sent. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void scribbledSegment_endsCallsOnly(boolean cells) {
    for (int i = 0; i < Integer.getInteger("jgloo.scribble.seeds", 2); i++) {
      int seed = i;
      Victim.meet(
          AUTO.with("ring", "4096"),
          (victim, rank) -> {
            try (SegmentRogue rogue = SegmentRogue.join(victim, victim.hello(), 4096, cells)) {
              victim.connect();
              for (int round = 0; round < 20 && victim.mesh().failure().isEmpty(); round++) {
                victim.recv(1, rank.area(10_000));
                victim.send(1, rank.area(10_000));
                rogue.tell("scribble 4096 1024 " + (seed * 100 + round) + " 8");
                rogue.tell("scribble 8192 8192 " + (seed * 100 + round) + " 300");
                for (int look = 0; look < 20; look++) {
                  victim.look();
                }
                victim.drain();
              }
            }
          });
    }
  }

  /**
   * Work of a turn, in which timeouts and closing wait, is bounded, though the ring is always full.
   */
  @Test
  void ringFullOfFrames_isReadInSeveralTurns() {
    Victim.meet(
        AUTO,
        (victim, rank) -> {
          int ring = 16 << 20;
          try (SegmentRogue rogue = SegmentRogue.join(victim, victim.hello(), ring, false)) {
            victim.connect();
            String credit = HexFormat.of().formatHex(WireBytes.header(WireBytes.CREDIT, 0, 0));
            int count = ring / WireBytes.HEADER_BYTES;
            rogue.tell("repeat " + SegmentRogue.RING + " " + credit + " " + count);
            rogue.putWord(SegmentRogue.TAIL, ring);
            Set<Long> seen = new HashSet<>();
            rank.until("all is read", () -> !seen.add(in(victim)) && seen.contains((long) ring));
            assertTrue(seen.size() > 2, seen::toString);
          }
        });
  }

  /** Its bytes are quoted in the log, and the right process may come later. */
  @Test
  void offerWithAPathThatIsNone_isRefused() {
    Victim.meet(
        AUTO,
        (victim, rank) -> {
          ByteBuffer offer = ByteBuffer.allocate(17 + 12).put((byte) 1).putLong(7).putLong(4096);
          offer.put("/dev/shm/j\0x".getBytes(StandardCharsets.US_ASCII));
          byte[] hello = victim.hello().bytes();
          ByteBuffer.wrap(hello).putInt(28, offer.position());
          try (RoguePeer rogue = RoguePeer.dial(victim.mesh().address())) {
            rogue.say(hello, Arrays.copyOf(offer.array(), offer.position()));
            assertTrue(rogue.hearsTheEnd());
          }
          assertEquals(1, Diagnosis.of(victim.mesh()).counters().get("refused"));
          try (RoguePeer right = victim.join(1)) {
            victim.connect();
            right.finish();
          }
        });
  }
}
