package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Long arrays over sockets: they are left where they are, and the collector may move them. */
@Timeout(100)
class LongArraysTest {

  private static final int COUNT = 1_500_001;
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
            Arrays.fill(x[rank], rank + 1);
            group.allreduce(x[rank], ReduceOp.SUM);
            group.broadcast(x[rank], 1);
            check(x[rank], 6);
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
            for (int i = 0; i < 30; i++) {
              float[] x = new float[COUNT / 10 + 1000 * i]; // young, so it is moved
              Arrays.fill(x, rank + i);
              group.allreduce(x, ReduceOp.SUM);
              check(x, 2 * i + 1);
            }
          });
    } finally {
      over.set(true);
    }
  }

  private static void check(float[] x, float expected) {
    for (float each : x) {
      assertEquals(expected, each);
    }
  }
}
