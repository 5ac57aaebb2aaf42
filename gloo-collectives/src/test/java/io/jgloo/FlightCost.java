package io.jgloo;

import com.sun.management.ThreadMXBean;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What Flight Recorder costs an allreduce of 4 bytes between two ranks, threads of one JVM, through
 * shared memory and over sockets. Not a test:
 *
 * <pre>
 *   mvn -Pfull -pl gloo-collectives -am test -Dtest=FlightCost \
 *       -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 *
 * <p>A round is short and has calls in each state of the recorder, in an order that changes, so
 * that other load meets all alike; what counts are the ratios within a round. With {@code
 * -Dnever=true} no recording is started in the JVM at all, which has to be compared between JVMs.
 */
final class FlightCost {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int ROUNDS = Integer.getInteger("rounds", 200);
  private static final int WARM_UP = ROUNDS / 4;
  private static final int CALLS = Integer.getInteger("calls", 2000);
  private static final boolean NEVER = Boolean.getBoolean("never");

  private enum State {
    /** No recording, but in a JVM that has had one unless -Dnever. */
    NONE,
    /** A recording of events of the JDK, ours disabled. */
    DISABLED,
    /** Ours by their own thresholds, 1 ms. */
    DEFAULT,
    /** Each of ours. */
    ALL;

    Recording start() {
      if (this == NONE) {
        return null;
      }
      Recording recording = new Recording();
      recording.enable("jdk.GarbageCollection");
      for (String name : List.of("io.jgloo.Collective", "io.jgloo.Wait")) {
        if (this == DISABLED) {
          recording.disable(name);
        } else if (this == DEFAULT) {
          recording.enable(name);
        } else {
          recording.enable(name).withThreshold(Duration.ZERO);
        }
      }
      recording.start();
      return recording;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"require", "off"})
  @Timeout(900)
  void sideBySide(String memory) {
    State[] states = NEVER ? new State[] {State.NONE} : State.values();
    double[][] micros = new double[states.length][ROUNDS];
    long[] bytes = new long[states.length];
    DeviceOptions options = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("memory", memory);
    Duration timeout = Duration.ofSeconds(60);
    try (Ranks ranks = Ranks.on(Devices.open("tcp", options), 2, timeout)) {
      ranks.each(
          Duration.ofMinutes(14),
          (group, rank) -> {
            Payload x =
                Payload.of(
                    ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder()), DataType.FLOAT32);
            long[] nanos = new long[CALLS];
            for (int round = -WARM_UP; round < ROUNDS; round++) {
              for (int turn = 0; turn < states.length; turn++) {
                int state = Math.floorMod(round * (round % 2 == 0 ? 1 : -1) + turn, states.length);
                Recording recording = rank == 0 ? states[state].start() : null;
                group.barrier();
                long allocated = THREADS.getCurrentThreadAllocatedBytes();
                for (int call = 0; call < CALLS; call++) {
                  long start = System.nanoTime();
                  group.allreduce(x, ReduceOp.SUM);
                  nanos[call] = System.nanoTime() - start;
                }
                allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
                group.barrier();
                if (recording != null) {
                  recording.close();
                }
                if (rank == 0 && round >= 0) {
                  Arrays.sort(nanos);
                  micros[state][round] = nanos[CALLS / 2] / 1e3;
                  bytes[state] += allocated;
                }
              }
            }
          });
    }
    print(memory, states, micros, bytes);
  }

  private static void print(String memory, State[] states, double[][] micros, long[] bytes) {
    for (int state = 0; state < states.length; state++) {
      List<Double> ratios = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        ratios.add(micros[state][round] / micros[0][round]);
      }
      ratios.sort(null);
      double[] sorted = micros[state].clone();
      Arrays.sort(sorted);
      System.out.printf(
          "%-7s %-8s %.3f us, quartiles %.3f to %.3f; ratio %.3f, quartiles %.3f to %.3f;"
              + " %.2f bytes a call%n",
          memory,
          NEVER ? "NEVER" : states[state],
          sorted[ROUNDS / 2],
          sorted[ROUNDS / 4],
          sorted[ROUNDS * 3 / 4],
          ratios.get(ROUNDS / 2),
          ratios.get(ROUNDS / 4),
          ratios.get(ROUNDS * 3 / 4),
          bytes[state] / (double) ROUNDS / CALLS);
    }
  }
}
