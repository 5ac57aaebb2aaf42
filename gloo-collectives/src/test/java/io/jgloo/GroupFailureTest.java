package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.execution.Meshes;
import io.jgloo.transport.AbortedException;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.FailureContext;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What ends a group, and what its ranks report. */
@Timeout(120)
class GroupFailureTest {

  @Test
  void aDeadlineEndsTheGroupEverywhereAndNamesTheSilentRank() {
    try (Ranks ranks = Ranks.of(3)) {
      CountDownLatch over = new CountDownLatch(2);
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                if (rank == 1) {
                  over.await();
                  group.barrier();
                }
                Duration limit = rank == 0 ? Duration.ofMillis(200) : Duration.ofSeconds(30);
                try {
                  group
                      .with(CallOptions.DEFAULTS.timeout(limit).algorithm("ring"))
                      .allreduce(new double[300], ReduceOp.SUM);
                } finally {
                  over.countDown();
                }
              });
      OperationTimeoutException first =
          assertInstanceOf(OperationTimeoutException.class, failures.get(0));
      assertEquals(List.of(1), first.missingPeers());
      FailureContext context = first.context().orElseThrow();
      assertEquals("allreduce(ring)", context.operation());
      assertEquals("test", context.group());
      assertEquals(0, context.rank());
      assertEquals(0, context.sequence());
      assertTrue(context.elapsed().compareTo(Duration.ofMillis(200)) >= 0, first.getMessage());
      assertInstanceOf(JGlooException.class, failures.get(1));
      JGlooException failure = assertInstanceOf(JGlooException.class, failures.get(2));
      assertTrue(failure.getMessage().contains("rank 0 gave up"), failure.getMessage());
      assertTrue(failure.getMessage().contains("not done within 0.200 s"), failure.getMessage());
    }
  }

  @Test
  void theFirstCauseIsRepeatedAtOnce() {
    try (Ranks ranks = Ranks.of(2)) {
      ProcessGroup group = ranks.group(0).with(CallOptions.DEFAULTS.timeout(Duration.ofMillis(50)));
      JGlooException first = assertThrows(OperationTimeoutException.class, group::barrier);
      for (Runnable call : calls(ranks.group(0))) {
        JGlooException later = assertThrows(OperationTimeoutException.class, call::run);
        assertSame(first.getCause(), rootOf(later), later.getMessage());
      }
      assertEquals(
          rootOf(first),
          rootOf(ranks.group(0).failure().orElseThrow()),
          "the failure as asked for");
    }
  }

  @Test
  void aClosedGroupRefusesCallsAndSaysWhyItHadFailed() {
    try (Ranks ranks = Ranks.of(2)) {
      ProcessGroup group = ranks.group(0);
      group.abort("enough of this");
      group.close();
      for (Runnable call : calls(group)) {
        ClosedException refused = assertThrows(ClosedException.class, call::run);
        assertTrue(refused.getCause().getMessage().contains("enough of this"));
      }
    }
  }

  private static List<Runnable> calls(ProcessGroup group) {
    return List.of(
        group::barrier,
        () -> group.allreduce(new float[4], ReduceOp.SUM),
        () -> group.broadcast(new float[4], 0),
        () -> group.async().allreduce(Payload.of(new float[4]), ReduceOp.SUM).await(),
        () -> group.send(Payload.of(new float[4]), 1, 0),
        () -> group.recv(Payload.of(new float[4]), 1, 0));
  }

  private static Throwable rootOf(Throwable e) {
    return e.getCause() == null ? e : rootOf(e.getCause());
  }

  @Test
  void interruptionEndsTheGroupAndKeepsTheFlag() throws Exception {
    try (Ranks ranks = Ranks.of(2)) {
      CompletableFuture<Thread> waiting = new CompletableFuture<>();
      CompletableFuture<Boolean> flag = new CompletableFuture<>();
      CompletableFuture<Throwable> outcome =
          Ranks.inThread(
              () -> {
                waiting.complete(Thread.currentThread());
                try {
                  ranks.group(0).allreduce(new int[10], ReduceOp.SUM);
                  return null;
                } catch (JGlooException e) {
                  flag.complete(Thread.currentThread().isInterrupted());
                  return e;
                }
              });
      CompletableFuture<Throwable> peer =
          Ranks.inThread(
              () ->
                  assertThrows(
                      JGlooException.class,
                      () -> ranks.group(1).recv(Payload.of(new int[1]), 0, 9)));
      waiting.get().interrupt();
      assertInstanceOf(InterruptedOperationException.class, Ranks.patiently(outcome));
      assertTrue(Ranks.patiently(flag));
      assertInstanceOf(AbortedException.class, Ranks.patiently(peer));
    }
  }

  @Test
  void aThreadThatIsInterruptedBeforeDoesNotStart() {
    try (Ranks ranks = Ranks.of(2)) {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedOperationException.class, () -> ranks.group(0).barrier());
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void closingEndsCallsInProgress() {
    try (Ranks ranks = Ranks.of(2)) {
      ProcessGroup group = ranks.group(0);
      List<CompletableFuture<JGlooException>> callers = new ArrayList<>();
      for (int count : new int[] {10, 1000, 1_000_000}) { // by cells and by messages
        callers.add(
            Ranks.inThread(
                () ->
                    assertThrows(
                        JGlooException.class,
                        () -> group.allreduce(new int[count], ReduceOp.SUM))));
      }
      Work work = group.async().barrier();
      List<CompletableFuture<Void>> closers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        closers.add(
            Ranks.inThread(
                () -> {
                  group.close();
                  group.close();
                  return null;
                }));
      }
      closers.forEach(Ranks::patiently);
      for (CompletableFuture<JGlooException> caller : callers) {
        assertInstanceOf(ClosedException.class, Ranks.patiently(caller));
      }
      assertThrows(ClosedException.class, work::await);
      assertTrue(work.isDone());
    }
  }

  @Test
  void closingByManyThreads_freesMemoryOnce() {
    for (int round = 0; round < 8; round++) {
      try (Ranks ranks = Ranks.of(2)) {
        ranks.each((group, rank) -> group.allreduce(new int[10], ReduceOp.SUM)); // is staged
        CyclicBarrier together = new CyclicBarrier(4);
        List<CompletableFuture<Void>> closers = new ArrayList<>();
        for (int i = 0; i < together.getParties(); i++) {
          closers.add(
              Ranks.inThread(
                  () -> {
                    together.await();
                    ranks.group(0).close();
                    return null;
                  }));
        }
        closers.forEach(Ranks::patiently);
      }
    }
  }

  @Test
  void aPeerThatLeavesIsNamed() {
    try (Ranks ranks = Ranks.of(3)) {
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                group.barrier();
                if (rank == 1) {
                  group.close();
                } else {
                  group.allreduce(new float[100_000], ReduceOp.SUM);
                }
              });
      for (int rank : new int[] {0, 2}) {
        PeerLostException lost = assertInstanceOf(PeerLostException.class, failures.get(rank));
        assertEquals(1, lost.peer(), lost.getMessage());
      }
    }
  }

  @Test
  void abortingReachesAllRanksWithTheReason() {
    try (Ranks ranks = Ranks.of(3)) {
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) -> {
                if (rank == 1) {
                  group.abort("the loss is not a number");
                }
                group.barrier();
              });
      for (Throwable failure : failures) {
        AbortedException aborted = assertInstanceOf(AbortedException.class, failure);
        assertEquals(1, aborted.origin());
        assertTrue(aborted.getMessage().contains("the loss is not a number"));
      }
    }
  }

  /** An Error of a user's function in a started call, wherever it is called, by any thread. */
  @ParameterizedTest
  @CsvSource({
    "jgloo,1",
    "jgloo,5000",
    "jgloo,300000",
    "gloo,1",
    "gloo,5000",
    "gloo,300000",
  })
  void errorInAReduceFunction_failsTheGroupWithItsCause(String wire, int count) {
    DeviceOptions options = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("wire", wire);
    for (int round = 0; round < 8; round++) {
      AtomicInteger thrower = new AtomicInteger(-1);
      Device device = Devices.open("tcp", options);
      try (Ranks ranks = Ranks.on(device, 3, Duration.ofSeconds(20))) {
        List<Throwable> failures =
            ranks.outcomes(
                (group, rank) -> {
                  ReduceOp op =
                      ReduceOp.of(
                          "sum",
                          (a, b, type) -> {
                            thrower.compareAndSet(-1, rank);
                            if (thrower.get() == rank) {
                              throw new AssertionError("cannot add these");
                            }
                            addInts(a, b);
                          },
                          true);
                  int[] x = new int[count];
                  Arrays.fill(x, rank);
                  Payload memory = Payload.of(x);
                  group
                      .async()
                      .allreduce(memory, op)
                      .toCompletableFuture()
                      .get(60, TimeUnit.SECONDS);
                  for (int each : x) {
                    assertEquals(3, each, "a call returned with wrong data");
                  }
                  group.async().barrier().toCompletableFuture().get(60, TimeUnit.SECONDS);
                });
        Meshes.connect(device, "after", 2).forEach(Mesh::close); // the device's thread is alive
        Throwable first = failures.get(thrower.get());
        assertTrue(causedBy(first, AssertionError.class), String.valueOf(first));
        for (Throwable failure : failures) {
          assertNotNull(failure, "a rank did not hear of the failure");
          assertTrue(causedBy(failure, JGlooException.class), failure.toString());
          assertFalse(causedBy(failure, ProtocolException.class), failure.toString());
        }
      }
    }
  }

  private static void addInts(ByteBuffer a, ByteBuffer b) {
    for (int at = 0; at < a.limit(); at += Integer.BYTES) {
      a.putInt(at, a.getInt(at) + b.getInt(at));
    }
  }

  private static boolean causedBy(Throwable e, Class<?> kind) {
    for (Throwable each = e; each != null; each = each.getCause()) {
      if (kind.isInstance(each)) {
        return true;
      }
    }
    return false;
  }
}
