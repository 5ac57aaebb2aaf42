package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.Area;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.UnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Why a rank gives up or goes is heard by its peers, whatever has become of the connection. */
@Timeout(60)
class FinalNoticesTest {

  private static final int LARGE = 16 << 20;

  /** The stream is stuck in the middle of a message and stays so: the notice goes past it. */
  @ParameterizedTest(name = "rank {0} gives up")
  @ValueSource(ints = {0, 1})
  void anAbortPassesAMessageThatIsStuck(int sender) {
    NetworkFaultTest.through(
        Shape.PLAIN,
        (rank, proxy) -> {
          Pipe pipe = sender == 0 ? proxy.wire(0).toDialler() : proxy.wire(0).toListener();
          pipe.stallAt(1 << 20);
          rank.meet();
          Area area = rank.area(LARGE);
          if (rank.rank() != sender) {
            JGlooException failure = rank.fails(AbortedException.class, rank.recv(sender, 1, area));
            assertTrue(failure.getMessage().contains("rank " + sender + " gave up: why"));
            assertEquals(1 << 20, pipe.passed());
            rank.meet();
            return;
          }
          Request send = rank.send(1 - sender, 1, area);
          rank.until("the message is stuck", () -> pipe.passed() == 1 << 20);
          rank.mesh().abort(new UnavailableException("why"));
          rank.fails(JGlooException.class, send);
          rank.meet();
          pipe.resume(); // so that the proxy sees the connection close
        });
  }

  /**
   * However long the way past the stream takes: with a secret three times as long as the stream.
   */
  @Test
  void aStreamWithACutOffMessageEndsAfterTheNoticeWasHeard() {
    NetworkFaultTest.through(
        Loopback.OPTIONS.withSecret(Secrets.SECRET),
        Shape.PLAIN,
        (rank, proxy) -> {
          Area area = rank.area(LARGE);
          if (rank.rank() == 0) {
            rank.fails(AbortedException.class, rank.recv(1, 1, area));
            return;
          }
          Pipe pipe = proxy.wire(0).toListener();
          pipe.stallAt(1 << 20);
          Request send = rank.send(0, 1, area);
          rank.until("the message is stuck", () -> pipe.passed() == 1 << 20);
          proxy.shape(Shape.delayed(250, 0)); // of connections from now on
          rank.mesh().abort(new UnavailableException("why"));
          rank.fails(JGlooException.class, send);
          pipe.resume();
          rank.mesh().close();
        });
  }

  /** No padding, no completion: half a message is a loss, of a peer that has left. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aDeviceClosedInTheMiddleOfAMessage(int sender) {
    NetworkFaultTest.through(
        Shape.PLAIN,
        (rank, proxy) -> {
          Pipe pipe = sender == 0 ? proxy.wire(0).toDialler() : proxy.wire(0).toListener();
          pipe.stallAt(1 << 20);
          rank.meet();
          Area area = rank.area(LARGE);
          if (rank.rank() == sender) {
            Request send = rank.send(1 - sender, 1, area);
            rank.until("the message is stuck", () -> pipe.passed() == 1 << 20);
            rank.device().close();
            assertEquals(Request.State.FAILED, send.state());
            pipe.resume();
          } else {
            Request recv = rank.recv(sender, 1, area);
            PeerLostException lost = rank.fails(PeerDepartedException.class, recv);
            assertEquals(sender, lost.peer());
            assertTrue(lost.getMessage().contains("middle of a message"), lost.getMessage());
          }
          rank.meet();
        });
  }

  /**
   * The peer said why it gave up, and exited; we were busy and write first. What it said is in our
   * socket, and counts, not that the write fails.
   */
  @Test
  void abortNoticeIsReadBeforeAFailedWriteIsReported() {
    Victim.attack(
        (victim, rogue, rank) -> {
          rogue.say(WireBytes.frame(WireBytes.ABORT, 0, WireBytes.why())).reset();
          Request last = null;
          for (int i = 0; i < 100 && !((TcpMesh) victim.mesh()).hasEnded(); i++) {
            last = victim.send(1, rank.area(100));
          }
          JGlooException failure = victim.failure();
          AbortedException aborted = assertInstanceOf(AbortedException.class, failure);
          assertTrue(aborted.getMessage().contains("rank 1 gave up: why"), aborted.getMessage());
          assertTrue(last.isDone());
        });
  }

  @Test
  void goodbyeIsReadBeforeAFailedWriteIsReported() {
    Victim.attack(
        (victim, rogue, rank) -> {
          rogue.say(WireBytes.header(WireBytes.GOODBYE, 0, 0)).reset();
          for (int i = 0; i < 100 && !((TcpMesh) victim.mesh()).hasEnded(); i++) {
            victim.send(1, rank.area(100));
          }
          assertInstanceOf(PeerDepartedException.class, victim.failure());
        });
  }

  /** What had come before the end can still be had, though we write into a broken connection. */
  @Test
  void messagesThatArrivedCanBeReceivedAfterAFailedWrite() {
    Victim.attack(
        (victim, rogue, rank) -> {
          Area area = rank.area(3);
          Request recv = victim.recv(7, area);
          rogue.say(WireBytes.frame(WireBytes.EAGER, 7, new byte[] {1, 2, 3})).reset();
          for (int i = 0; i < 3; i++) {
            victim.send(1, rank.area(100));
          }
          victim.complete(recv);
          assertArrayEquals(new byte[] {1, 2, 3}, area.bytes(0, 3));
          assertInstanceOf(PeerLostException.class, victim.failure());
        });
  }

  /** A peer that never stops sending to a closed mesh does not delay other meshes of the device. */
  @Test
  void peerThatKeepsSendingAfterClose_doesNotBlockTheDevice() {
    Victim.attack(
        (victim, rogue, rank) -> {
          byte[] noise = WireBytes.frame(WireBytes.EAGER, 1, new byte[1 << 20]);
          Ranks.Fork talking =
              rank.fork(
                  "talker",
                  self -> {
                    while (rogue.sayIfHeard(noise)) {
                      // It does not listen.
                    }
                  });
          victim.close();
          try (Victim other = new Victim(rank);
              RoguePeer peer = Victim.invade(other)) {
            Area area = rank.area(1);
            peer.say(WireBytes.frame(WireBytes.EAGER, 1, new byte[1]));
            other.complete(other.recv(1, area));
          }
          talking.join(); // cut off when lingering has lasted long enough
        });
  }
}
