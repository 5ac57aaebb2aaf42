package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.Area;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.capability.Diagnosis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames on Gloo's wire that are due together go in one write, and never later than promised. */
@Timeout(60)
class CppGlooBatchTest {
  private static void hears(CppGlooRogue rogue, int opcode, long slot, int length)
      throws Exception {
    rogue.hears(CppGlooRogue.header(opcode, slot, length));
  }

  private static long writes(CppGlooRogue rogue) {
    return Diagnosis.of(rogue.mesh()).counters().get("writes");
  }

  /** Lets the mesh read what the peer has said so far. */
  private static void caughtUp(CppGlooRogue rogue, Rank rank) throws Exception {
    Request behind = rogue.recv(0x51, rank.area(0));
    hears(rogue, CppGlooRogue.RECEIVE_READY, 0x51, 0);
    rogue.peer.say(
        CppGlooRogue.header(CppGlooRogue.SEND_READY, 0x51, 0),
        CppGlooRogue.header(CppGlooRogue.PAYLOAD, 0x51, 0));
    rogue.complete(behind);
  }

  @Test
  void collectedMessagesGoInOneWrite() {
    CppGlooRogue.play(
        (rogue, rank) -> {
          rogue.peer.say(CppGlooRogue.header(CppGlooRogue.RECEIVE_READY, 7, 8));
          caughtUp(rogue, rank);
          long before = writes(rogue);
          rogue.queue().collect();
          rogue.recv(5, rank.area(16));
          Area out = rank.area(8).fill(1);
          Request asked = rogue.send(7, out);
          Request unasked = rogue.send(8, rank.area(8));
          assertTrue(asked.isDone(), "its bytes are copied");
          assertEquals(before, writes(rogue));
          rogue.queue().flush();
          assertEquals(before + 1, writes(rogue));
          hears(rogue, CppGlooRogue.RECEIVE_READY, 5, 16);
          hears(rogue, CppGlooRogue.SEND_READY, 7, 8);
          hears(rogue, CppGlooRogue.PAYLOAD, 7, 8);
          assertArrayEquals(out.bytes(0, 8), rogue.peer.hear(8));
          hears(rogue, CppGlooRogue.SEND_READY, 8, 8);
          assertFalse(unasked.isDone());
          rogue.recv(6, rank.area(4)); // flushed is flushed
          assertEquals(before + 2, writes(rogue));
        });
  }

  /** The batch holds a pair on which another thread's message was cut off by the failure. */
  @Test
  void batchOfAFailedMesh_sendsNothingMore() {
    CppGlooRogue.play(
        (rogue, rank) -> {
          int length = 64 << 20; // more than sockets take
          rogue.peer.say(CppGlooRogue.header(CppGlooRogue.RECEIVE_READY, 7, length));
          caughtUp(rogue, rank);
          rogue.queue().collect();
          rogue.recv(5, rank.area(16)); // its credit waits in the batch
          Area large = rank.area(length);
          Request[] cut = new Request[1];
          rank.fork("other", self -> cut[0] = rogue.send(7, large)).join();
          assertFalse(cut[0].isDone());
          rogue.mesh().abort(new AbortedException(0, "enough"));
          TcpMesh mesh = (TcpMesh) rogue.mesh();
          rank.until(
              "the socket is reported writable again, as it is at its end",
              () -> {
                mesh.progress().look();
                return mesh.streamAt(1).link().writable;
              });
          rogue.queue().flush();
          assertEquals(Request.State.FAILED, cut[0].state());
        });
  }

  @Test
  void waitSendsAllCollectedMessagesFirst() {
    CppGlooRogue.play(
        (rogue, rank) -> {
          rogue.queue().collect();
          Area in = rank.area(3);
          Request recv = rogue.recv(5, in);
          rogue.send(6, rank.area(4));
          Ranks.Fork answering =
              rank.fork(
                  "peer",
                  self -> {
                    hears(rogue, CppGlooRogue.RECEIVE_READY, 5, 3);
                    hears(rogue, CppGlooRogue.SEND_READY, 6, 4);
                    rogue.peer.say(
                        CppGlooRogue.header(CppGlooRogue.SEND_READY, 5, 3),
                        CppGlooRogue.header(CppGlooRogue.PAYLOAD, 5, 3),
                        new byte[] {4, 5, 6});
                  });
          rogue.complete(recv);
          answering.join();
          assertArrayEquals(new byte[] {4, 5, 6}, in.bytes(0, 3));
        });
  }

  /** A receive from any grants nothing before the announcement, however short the waiter spins. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "50", "1000000"})
  void singleAnnouncementIsSentBeforeAThreadBlocks(String spin) {
    CppGlooRogue.play(
        CppGlooRogue.GLOO.with("spin", spin),
        (rogue, rank) -> {
          Ranks.Fork choosing =
              rank.fork(
                  "peer",
                  self -> {
                    hears(rogue, CppGlooRogue.SEND_READY, 6, 4);
                    rogue.peer.say(CppGlooRogue.header(CppGlooRogue.RECEIVE_READY, 6, 4));
                    hears(rogue, CppGlooRogue.PAYLOAD, 6, 4);
                    rogue.peer.hear(4);
                  });
          rogue.queue().collect();
          rogue.complete(rogue.send(6, rank.area(4)));
          rogue.queue().flush();
          choosing.join();
        });
  }
}
