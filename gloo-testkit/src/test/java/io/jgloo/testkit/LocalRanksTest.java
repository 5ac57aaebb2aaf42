package io.jgloo.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.PeerLostException;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Each kind of mistake in a body, and each fault, ends a run as it should. */
@Timeout(120)
final class LocalRanksTest {

  private static final Duration CALL = Duration.ofSeconds(1);

  private static void reduce(ProcessGroup group) {
    int[] x = {1};
    group.allreduce(x, ReduceOp.SUM);
    assertEquals(group.size(), x[0]);
  }

  private static ProcessGroup limited(ProcessGroup group) {
    return group.with(group.options().timeout(CALL));
  }

  private static JGlooException reduceUntilItFails(ProcessGroup group) {
    try {
      while (true) {
        reduce(group);
      }
    } catch (JGlooException e) {
      return e;
    }
  }

  private static AssertionError failure(LocalRanks ranks, LocalRanks.Body body) {
    AssertionError error = assertThrows(AssertionError.class, () -> ranks.run(body));
    assertFalse(error.getMessage().isBlank());
    return error;
  }

  private static void assertContains(AssertionError error, String... parts) {
    for (String part : parts) {
      assertTrue(error.getMessage().contains(part), error.getMessage());
    }
  }

  @Test
  void ranks_areThoseOfOneGroup() {
    for (int size : new int[] {1, 2, 3, 5}) {
      AtomicInteger ran = new AtomicInteger();
      LocalRanks.run(
          size,
          group -> {
            assertEquals(size, group.size());
            reduce(group);
            ran.incrementAndGet();
          });
      assertEquals(size, ran.get());
    }
  }

  @Test
  void exceptionAtRank2_isTheCauseAndTheOthersAreSuppressed() {
    IllegalStateException planted = new IllegalStateException("planted");
    AssertionError error =
        failure(
            LocalRanks.of(4),
            group -> {
              if (group.rank() == 2) {
                throw planted;
              }
              group.barrier();
            });
    assertContains(error, "rank 2: java.lang.IllegalStateException: planted");
    assertSame(planted, error.getCause());
    assertEquals(3, error.getSuppressed().length);
    for (Throwable other : error.getSuppressed()) {
      assertTrue(other.getMessage().contains("rank 2 failed"), other.getMessage());
    }
  }

  @Test
  void wrongRoot_isReportedWithARank() {
    AssertionError error =
        failure(LocalRanks.of(3), group -> group.broadcast(new int[1], group.rank() == 2 ? 1 : 0));
    assertContains(error, "collective 1 differs:", "rank 0: operation:broadcast", "root:1");
  }

  @Test
  void skippedCall_isReportedWithTheRankThatHasLeft() {
    AssertionError error =
        failure(
            LocalRanks.of(3),
            group -> {
              if (group.rank() != 1) {
                reduce(group);
              }
            });
    assertContains(error, "peer 1", "has left", "rank 0: operation:allreduce", "rank 1: no call");
  }

  @Test
  void deadlock_endsAtTheDeadlineWithCallsAndStacks() {
    AssertionError error =
        failure(
            LocalRanks.of(3).deadline(Duration.ofSeconds(2)),
            group -> {
              if (group.rank() < 2) {
                group.recv(new int[3], 1 - group.rank(), 7);
              }
            });
    assertContains(error, "ranks [0, 1] hang after 2.0 s", "rank 2 has ended");
    assertContains(error, "rank 0: operation:recv", "peer:1, tag:7", "LocalRanksTest");
  }

  @Test
  void rankThatWaitsForSomethingElse_hangsToo() {
    AssertionError error =
        failure(
            LocalRanks.of(2).deadline(Duration.ofSeconds(1)),
            group -> new CountDownLatch(1).await());
    assertContains(error, "ranks [0, 1] hang", "no call is running", "CountDownLatch.await");
  }

  @Test
  void groupThatIsNotClosed_isALeak() {
    AssertionError error =
        failure(LocalRanks.of(2), group -> assertTrue(group.newGroup(0, 1).isPresent()));
    assertContains(error, "leaked: group world/0 rank 0 of 2; group world/0 rank 1 of 2");
  }

  @Test
  void memoryThatIsNotClosed_isALeak() {
    AssertionError error =
        failure(
            LocalRanks.of(2),
            group -> {
              group.allocate(100).close();
              group.allocate(4096L << group.rank());
            });
    assertContains(error, "leaked: 4096 bytes of private memory of group world rank 0 of 2; 8192");
  }

