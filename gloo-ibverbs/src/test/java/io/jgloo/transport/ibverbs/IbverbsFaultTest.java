package io.jgloo.transport.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.Area;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.ibverbs.verbs.AsyncEvent;
import io.jgloo.transport.ibverbs.verbs.SoftVerbs;
import io.jgloo.transport.ibverbs.verbs.WorkStatus;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a device may report ends in an error that names peer and report, on all ranks. */
@Timeout(100)
final class IbverbsFaultTest {

  private final SoftRanks soft = SoftRanks.prompt();
  private final List<SoftVerbs> adapters = List.of(soft.adapter(), soft.adapter(), soft.adapter());

  private Ranks ranks(int size) {
    return new ThreadRanks(size, rank -> soft.open(adapters.get(rank)));
  }

  @AfterEach
  void nothingIsLeft() {
    soft.check();
    for (SoftVerbs adapter : adapters) {
      assertEquals(java.util.Map.of(), adapter.live());
      assertEquals(0, adapter.lockedBytes());
    }
  }

  /** Rank 2 is notified too, though its own pairs work. */
  @ParameterizedTest
  @EnumSource(names = {"RETRIES_EXCEEDED", "REMOTE_ACCESS_ERROR", "LOCAL_PROTECTION_ERROR"})
  void statusOfASend_isReportedByAll(WorkStatus status) {
    ranks(3)
        .run(
            rank -> {
              Request waiting = rank.recv((rank.rank() + 1) % 3, 9, rank.area(8));
              rank.meet();
              if (rank.rank() == 0) {
                adapters.get(0).faults().failSend(status, 0);
                rank.send(1, 1, rank.area(64));
                JGlooException failure = rank.fails(JGlooException.class, waiting);
                tells(failure, "peer 1 (127.0.0.1:", "status " + status.code() + ",", "0x88");
                assertInstanceOf(kind(status), failure);
              } else {
                JGlooException heard = rank.fails(JGlooException.class, waiting);
                tells(heard, "rank 0 gave up: ", "status " + status.code() + ",");
              }
            });
  }

  private static Class<? extends JGlooException> kind(WorkStatus status) {
    return switch (status) {
      case RETRIES_EXCEEDED -> PeerLostException.class;
      case REMOTE_ACCESS_ERROR -> ProtocolException.class;
      default -> UnavailableException.class;
    };
  }

  @ParameterizedTest
  @EnumSource(names = {"FLUSHED", "LOCAL_LENGTH_ERROR"})
  void statusOfAReceive_isReportedByBoth(WorkStatus status) {
    ranks(2)
        .run(
            rank -> {
              Request waiting = rank.recv(1 - rank.rank(), 9, rank.area(8));
              rank.meet();
              if (rank.rank() == 0) {
                adapters.get(1).faults().failReceive(status);
                rank.send(1, 1, rank.area(64));
              }
              // Both see their end of it; the first notice is received by the other.
              tells(rank.fails(JGlooException.class, waiting), "status ", "peer ");
            });
  }

  /** One side was only flushed, the other one knows why: its report is that of both. */
  @RepeatedTest(3)
  void sideThatKnowsTheCause_reportsFirst() {
    ranks(2)
        .run(
            rank -> {
              Request waiting = rank.recv(1 - rank.rank(), 9, rank.area(8));
              rank.meet();
              if (rank.rank() == 0) {
                adapters.get(1).faults().failReceive(WorkStatus.FLUSHED);
                rank.send(1, 1, rank.area(64));
              }
              String code = "status " + WorkStatus.REMOTE_OPERATION_ERROR.code() + ",";
              tells(rank.fails(JGlooException.class, waiting), code, "peer 1 ");
            });
  }

