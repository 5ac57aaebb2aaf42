package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.Wire;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Groups that do as PyTorch's processes do, here among themselves. */
@Timeout(60)
final class PyTorchGroupTest {
  private static CppGlooMesh mesh(Wire wire, int size, Duration timeout) {
    return new CppGlooMesh(size, timeout, builder -> builder.wire(wire).pytorch());
  }

  @ParameterizedTest
  @EnumSource(names = {"GLOO", "GLOO_CLASSIC"})
  void reduceScatterIsAnAllreduceOfWhichTheBlockIsKept(Wire wire) {
    try (CppGlooMesh mesh = mesh(wire, 3, Duration.ofSeconds(30))) {
      for (int count : new int[] {0, 1, 5, 1031}) {
        float[][] x = CppGlooMeshTest.contributions(3, 3 * count);
        float[] expected = CppGlooReference.allreduce("glooRing", x)[0];
        mesh.each(
            (group, rank) -> {
              float[] wanted = Arrays.copyOfRange(expected, rank * count, (rank + 1) * count);
              float[] output = new float[count];
              group.reduceScatter(Payload.of(x[rank]), Payload.of(output), ReduceOp.SUM);
              CppGlooMeshTest.assertBits(wanted, output, "reduce-scatter");
              float[] inPlace = x[rank].clone();
              group.reduceScatter(Payload.of(inPlace), ReduceOp.SUM);
              CppGlooMeshTest.assertBits(wanted, Arrays.copyOf(inPlace, count), "in place");
            });
      }
    }
  }

  /** Calls of one kind at the same time have tags of their own. */
  @Test
  void manyCallsAtATime() {
    try (CppGlooMesh mesh = mesh(Wire.GLOO, 3, Duration.ofSeconds(30))) {
      mesh.each(
          (group, rank) -> {
            int[][] x = new int[200][];
            Work[] works = new Work[x.length];
            for (int call = 0; call < x.length; call++) {
              x[call] = new int[] {rank + call, -rank};
              works[call] = group.async().allreduce(Payload.of(x[call]), ReduceOp.SUM);
            }
            for (int call = x.length - 1; call >= 0; call--) {
              works[call].await();
              assertArrayEquals(new int[] {3 + 3 * call, -3}, x[call]);
            }
          });
    }
  }

  @Test
  void monitoredBarrierTakesTwoTagsAtEveryRank() {
    try (CppGlooMesh mesh = mesh(Wire.GLOO, 3, Duration.ofSeconds(30))) {
      mesh.each(
          (group, rank) -> {
            for (int call = 0; call < 5; call++) {
              group.monitoredBarrier(Duration.ofSeconds(30));
              int[] x = {rank};
              group.allreduce(x, ReduceOp.MAX);
              assertArrayEquals(new int[] {2}, x);
              int[] message = {rank == 0 ? call : -1};
              if (rank == 0) {
                group.send(Payload.of(message), 1, call);
              } else if (rank == 1) {
                group.recv(Payload.of(message), 0, call);
                assertArrayEquals(new int[] {call}, message);
              }
            }
          });
    }
  }

  @Test
  void monitoredBarrierNamesAllThatAreMissing() {
    try (CppGlooMesh mesh = mesh(Wire.GLOO, 4, Duration.ofSeconds(30))) {
      CountDownLatch over = new CountDownLatch(1);
      List<Throwable> ends =
          mesh.outcomes(
              (group, rank) -> {
                if (rank % 2 == 0) {
                  try {
                    group.monitoredBarrier(Duration.ofSeconds(2)); // rank 2 comes in time
                  } finally {
                    if (rank == 0) {
                      over.countDown();
                    }
                  }
                } else {
                  over.await();
                }
              });
      OperationTimeoutException failure =
          assertInstanceOf(OperationTimeoutException.class, ends.get(0));
      assertEquals(List.of(1, 3), failure.missingPeers());
      assertTrue(ends.get(2) != null, "rank 2 hears that the group has ended");
    }
  }

  @Test
  void tagIsNotTheCallers() {
    try (CppGlooMesh mesh = mesh(Wire.GLOO, 1, Duration.ofSeconds(30))) {
      ProcessGroup group = mesh.group(0);
      CallOptions tagged = CallOptions.DEFAULTS.tag(3);
      assertThrows(IllegalArgumentException.class, () -> group.with(tagged));
    }
  }

  @Test
  void ownWireIsRefused() {
    AtomicReference<CppGlooMesh> mesh = new AtomicReference<>();
    AssertionError failure =
        assertThrows(
            AssertionError.class, () -> mesh.set(mesh(Wire.JGLOO, 1, Duration.ofSeconds(5))));
    assertTrue(failure.getCause().getMessage().contains("jgloo"), failure.getCause().getMessage());
  }
}
