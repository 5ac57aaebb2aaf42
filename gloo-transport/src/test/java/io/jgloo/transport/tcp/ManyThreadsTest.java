package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads on one mesh, and several meshes at a time: each gets its own, and gets it soon. */
@Timeout(60)
class ManyThreadsTest {

  /** One thread's own way to exchange messages with its counterpart at the other rank. */
  private static final class Exchange {
    private final Rank rank;
    private final Mesh mesh;
    private final CompletionQueue queue;
    private final Request send;
    private final Request recv;
    private final Area in;
    private final Area out;

    Exchange(Rank rank, Mesh mesh, int mostBytes) {
      this.rank = rank;
      this.mesh = mesh;
      queue = mesh.newQueue();
      send = queue.newRequest();
      recv = queue.newRequest();
      in = rank.area(mostBytes);
      out = rank.area(mostBytes);
    }

    void with(long slot, int bytes, long seed) {
      out.fill(seed + rank.rank());
      int peer = 1 - rank.rank();
      mesh.pair(peer).recv(recv.message(slot, in.buffer(), 0, bytes));
      mesh.pair(peer).send(send.message(slot, out.buffer(), 0, bytes));
      take();
      take();
      // The pattern of a shorter message is the beginning of that of a longer one.
      in.check(seed + peer, bytes);
    }

    void send(long slot) {
      mesh.pair(1 - rank.rank()).send(send.message(slot, out.buffer(), 0, 1));
      take();
    }

    void recv(long slot) {
      mesh.pair(1 - rank.rank()).recv(recv.message(slot, in.buffer(), 0, 1));
      take();
    }

    private void take() {
      Request done = queue.poll();
      while (done == null) {
        assertTrue(queue.await(rank.deadline(Ranks.PATIENCE)), "nothing completes");
        done = queue.poll();
      }
      if (done.failure() != null) {
        throw new AssertionError("slot " + done.slot(), done.failure());
      }
    }
  }

  /**
   * Two messages come one right after the other, for two threads that sleep while a third drives.
   * It must unpark the second one too before it blocks: a thread that is not unparked looks for
   * itself 50 ms later, 600 times, and that does not fit into the time in which a fork must end.
   */
  @Test
  void aThreadThatDrivesForOthersTellsThemAtOnce() {
    int rounds = 600;
    Loopback.ranks(2)
        .run(
            rank -> {
              if (rank.rank() == 1) {
                for (int i = 0; i < rounds; i++) {
                  rank.hear(0, 4);
                  LockSupport.parkNanos(300_000); // they sleep after 50 us
                  Request first = rank.send(0, 2, rank.area(1));
                  long start = System.nanoTime();
                  while (System.nanoTime() - start < 20_000) {
                    Thread.onSpinWait();
                  }
                  rank.complete(first, rank.send(0, 3, rank.area(1)));
                }
                rank.tell(0, 1);
                return;
              }
              List<Ranks.Fork> forks = new ArrayList<>();
              forks.add(rank.fork("driver", self -> new Exchange(self, self.mesh(), 1).recv(1)));
              rank.pause(5);
              CyclicBarrier both = new CyclicBarrier(2);
              for (int slot = 2; slot <= 3; slot++) {
                int own = slot;
                forks.add(
                    rank.fork(
                        "sleeper" + slot,
                        self -> {
                          Exchange exchange = new Exchange(self, self.mesh(), 1);
                          for (int i = 0; i < rounds; i++) {
                            if (both.await() == 0) {
                              exchange.send(4);
                            }
                            exchange.recv(own);
                          }
                        }));
              }
              forks.forEach(Ranks.Fork::join);
            });
  }

  /**
   * Else the device's threads of hundreds of ranks, whose threads wait, take a third of the cores.
   */
  @Test
  void aMeshWhoseThreadIsBlockedNeedsNothingFromTheDevicesThread() {
    Loopback.ranks(2)
        .run(
            rank -> {
              TcpMesh mesh = (TcpMesh) rank.mesh();
              if (rank.rank() == 0) {
                Ranks.Fork waits = rank.fork("waits", self -> self.hear(1, 1));
                rank.until("it makes progress", () -> mesh.progress().isHeld());
                int busy = 0;
                for (int i = 0; i < 40; i++) {
                  rank.pause(1); // it blocks for 50 ms at a time
                  busy += mesh.patrol() ? 1 : 0;
                }
                assertEquals(0, busy, "turns with something to do");
                rank.meet();
                waits.join();
              } else {
                rank.meet();
                rank.tell(0, 1);
              }
            });
  }

  /** The deadline of one thread holds though the messages of another do not stop. */
  @Test
  void aDeadlineHoldsInTheMiddleOfOthersTraffic() {
    Loopback.ranks(2)
        .run(
            rank -> {
              Ranks.Fork traffic =
                  rank.fork(
                      "traffic",
                      self -> {
                        Exchange exchange = new Exchange(self, self.mesh(), 3_000_000);
                        for (int i = 0; i < 40; i++) {
                          exchange.with(1, 3_000_000, 2L * i);
                        }
                      });
              CompletionQueue queue = rank.mesh().newQueue();
              int expired = 0;
              while (!traffic.hasEnded()) {
                assertTrue(!queue.await(rank.deadline(Duration.ofMillis(5))));
                expired++;
              }
              traffic.join();
              assertTrue(expired > 3, expired + " deadlines while others moved their bytes");
              rank.meet();
            });
  }
}
