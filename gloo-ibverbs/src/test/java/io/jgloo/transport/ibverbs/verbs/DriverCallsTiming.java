package io.jgloo.transport.ibverbs.verbs;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.IntSupplier;

/**
 * Prints what a call to a driver costs by either way; run by hand.
 *
 * <pre>
 *   java -cp ... io.jgloo.transport.ibverbs.verbs.DriverCallsTiming
 * </pre>
 */
public final class DriverCallsTiming {

  private static final int CALLS = 2_000_000;
  private static final int ROUNDS = 7;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private DriverCallsTiming() {}

  /** The driver's function returns at once, so that nothing but the way to it is measured. */
  public static void main(String[] arguments) throws Exception {
    DriverCalls shim = ShimCalls.bind();
    DriverCalls table = new TableCalls();
    try (FakeDriver driver = new FakeDriver("labs", "labs", "labs", "labs")) {
      long object = driver.object;
      print("shim", () -> shim.poll(object, 16, object));
      print("table", () -> table.poll(object, 16, object));
    }
  }

  /** By the processor's time, the least of several rounds: others use the machine too. */
  private static void print(String name, IntSupplier call) {
    long best = Long.MAX_VALUE;
    int sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long began = THREADS.getCurrentThreadCpuTime();
      for (int i = 0; i < CALLS; i++) {
        sum += call.getAsInt();
      }
      best = Math.min(best, THREADS.getCurrentThreadCpuTime() - began);
    }
    System.out.printf("%s: %.1f ns a call (%d)%n", name, (double) best / CALLS, sum & 1);
  }
}