  /** Each of them would cost the sender a transfer, and one too many ends a message twice. */
  @Test
  void grantOfNothing_failsTheMesh() {
    ranks(2)
        .run(
            rank -> {
              Request waiting = rank.recv(1 - rank.rank(), 9, rank.area(8));
              if (rank.rank() == 1) {
                rank.send(0, 1, rank.area(200_000)); // announced: its number is 0
              }
              rank.meet();
              if (rank.rank() == 0) {
                IbverbsMesh mesh = (IbverbsMesh) rank.mesh();
                mesh.lock();
                try {
                  mesh.linkAt(1).route().grant(0, 0, 0, 0, 0, 0);
                } finally {
                  mesh.unlock();
                }
                rank.send(1, 2, rank.area(8)); // takes the grant with it
                rank.fails(JGlooException.class, waiting);
              } else {
                ProtocolException failure = rank.fails(ProtocolException.class, waiting);
                tells(failure, "peer 0 (127.0.0.1:", "a grant for 0 bytes at 0 of message 0");
              }
            });
  }

  /** A write that fails late, in the middle of what a receive waits for. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void aWriteFailsMidway(int after) {
    adapters.forEach(adapter -> adapter.maxMessageBytes(1 << 20));
    ranks(2)
        .run(
            rank -> {
              Area area = rank.area(5_000_000).fill(rank.rank());
              rank.meet();
              if (rank.rank() == 0) {
                // The announcement goes first.
                adapters.get(0).faults().failSend(WorkStatus.RETRIES_EXCEEDED, 1 + after);
                Request send = rank.send(1, 1, area);
                assertEquals(1, rank.fails(PeerLostException.class, send).peer());
              } else {
                rank.fails(JGlooException.class, rank.recv(0, 1, area));
                area.fill(7); // it is ours again
              }
              rank.meet();
              area.check(rank.rank() == 0 ? 0 : 7);
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {AsyncEvent.PAIR_FATAL, AsyncEvent.PATH_MIGRATION_ERROR})
  void eventsOfAPair(int type) {
    ranks(2)
        .run(
            rank -> {
              Request waiting = rank.recv(1 - rank.rank(), 9, rank.area(8));
              rank.meet();
              if (rank.rank() == 0) {
                long pair = adapters.get(0).pairHandles().get(0);
                adapters.get(0).raise(new AsyncEvent(type, pair));
              }
              String message = rank.fails(JGlooException.class, waiting).getMessage();
              assertTrue(message.contains("event " + type), message);
              assertTrue(
                  type == AsyncEvent.PATH_MIGRATION_ERROR || message.contains("peer 1"), message);
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {AsyncEvent.DEVICE_FATAL, AsyncEvent.PORT_ERROR})
  void eventsOfTheDevice(int type) {
    ranks(2)
        .run(
            rank -> {
              Request waiting = rank.recv(1 - rank.rank(), 9, rank.area(8));
              rank.meet();
              if (rank.rank() == 0) {
                adapters.get(0).raise(new AsyncEvent(type, 1));
                tells(rank.fails(UnavailableException.class, waiting), "event " + type + ")");
              } else {
                tells(rank.fails(AbortedException.class, waiting), "rank 0", "event " + type);
              }
            });
  }

  /** The pair breaks by itself, without a status that says why. */
  @Test
  void aBrokenPairIsAPeerLost() {
    ranks(2)
        .run(
            rank -> {
              Request waiting = rank.recv(1 - rank.rank(), 9, rank.area(8));
              rank.meet();
              if (rank.rank() == 0) {
                adapters.get(0).breakPair(adapters.get(0).pairHandles().get(0));
                PeerLostException lost = rank.fails(PeerLostException.class, waiting);
                assertEquals(1, lost.peer());
                tells(lost, "broke the connection", "status 5");
              } else {
                rank.fails(JGlooException.class, waiting);
              }
            });
  }

  /** What a peer says of its failure counts, not that its queue pair is gone. */
  @Test
  void aNoticeExplainsABrokenPair() {
    ranks(2)
        .run(
            rank -> {
              Request waiting = rank.recv(1 - rank.rank(), 9, rank.area(8));
              rank.meet();
              if (rank.rank() == 1) {
                rank.mesh().abort(new UnavailableException("out of paper"));
                return;
              }
              for (int i = 0; i < 50; i++) {
                rank.send(1, 1, rank.area(100)); // some meet a queue pair that is no more
              }
              tells(rank.fails(AbortedException.class, waiting), "out of paper");
            });
  }

