package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.execution.Meshes;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.capability.Cells;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Short calls of ranks that share memory use cells; what else the group does goes with them. */
@Timeout(100)
class CellCallsTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  /** What a rank does. */
  private interface Body {
    void run(ProcessGroup group, int rank) throws Exception;
  }

  private static List<Throwable> ranks(int size, Duration timeout, Body body) throws Exception {
    return ranks(size, timeout, DeviceOptions.DEFAULTS, body);
  }

  /** Runs ranks as threads; what each of them threw, or null. */
  private static List<Throwable> ranks(int size, Duration timeout, DeviceOptions options, Body body)
      throws Exception {
    Throwable[] thrown = new Throwable[size];
    try (Device device = Devices.open("tcp", options.with("bind", "127.0.0.1"))) {
      List<Mesh> meshes = Meshes.connect(device, "cells", size);
      List<Thread> threads = new ArrayList<>();
      for (int each = 0; each < size; each++) {
        int rank = each;
        Thread thread = new Thread(() -> run(meshes.get(rank), timeout, body, thrown));
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    List<Throwable> all = new ArrayList<>();
    for (Throwable each : thrown) {
      all.add(each);
    }
    return all;
  }

  private static void run(Mesh mesh, Duration timeout, Body body, Throwable[] thrown) {
    try (ProcessGroup group = ProcessGroup.over(mesh, timeout)) {
      body.run(group, mesh.membership().rank());
    } catch (Throwable e) {
      thrown[mesh.membership().rank()] = e;
    }
  }

  private static void assertNone(List<Throwable> thrown) {
    for (Throwable each : thrown) {
      if (each != null) {
        throw new AssertionError("a rank failed", each);
      }
    }
  }

  @Test
  void everyShortCollective_usesCells() throws Exception {
    int size = 3;
    assertNone(
        ranks(
            size,
            LONG,
            (group, rank) -> {
              float[] x = {rank, 1};
              group.allreduce(x, ReduceOp.SUM);
              assertEquals(3, x[0]);
              int[] y = {rank};
              group.broadcast(y, 2);
              assertEquals(2, y[0]);
              int[] all = new int[size];
              group.allgather(new int[] {rank * 5}, all);
              assertEquals(10, all[2]);
              int[] turned = new int[size];
              group.alltoall(new int[] {rank, rank + 10, rank + 20}, turned);
              assertEquals(2 + 10 * rank, turned[2]);
              group.alltoall(Payload.of(turned));
              assertEquals(rank + 20, turned[2]);
              double[] sum = {rank + 0.5};
              group.reduce(sum, ReduceOp.SUM, 1);
              assertEquals(rank == 1 ? 4.5 : rank + 0.5, sum[0]);
              long[] block = new long[1];
              group.reduceScatter(new long[] {1, 2, 3}, block, ReduceOp.SUM);
              assertEquals(3L * (rank + 1), block[0]);
              group.barrier();
              float[] average = {rank};
              group.allreduce(average, ReduceOp.AVG);
              assertEquals(1, average[0]);
            }));
  }

  @Test
  void longAndShortCalls_ofSeveralThreads_keepTheirOrder() throws Exception {
    assertNone(
        ranks(
            2,
            LONG,
            (group, rank) -> {
              List<Work> works = new ArrayList<>();
              int[][] x = new int[300][];
              for (int i = 0; i < x.length; i++) {
                x[i] = new int[i % 3 == 0 ? 5000 : 3];
                x[i][0] = i + rank;
                works.add(group.async().allreduce(Payload.of(x[i]), ReduceOp.SUM));
                if (i % 7 == 0) {
                  int[] y = {rank};
                  group.allreduce(y, ReduceOp.MAX);
                  assertEquals(1, y[0]);
                }
              }
              for (int i = 0; i < x.length; i++) {
                works.get(i).await();
                assertEquals(2 * i + 1, x[i][0]);
              }
            }));
  }

  @Test
  void lazyConnecting_usesMessages() throws Exception {
    DeviceOptions lazy = DeviceOptions.DEFAULTS.with("connecting", "lazy");
    try (Device device = Devices.open("tcp", lazy.with("bind", "127.0.0.1"))) {
      for (Mesh mesh : Meshes.connect(device, "lazy", 2)) {
        assertTrue(mesh.capability(Cells.class).isEmpty());
      }
    }
    assertNone(ranks(2, LONG, lazy, (group, rank) -> group.barrier()));
  }

  /** What the root has written outlives its mesh; the other reads it late. */
  @Test
  void lastCallBeforeClosing_endsWellAtAllRanks() throws Exception {
    for (int i = 0; i < 100; i++) {
      int size = 2 + i % 2;
      CountDownLatch closed = new CountDownLatch(i % 3 == 0 ? 0 : 1);
      assertNone(
          ranks(
              size,
              Duration.ofSeconds(5),
              (group, rank) -> {
                group.barrier();
                if (rank > 0) {
                  closed.await();
                }
                int[] x = {rank};
                group.broadcast(x, 0);
                if (rank == 0) {
                  group.close();
                  closed.countDown();
                }
              }));
    }
  }

  /** One rank waits for a cell, the other for a message: the log tells the first. */
  @Test
  void shortAndLongCallAtOnce_areNamed() throws Exception {
    List<Throwable> thrown =
        ranks(
            2,
            LONG,
            (group, rank) -> {
              group.barrier();
              if (rank == 0) {
                group.allreduce(new float[1], ReduceOp.SUM);
              } else {
                group.reduce(new float[100_000], ReduceOp.SUM, 1);
              }
            });
    for (Throwable each : thrown) {
      assertInstanceOf(MismatchException.class, each);
    }
    String message = thrown.get(0).getMessage();
    assertTrue(message.contains("called reduce") && message.contains("called allreduce"), message);
  }

  /** Rank 1 makes no calls until the others have failed; both name it. */
  private static void assertLateRankIsNamed(Body calls) throws Exception {
    CountDownLatch late = new CountDownLatch(2);
    List<Throwable> thrown =
        ranks(
            3,
            Duration.ofMillis(700),
            (group, rank) -> {
              group.barrier();
              if (rank == 1) {
                late.await();
              }
              try {
                calls.run(group, rank);
              } finally {
                late.countDown();
              }
            });
    for (int rank : new int[] {0, 2}) {
      OperationTimeoutException timeout =
          assertInstanceOf(OperationTimeoutException.class, thrown.get(rank));
      assertEquals(List.of(1), timeout.missingPeers(), timeout.getMessage());
    }
  }

  /** The root cannot go on when all cells are full. */
  @Test
  void rankThatReadsNoCells_isNamedByTheRootThatNeedsRoom() throws Exception {
    assertLateRankIsNamed(
        (group, rank) -> {
          for (int i = 0; i < 6; i++) {
            group.broadcast(new int[1], 0);
          }
          group.barrier();
        });
  }

  /** Another thread ends the group of a call that waits for cells. */
  @ParameterizedTest
  @ValueSource(strings = {"close", "abort", "interrupt"})
  void callThatWaits_endsWithItsGroup(String end) throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    List<Throwable> thrown =
        ranks(
            2,
            LONG,
            (group, rank) -> {
              group.barrier();
              if (rank == 1) {
                over.await();
                group.barrier(); // may end well: what the other has published is there
                group.barrier();
                return;
              }
              Thread caller = Thread.currentThread();
              CompletableFuture<String> ending =
                  Ranks.inThread(
                      () -> {
                        switch (end) {
                          case "close" -> group.close();
                          case "abort" -> group.abort("enough");
                          default -> caller.interrupt();
                        }
                        return end;
                      });
              try {
                group.barrier();
              } finally {
                over.countDown();
                Thread.interrupted(); // the flag stays set
                assertEquals(end, Ranks.patiently(ending));
              }
            });
    for (Throwable each : thrown) {
      assertInstanceOf(JGlooException.class, each);
    }
  }

  /** What makes a rank stop waiting for what it must know before its first call. */
  enum Impatience {
    INTERRUPTED_START,
    INTERRUPTED_EXPLANATION,
    SHORT_EXPLANATION
  }

  /** Ranks that chose unlike algorithms waited for each other until their timeouts. */
  @ParameterizedTest
  @EnumSource
  void impatientRank_choosesTheSameAlgorithm(Impatience impatience) throws Exception {
    assertNone(
        ranks(
            3,
            LONG,
            (group, rank) -> {
              int[] x = {rank};
              if (rank == 1) {
                start(impatience, group, x).await();
              } else {
                group.allreduce(x, ReduceOp.SUM);
              }
              assertEquals(3, x[0]);
              String chosen = group.explain(Collective.ALLREDUCE, DataType.INT32, 1);
              assertTrue(chosen.startsWith("flat"), chosen);
            }));
  }

  private static Work start(Impatience impatience, ProcessGroup group, int[] x) {
    ProcessGroup hasty = group.with(CallOptions.DEFAULTS.timeout(Duration.ofNanos(1)));
    if (impatience == Impatience.SHORT_EXPLANATION) {
      try {
        hasty.explain(Collective.ALLREDUCE, DataType.INT32, 1);
      } catch (OperationTimeoutException e) {
        // It need not be known at once.
      }
      return group.async().allreduce(Payload.of(x), ReduceOp.SUM);
    }
    Thread.currentThread().interrupt();
    if (impatience == Impatience.INTERRUPTED_EXPLANATION) {
      group.explain(Collective.ALLREDUCE, DataType.INT32, 1);
      assertTrue(Thread.interrupted(), "the flag is kept");
    }
    Work work = group.async().allreduce(Payload.of(x), ReduceOp.SUM);
    assertEquals(impatience == Impatience.INTERRUPTED_START, Thread.interrupted());
    return work;
  }

  @Test
  void interruptBeforeTheFirstCall_failsTheGroupAtAllRanks() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    List<Throwable> thrown =
        ranks(
            2,
            LONG,
            (group, rank) -> {
              if (rank == 0) {
                failed.await();
                group.barrier();
              }
              Thread.currentThread().interrupt();
              try {
                group.barrier();
              } finally {
                assertTrue(Thread.interrupted(), "the flag is kept");
                failed.countDown();
              }
            });
    assertInstanceOf(InterruptedOperationException.class, thrown.get(1));
    assertTrue(thrown.get(0).getMessage().contains("interrupted"), thrown.get(0).getMessage());
  }
}
