package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.OperationTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that go on by themselves, and several at once. */
@Timeout(120)
class WorkTest {

  @Test
  void callProgressesWithoutAWaitingThread() {
    try (Ranks ranks = Ranks.of(3)) {
      ranks.each(
          (group, rank) -> {
            float[] x = new float[300_000];
            x[299_999] = rank;
            CompletableFuture<Void> future =
                group.async().allreduce(Payload.of(x), ReduceOp.SUM).toCompletableFuture();
            Ranks.patiently(future); // parks: does not drive
            assertEquals(3, x[299_999]);
          });
    }
  }

  @Test
  void manyAtOnceAwaitedInAnyOrder() {
    try (Ranks ranks = Ranks.of(4)) {
      ranks.each(
          (group, rank) -> {
            List<long[]> vectors = new ArrayList<>();
            List<Work> works = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
              long[] x = new long[1 + i * 97];
              x[x.length - 1] = (long) rank + i;
              vectors.add(x);
              works.add(group.async().allreduce(Payload.of(x), ReduceOp.SUM));
            }
            long[] between = {rank};
            group.allreduce(between, ReduceOp.MAX);
            assertArrayEquals(new long[] {3}, between);
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
              order.add(i);
            }
            Collections.shuffle(order, new java.util.Random(rank));
            for (int i : order) {
              works.get(i).await();
              assertTrue(works.get(i).isDone());
              assertTrue(works.get(i).failure().isEmpty());
              long[] x = vectors.get(i);
              assertEquals(6 + 4L * i, x[x.length - 1]);
            }
          });
    }
  }

  @Test
  void severalThreadsOfEachRankInOneOrder() {
    try (Ranks ranks = Ranks.of(2)) {
      ReentrantLock[] order = {new ReentrantLock(), new ReentrantLock()};
      int[] calls = new int[2];
      ranks.each(
          (group, rank) -> {
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
              threads.add(
                  Ranks.inThread(
                      () -> {
                        for (int i = 0; i < 100; i++) {
                          long[] x = new long[100];
                          Work work;
                          int call;
                          order[rank].lock();
                          try {
                            call = calls[rank]++;
                            x[99] = call;
                            work = group.async().allreduce(Payload.of(x), ReduceOp.SUM);
                          } finally {
                            order[rank].unlock();
                          }
                          work.await();
                          assertEquals(2L * call, x[99]);
                        }
                        return null;
                      }));
            }
            threads.forEach(Ranks::patiently);
          });
    }
  }

  @Test
  void aShortWaitLeavesTheCallAlone() {
    try (Ranks ranks = Ranks.of(2)) {
      Work work = ranks.group(0).async().barrier();
      assertFalse(work.isDone());
      assertThrows(OperationTimeoutException.class, () -> work.await(Duration.ZERO));
      OperationTimeoutException timeout =
          assertThrows(OperationTimeoutException.class, () -> work.await(Duration.ofMillis(30)));
      assertEquals(List.of(1), timeout.missingPeers());
      assertTrue(ranks.group(0).failure().isEmpty());
      CompletableFuture<Void> peer =
          Ranks.inThread(
              () -> {
                ranks.group(1).barrier();
                return null;
              });
      work.await(Duration.ofSeconds(30));
      Ranks.patiently(peer);
      assertTrue(work.failure().isEmpty());
    }
  }

  @Test
  void deadlineEndsTheCallWithoutAWaitingThread() {
    try (Ranks ranks = Ranks.of(2)) {
      ProcessGroup hasty =
          ranks.group(0).with(CallOptions.DEFAULTS.timeout(Duration.ofMillis(100)));
      CompletableFuture<Void> future = hasty.async().barrier().toCompletableFuture();
      CompletionException failure = assertThrows(CompletionException.class, future::join);
      OperationTimeoutException timeout =
          assertInstanceOf(OperationTimeoutException.class, failure.getCause());
      assertEquals(List.of(1), timeout.missingPeers());
      assertTrue(ranks.group(0).failure().isPresent());
    }
  }

  @Test
  void theFutureIsACopy() {
    try (Ranks ranks = Ranks.of(2)) {
      Work work = ranks.group(0).async().barrier();
      work.toCompletableFuture().cancel(true);
      work.toCompletableFuture().complete(null);
      assertFalse(work.isDone());
      assertFalse(work.toCompletableFuture().isDone());
      ranks.group(1).barrier();
      work.await();
      work.toCompletableFuture().join();
    }
  }

  @Test
  void dependentsOfTheFutureMayCallTheGroup() {
    try (Ranks ranks = Ranks.of(2)) {
      ranks.each(
          (group, rank) -> {
            long[] x = {rank};
            CompletableFuture<Void> chain =
                group
                    .async()
                    .barrier()
                    .toCompletableFuture()
                    .thenRun(() -> group.allreduce(x, ReduceOp.SUM));
            Ranks.patiently(chain);
            assertEquals(1, x[0]);
          });
    }
  }

  @Test
  void severalMayWaitForOne() {
    try (Ranks ranks = Ranks.of(2)) {
      Work work = ranks.group(0).async().barrier();
      CountDownLatch waiting = new CountDownLatch(5);
      List<CompletableFuture<Void>> waiters = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        waiters.add(
            Ranks.inThread(
                () -> {
                  waiting.countDown();
                  work.await();
                  return null;
                }));
      }
      Ranks.patiently(
          Ranks.inThread(
              () -> {
                waiting.await();
                ranks.group(1).barrier();
                return null;
              }));
      waiters.forEach(Ranks::patiently);
    }
  }

  @Test
  void blockedDependents_useABoundedNumberOfThreads() throws Exception {
    int calls = 400;
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(256);
    try (Ranks ranks = Ranks.of(2)) {
      List<CompletableFuture<Void>> dependents = new ArrayList<>();
      for (int i = 0; i < calls; i++) {
        CompletableFuture<Void> future = ranks.group(0).async().barrier().toCompletableFuture();
        dependents.add(
            future.thenRun(
                () -> {
                  begun.countDown();
                  try {
                    go.await();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                }));
      }
      for (int i = 0; i < calls; i++) {
        ranks.group(1).barrier();
      }
      assertTrue(begun.await(60, TimeUnit.SECONDS), begun + " have not begun");
      long threads =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().equals("gloo-future"))
              .count();
      go.countDown();
      dependents.forEach(Ranks::patiently);
      assertTrue(threads <= 256, threads + " threads");
    }
  }

  /** The call that is started while another thread closes is refused, or ends. */
  @Test
  void callStartedWhileTheGroupCloses_ends() throws Exception {
    int groups = Boolean.getBoolean("jgloo.test.full") ? 400 : 24;
    for (int i = 0; i < groups; i++) {
      int kind = i % 3;
      try (Ranks ranks = Ranks.of(2)) {
        ProcessGroup group = ranks.group(0);
        CyclicBarrier together = new CyclicBarrier(2);
        CompletableFuture<List<Work>> starting =
            Ranks.inThread(
                () -> {
                  together.await();
                  return startUntilRefused(group, kind);
                });
        together.await();
        group.close();
        for (Work work : Ranks.patiently(starting)) {
          Ranks.patiently(work.toCompletableFuture().exceptionally(failure -> null));
          assertTrue(work.failure().isPresent());
        }
      }
    }
  }

  /** Calls that the other rank does not make: by requests to a peer, by cells, by messages. */
  private static List<Work> startUntilRefused(ProcessGroup group, int kind) {
    List<Work> started = new ArrayList<>();
    try {
      while (started.size() < 10_000) {
        Payload x = Payload.of(new float[kind == 2 ? 5000 : 1]);
        started.add(
            kind == 0
                ? group.async().recv(x, 1, started.size())
                : group.async().allreduce(x, ReduceOp.SUM));
      }
    } catch (JGlooException e) {
      return started;
    }
    throw new AssertionError("the group is not closed");
  }
}
