package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.leaks.Leaks;
import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Long arrays over sockets: they are left where they are, and the collector may move them. */
@Timeout(100)
class LongArraysTest {

  private static final int COUNT = 1_500_001;
  private static final int PATTERN = 9973;
  private static final DeviceOptions SOCKETS = DeviceOptions.DEFAULTS.with("memory", "off");

  private static Ranks ranks(int size) {
    return Ranks.on(Devices.open("tcp", SOCKETS), size, Duration.ofSeconds(30));
  }

  @Test
  void areNotStaged() {
    float[][] x = new float[3][COUNT];
    try (Ranks ranks = ranks(3)) {
      ranks.each((group, rank) -> group.allreduce(new float[] {1}, ReduceOp.SUM));
      long before = Memory.allocatedBytes();
      ranks.each(
          (group, rank) -> {
            fill(x[rank], rank + 1);
            group.allreduce(x[rank], ReduceOp.SUM);
            group.broadcast(x[rank], 1);
            check(x[rank], 6);
            fill(x[rank], rank + 1);
            group.allreduce(x[rank], ReduceOp.AVG);
            check(x[rank], 2);
            group.allreduce(x[rank], ReduceOp.premulSum(2));
            check(x[rank], 12);
          });
      long staged = Memory.allocatedBytes() - before;
      assertTrue(staged < 4L * COUNT, staged + " bytes were allocated");
    }
  }

  @Test
  void moveBetweenCalls() {
    AtomicBoolean over = new AtomicBoolean();
    Thread collecting =
        new Thread(
            () -> {
              byte[][] kept = new byte[1000][];
              for (int i = 0; !over.get(); i++) {
                kept[i % kept.length] = new byte[10_000]; // garbage between what lives
                if (i % 500 == 0) {
                  System.gc();
                }
              }
            });
    collecting.start();
    try (Ranks ranks = ranks(2)) {
      ranks.each(
          (group, rank) -> {
            for (int i = 0; i < 4; i++) {
              float[] x = new float[COUNT / 10 + 1000 * i]; // young, so it is moved
              fill(x, rank + i);
              group.allreduce(x, ReduceOp.SUM);
              check(x, 2 * i + 1);
            }
          });
    } finally {
      over.set(true);
    }
  }

  /** Elements of all sizes, so that a part may end anywhere. */
  @Test
  void ofEachSizeOfElement() {
    int count = 100_003;
    try (Ranks ranks = ranks(2)) {
      ranks.each(
          (group, rank) -> {
            byte[] bytes = new byte[count];
            int[] ints = new int[count];
            long[] longs = new long[count];
            double[] doubles = new double[count];
            for (int i = 0; i < count; i++) {
              bytes[i] = (byte) (i % 61 + rank);
              ints[i] = i + rank;
              longs[i] = (long) i - rank;
              doubles[i] = 0.5 * i + rank;
            }
            group.allreduce(Payload.of(bytes), ReduceOp.SUM);
            group.allreduce(ints, ReduceOp.MAX);
            group.allreduce(longs, ReduceOp.MIN);
            group.allreduce(doubles, ReduceOp.AVG);
            for (int i = 0; i < count; i++) {
              assertEquals((byte) (2 * (i % 61) + 1), bytes[i]);
              assertEquals(i + 1, ints[i]);
              assertEquals(i - 1L, longs[i]);
              assertEquals((i + 1) / 2.0, doubles[i]);
            }
          });
    }
  }

  /** An input is the caller's to read only, so one that must be scaled is copied. */
  @Test
  void averagesAndFactorsOfAnInput() {
    try (Ranks ranks = ranks(2)) {
      ranks.each(
          (group, rank) -> {
            float[] x = new float[100_003];
            float[] y = new float[x.length];
            fill(x, 2 * rank);
            group.allreduce(Payload.of(x), Payload.of(y), ReduceOp.AVG);
            check(y, 1);
            group.allreduce(Payload.of(x), Payload.of(y), ReduceOp.premulSum(0.5));
            check(y, 1);
            check(x, 2 * rank);
          });
    }
  }

  /** A rank whose peer comes too late has its array back, which the peer's call cannot change. */
  @Test
  void afterTheDeadline_areTheCallersAgain() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    float[] x = new float[1 << 24]; // more than the sockets hold
    Leaks leaks = Leaks.before();
    try (Ranks ranks = Ranks.on(Devices.open("tcp", SOCKETS), 2, Duration.ofSeconds(1))) {
      ranks.each(
          (group, rank) -> {
            if (rank == 0) {
              assertThrows(OperationTimeoutException.class, () -> group.allreduce(x, ReduceOp.SUM));
              Arrays.fill(x, -1);
              late.countDown();
            } else {
              late.await();
              float[] other = new float[x.length];
              assertThrows(JGlooException.class, () -> group.allreduce(other, ReduceOp.SUM));
              for (float each : other) {
                assertTrue(each >= 0, "sent after the deadline");
              }
            }
          });
    }
    for (float each : x) {
      assertEquals(-1, each);
    }
    leaks.check();
  }

  /** Each element differs from those near it. */
  private static void fill(float[] x, int factor) {
    for (int i = 0; i < x.length; i++) {
      x[i] = factor * (i % PATTERN);
    }
  }

  private static void check(float[] x, int factor) {
    for (int i = 0; i < x.length; i++) {
      if (x[i] != factor * (i % PATTERN)) {
        assertEquals(factor * (i % PATTERN), x[i], "element " + i + " of " + x.length);
      }
    }
  }
}
