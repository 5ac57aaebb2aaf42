package io.jgloo.gradient;

import io.jgloo.Payload;
import io.jgloo.Ranks;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Gradients of 16 MiB between two ranks over sockets: float32, bfloat16 and float16 by turns. Not a
 * test:
 *
 * <pre>
 *   mvn -Pfull -pl gloo-collectives -am test -Dtest=CompressionThroughput \
 *       -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 *
 * <p>A round has a step of each, so that other load meets all alike; what counts is the ratio to
 * float32 within a round. Bytes are those that the process wrote to sockets.
 */
final class CompressionThroughput {

  private static final int COUNT = 4 << 20;
  private static final int ROUNDS = Integer.getInteger("rounds", 120);
  private static final int WARM_UP = ROUNDS / 3;
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final DataType[] TYPES = {null, DataType.BFLOAT16, DataType.FLOAT16};

  @Test
  @Timeout(900)
  void sideBySide() {
    double[][] nanos = new double[TYPES.length][ROUNDS];
    double[] bytes = new double[TYPES.length];
    DeviceOptions sockets = DeviceOptions.DEFAULTS.with("memory", "off").with("interface", "lo");
    try (Ranks ranks = Ranks.on(Devices.open("tcp", sockets), 2, LONG)) {
      ranks.each(
          (group, rank) -> {
            FloatBuffer gradient =
                ByteBuffer.allocateDirect(4 * COUNT).order(ByteOrder.nativeOrder()).asFloatBuffer();
            GradientReducer[] reducers = new GradientReducer[TYPES.length];
            for (int i = 0; i < TYPES.length; i++) {
              GradientReducer.Builder builder = GradientReducer.over(group);
              builder.register("gradient", Payload.of(gradient));
              reducers[i] = (TYPES[i] == null ? builder : builder.compress(TYPES[i])).build();
            }
            for (int round = -WARM_UP; round < ROUNDS; round++) {
              for (int turn = 0; turn < TYPES.length; turn++) {
                int i = (round + WARM_UP + turn) % TYPES.length;
                group.allreduce(new int[1], ReduceOp.SUM);
                long written = rank == 0 ? written() : 0;
                long start = System.nanoTime();
                reducers[i].ready(0);
                reducers[i].finish(LONG);
                long end = System.nanoTime();
                group.barrier();
                if (rank == 0 && round >= 0) {
                  nanos[i][round] = end - start;
                  bytes[i] += written() - written;
                }
              }
            }
          });
    }
    print(nanos, bytes);
  }

  private static void print(double[][] nanos, double[] bytes) {
    for (int i = 0; i < TYPES.length; i++) {
      double[] ratios = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        ratios[round] = nanos[i][round] / nanos[0][round];
      }
      Arrays.sort(ratios);
      Arrays.sort(nanos[i]);
      System.out.printf(
          "%-8s %6.1f ms, ratio %.2f (quartiles %.2f to %.2f), %.2f of the bytes (%.1f MiB)%n",
          TYPES[i] == null ? "FLOAT32" : TYPES[i],
          nanos[i][ROUNDS / 2] / 1e6,
          ratios[ROUNDS / 2],
          ratios[ROUNDS / 4],
          ratios[ROUNDS * 3 / 4],
          bytes[i] / bytes[0],
          bytes[i] / ROUNDS / (1 << 20));
    }
  }

  /** Bytes of this process in system calls that write. */
  private static long written() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/io")).stream()
        .filter(line -> line.startsWith("wchar: "))
        .mapToLong(line -> Long.parseLong(line.substring(7)))
        .sum();
  }
}