  /** A device that never gives up sending says nothing; the notice comes by TCP. */
  @Test
  void silentQueuePair_isReportedByTcp() {
    ranks(2)
        .run(
            rank -> {
              Request waiting = rank.recv(1 - rank.rank(), 9, rank.area(8));
              rank.meet();
              adapters.get(rank.rank()).faults().staySilent();
              adapters.get(rank.rank()).faults().cutOff(true);
              rank.send(1 - rank.rank(), 1, rank.area(100));
              rank.meet();
              if (rank.rank() == 1) {
                rank.mesh().abort(new UnavailableException("out of patience"));
              }
              tells(rank.fails(JGlooException.class, waiting), "out of patience");
            });
  }

  /** Closing does not wait for ever for what never arrives, nor does the other side. */
  @Test
  void closingBesideASilentWire() {
    ranks(2)
        .run(
            rank -> {
              if (rank.rank() == 0) {
                adapters.get(0).faults().cutOff(true);
                rank.send(1, 1, rank.area(100));
                rank.mesh().close();
                rank.meet();
                return;
              }
              rank.meet();
              Request recv = rank.recv(0, 1, rank.area(100));
              assertEquals(0, rank.fails(PeerLostException.class, recv).peer());
            });
  }

  /** The thread may be in a call of the adapter, which therefore stays open as long. */
  @Test
  void deviceThatIsClosedWhileAThreadMakesProgress_isReleasedWhenItReturns() {
    CountDownLatch handling = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    ranks(2)
        .run(
            rank -> {
              if (rank.rank() == 1) {
                rank.tell(0, 1);
                return;
              }
              Request recv = rank.recv(1, 1, rank.area(1));
              rank.fork(
                  "closing",
                  fork -> {
                    rank.until("the request is handled", () -> handling.getCount() == 0);
                    rank.device().close();
                    assertNotEquals(java.util.Map.of(), adapters.get(0).live());
                    closed.countDown();
                  });
              rank.queue()
                  .await(
                      () -> closed.getCount() == 0,
                      request -> {
                        handling.countDown();
                        rank.until("the device is closed", () -> closed.getCount() == 0);
                      },
                      rank.deadline(Ranks.PATIENCE));
              assertEquals(Request.State.DONE, recv.state());
              rank.until("all is released", () -> adapters.get(0).live().isEmpty());
            });
  }

  private static void tells(JGlooException failure, String... parts) {
    for (String part : parts) {
      String message = String.valueOf(failure.getMessage());
      assertTrue(message.contains(part), () -> "'" + part + "' is not in: " + message);
    }
  }

  /** Both by a frame and by a write of the peer's memory; nothing else is posted at that pair. */
  @Test
  void aDeviceThatSleepsOverItsWorkIsWoken() {
    ranks(2)
        .run(
            rank -> {
              Area area = rank.area(100_000).fill(3);
              rank.meet();
              if (rank.rank() == 0) {
                adapters.get(0).faults().sleep();
                rank.complete(rank.send(1, 1, rank.area(8).fill(2)));
                rank.meet();
                rank.meet();
                adapters.get(0).faults().sleep();
                rank.complete(rank.send(1, 2, area));
              } else {
                Area small = rank.area(8);
                rank.complete(rank.recv(0, 1, small));
                small.check(2);
                rank.meet();
                Area large = rank.area(100_000);
                Request receive = rank.recv(0, 2, large);
                rank.meet();
                rank.complete(receive);
                large.check(3);
              }
              rank.meet();
            });
  }

  @Test
  void pairwiseFailure_isRefused() {
    Membership own = new Membership("pairs", 0, 0, 2);
    try (Device device = SoftRanks.prompt().open()) {
      String refusal =
          assertThrows(UnavailableException.class, () -> device.newMesh(own, FailureScope.PAIRWISE))
              .getMessage();
      assertTrue(refusal.contains("device ibverbs"), refusal);
    }
  }
}
