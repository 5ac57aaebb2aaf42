package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Waiting ends by a completion, at the deadline, by an interrupt or a wake-up; not before. */
public interface WaitingContract extends DeviceUnderTest {

  @Test
  default void deadlinesAreKept() {
    ranks(2)
        .run(
            rank -> {
              Request never = rank.recv(1 - rank.rank(), 1, rank.area(8));
              for (long millis : new long[] {1, 5, 30, 120}) {
                long deadline = rank.deadline(Duration.ofMillis(millis));
                assertFalse(rank.queue().await(deadline));
                assertTrue(rank.mesh().clock().nanoTime() - deadline >= 0, "too early");
              }
              assertFalse(rank.queue().await(rank.mesh().clock().nanoTime() - 1));
              assertNull(rank.queue().poll());
              assertEquals(Request.State.POSTED, never.state());
              rank.meet();
            });
  }

  @Test
  default void completedRequestsAreReturnedInOrderEvenAfterTheDeadline() {
    ranks(2)
        .run(
            rank -> {
              if (rank.rank() == 0) {
                rank.hear(1, 9);
                for (int i = 0; i < 3; i++) {
                  rank.complete(rank.send(1, 1, rank.area(8)));
                }
                return;
              }
              Request[] recvs = new Request[3];
              for (int i = 0; i < 3; i++) {
                recvs[i] = rank.recv(0, 1, rank.area(8));
              }
              rank.tell(0, 9);
              long deadline = rank.deadline(Ranks.PATIENCE);
              for (Request recv : recvs) {
                Request next = rank.queue().poll();
                while (next == null) {
                  assertTrue(rank.queue().await(deadline));
                  assertTrue(rank.queue().await(rank.mesh().clock().nanoTime() - 1));
                  next = rank.queue().poll();
                }
                assertSame(recv, next);
                assertEquals(Request.State.DONE, next.state());
              }
            });
  }

  @Test
  default void progressAloneMovesBytes() {
    ranks(2)
        .run(
            rank -> {
              for (int bytes : new int[] {0, 100, 2_000_000}) {
                Area area = rank.area(bytes);
                Request request =
                    rank.rank() == 0 ? rank.send(1, 1, area.fill(7)) : rank.recv(0, 1, area);
                long deadline = rank.deadline(Ranks.PATIENCE);
                while (!request.isDone()) {
                  assertTrue(rank.mesh().clock().nanoTime() - deadline < 0, "no progress");
                  rank.queue().progress();
                }
                rank.complete(request);
                area.check(7);
              }
            });
  }

  /** Who polls without end does not keep time from those who wait for it. */
  @Test
  default void deadlinesAreKeptWhileAnotherOnlyPolls() {
    AtomicBoolean over = new AtomicBoolean();
    ranks(2)
        .run(
            rank -> {
              if (rank.rank() == 1) {
                assertFalse(rank.queue().await(rank.deadline(Duration.ofMillis(30))));
                over.set(true);
              }
              while (!over.get()) {
                rank.queue().progress();
              }
            });
  }

  @Test
  default void waitIsInterruptible() {
    ranks(2)
        .run(
            rank -> {
              CompletionQueue queue = rank.mesh().newQueue();
              Request recv = queue.newRequest().message(1, rank.area(8).buffer(), 0, 8);
              rank.recv(1 - rank.rank(), recv);
              for (boolean beforehand : new boolean[] {true, false}) {
                AtomicBoolean waiting = new AtomicBoolean();
                Ranks.Fork fork =
                    rank.fork(
                        "interrupted",
                        self -> {
                          if (beforehand) {
                            Thread.currentThread().interrupt();
                          }
                          waiting.set(true);
                          assertThrows(
                              InterruptedOperationException.class,
                              () -> queue.await(self.deadline(Ranks.PATIENCE)));
                          assertTrue(Thread.interrupted(), "the flag stays set");
                        });
                rank.until("the thread waits", waiting::get);
                rank.pause(10);
                long start = rank.mesh().clock().nanoTime();
                fork.interrupt();
                fork.join();
                long took = rank.mesh().clock().nanoTime() - start;
                assertTrue(took < Ranks.PATIENCE.toNanos() / 2, took + " ns to be heard");
              }
              rank.meet();
              // The mesh is none the worse for it.
              Area out = rank.area(8);
              rank.complete(rank.send(1 - rank.rank(), 1, out));
              assertTrue(queue.await(rank.deadline(Ranks.PATIENCE)));
              assertSame(recv, queue.poll());
              assertEquals(Request.State.DONE, recv.state());
              rank.meet();
            });
  }

  @Test
  default void wakeUpsWake() {
    ranks(2)
        .run(
            rank -> {
              CompletionQueue queue = rank.mesh().newQueue();
              Request recv = queue.newRequest().message(1, rank.area(8).buffer(), 0, 8);
              rank.recv(1 - rank.rank(), recv);
              Ranks.Fork fork =
                  rank.fork(
                      "woken", self -> assertFalse(queue.await(self.deadline(Ranks.PATIENCE))));
              long start = rank.mesh().clock().nanoTime();
              while (!fork.hasEnded()) {
                queue.wakeup();
                rank.pause(1);
              }
              fork.join();
              long took = rank.mesh().clock().nanoTime() - start;
              assertTrue(took < Ranks.PATIENCE.toNanos() / 2, took + " ns to wake");
              rank.meet();
            });
  }
}