  @Test
  void thread_isALeak() {
    CountDownLatch end = new CountDownLatch(1);
    Thread[] started = new Thread[1];
    LocalRanks.Body body =
        group -> {
          started[0] =
              new Thread(
                  () -> {
                    try {
                      end.await();
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  },
                  "left-behind");
          started[0].start();
        };
    assertContains(failure(LocalRanks.of(1), body), "leaked: thread left-behind");
    end.countDown();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void socketAndMemory_areLeaks() throws IOException {
    ServerSocket[] socket = new ServerSocket[1];
    LocalRanks.Body body = group -> socket[0] = new ServerSocket(0);
    assertContains(failure(LocalRanks.of(1), body), "leaked: ", "LISTEN");
    socket[0].close();
  }

  /** All runs are between their first and last collective at once. */
  @Test
  void runsThatOverlap_doNotDisturbEachOther() throws Exception {
    int runs = 6;
    CyclicBarrier overlap = new CyclicBarrier(runs);
    ExecutorService threads = Executors.newFixedThreadPool(runs);
    try {
      List<Future<?>> results = new ArrayList<>();
      for (int i = 0; i < runs; i++) {
        int run = i;
        results.add(
            threads.submit(
                () ->
                    LocalRanks.run(
                        3,
                        group -> {
                          reduce(group);
                          if (group.rank() == 0) {
                            overlap.await();
                          }
                          group.barrier(); // rank 0 has met the other runs
                          assertTrue(run > 0 || group.rank() != 2, "planted");
                          reduce(group);
                        })));
      }
      Throwable failure =
          assertThrows(ExecutionException.class, () -> results.get(0).get()).getCause();
      assertContains(assertInstanceOf(AssertionError.class, failure), "rank 2: ", "planted");
      for (Future<?> result : results.subList(1, runs)) {
        result.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void killedRank_isLostToTheOthersWhoGoOn() {
    LocalRanks ranks = LocalRanks.of(4);
    ranks.faults().atCall(2, 3).kill(2);
    ranks.run(
        group -> {
          reduce(group);
          JGlooException failure = reduceUntilItFails(group);
          assertEquals(2, assertInstanceOf(PeerLostException.class, failure).peer());
          try (ProcessGroup survivors = group.shrink(Duration.ofSeconds(20))) {
            assertEquals(3, survivors.size());
            reduce(survivors);
          }
        });
  }

  @Test
  void stoppedRank_endsCallsAtTheirTimeout() {
    LocalRanks ranks = LocalRanks.of(3);
    ranks.faults().atCall(2, 3).stop(2);
    ranks.run(
        group -> {
          reduce(group);
          JGlooException failure = reduceUntilItFails(limited(group));
          assertInstanceOf(OperationTimeoutException.class, failure);
          assertTrue(failure.getMessage().contains("2"), failure.getMessage());
        });
  }

  @Test
  void cut_endsCallsAtTheirTimeout() {
    LocalRanks ranks = LocalRanks.of(2);
    ranks.faults().cut(0, 1);
    ranks.run(
        group ->
            assertInstanceOf(OperationTimeoutException.class, reduceUntilItFails(limited(group))));
  }

  @Test
  void lostStore_lastsForNoShrink() {
    LocalRanks ranks = LocalRanks.of(3);
    ranks.faults().atCall(1, 1).kill(1);
    ranks.faults().loseStore();
    ranks.run(
        group -> {
          assertInstanceOf(PeerLostException.class, reduceUntilItFails(group));
          assertThrows(StoreException.class, () -> group.shrink(Duration.ofSeconds(5)));
        });
  }

  /** A bit that changes on the way is found by a test of values, and the same seed finds it. */
  @Test
  void corruptedByte_isFoundAndReplayedByTheSeed() {
    LocalRanks.Body body =
        group -> {
          for (int i = 0; i < 20; i++) {
            long[] x = new long[50];
            Arrays.fill(x, group.rank());
            group.allreduce(x, ReduceOp.SUM);
            for (long each : x) {
              assertEquals(1, each);
            }
          }
        };
    LocalRanks first = LocalRanks.of(2).simulated(1, 50);
    first.faults().atRandom(Duration.ofMillis(1)).corrupt(0, 1);
    AssertionError found = failure(first, body);
    String seed = found.getMessage().replaceFirst("(?s).*@Simulated\\(seed = (\\d+)\\).*", "$1");
    LocalRanks again = LocalRanks.of(2).simulated(Long.parseLong(seed), 1);
    again.faults().atRandom(Duration.ofMillis(1)).corrupt(0, 1);
    assertEquals(found.getMessage(), failure(again, body).getMessage());
  }

  @Test
  void simulatedKill_isReportedToAll() {
    LocalRanks ranks = LocalRanks.of(3).simulated(1, 3);
    ranks.faults().atRandom(Duration.ofMillis(2)).kill(1);
    ranks.run(
        group ->
            assertEquals(
                1, assertInstanceOf(PeerLostException.class, reduceUntilItFails(group)).peer()));
  }

  @Test
  void simulatedDeadlock_endsInVirtualTime() {
    AssertionError error =
        failure(
            LocalRanks.of(2).simulated(5, 1), group -> group.recv(new int[1], 1 - group.rank(), 0));
    assertContains(error, "OperationTimeoutException", "seed 5: @Simulated(seed = 5) repeats it");
  }

  @Test
  void impossibleArguments_areRefused() {
    Faults faults = LocalRanks.of(2).faults();
    assertThrows(IllegalArgumentException.class, () -> LocalRanks.of(0));
    assertThrows(IllegalArgumentException.class, () -> faults.kill(2));
    assertThrows(IllegalArgumentException.class, () -> faults.cut(1, 1));
    assertThrows(IllegalArgumentException.class, () -> faults.atCall(0, 0));
    assertThrows(IllegalArgumentException.class, () -> faults.atRandom(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> LocalRanks.of(2).deadline(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> LocalRanks.of(2).simulated(1, 0));
  }
}
