package io.jgloo.bench.probe;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** Call by call times of one rank, and how many calls there should be. */
final class Times {

  private static final int LEAST_CALLS = 20;
  private static final int MOST_CALLS = 20_000;

  /** Warming up ends then at the latest. */
  private static final long LONGEST_NANOS = 5_000_000_000L;

  /** Share of the time that compilers may take before times count as warm. */
  private static final double COMPILING = 0.02;

  private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();

  private final long[] nanos;

  private Times(long[] nanos) {
    this.nanos = nanos;
  }

  /** Times calls back to back, warm already. */
  static Times of(Runnable call, int calls) {
    long[] nanos = new long[calls];
    long before = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      call.run();
      long now = System.nanoTime();
      nanos[i] = now - before;
      before = now;
    }
    Arrays.sort(nanos);
    return new Times(nanos);
  }

  /**
   * Warms up for that long and until the JVM compiles no more, for {@link #LONGEST_NANOS} at most,
   * and returns the calls that take that long; the same at all ranks. Compilers take the ranks'
   * cores: one group of two processes on two cores had medians of 27 to 958 us for 4 bytes where
   * warm ones have 8.
   */
  static int agreedCalls(ProcessGroup group, Runnable call, long millis) {
    long[] plan = {1};
    long start = System.nanoTime();
    long least = millis * 1_000_000;
    double perCall = 1;
    while (plan[0] > 0) {
      long before = System.nanoTime();
      long compiled = compiledMillis();
      for (long i = 0; i < plan[0]; i++) {
        call.run();
      }
      long now = System.nanoTime();
      perCall = (double) Math.max(1, now - before) / plan[0];
      boolean compiling = (compiledMillis() - compiled) * 1e6 > COMPILING * (now - before);
      long left = (compiling ? Math.max(least, LONGEST_NANOS) : least) - (now - start);
      plan[0] = left <= 0 ? 0 : (long) Math.max(1, Math.min(2.0 * plan[0], left / perCall));
      group.broadcast(plan, 0);
    }
    long[] calls = {(long) (least / perCall)};
    group.allreduce(calls, ReduceOp.MIN);
    return (int) Math.max(LEAST_CALLS, Math.min(MOST_CALLS, calls[0]));
  }

  private static long compiledMillis() {
    boolean told = COMPILERS != null && COMPILERS.isCompilationTimeMonitoringSupported();
    return told ? COMPILERS.getTotalCompilationTime() : 0;
  }

  double p50Us() {
    return nanos[nanos.length / 2] / 1e3;
  }

  double p99Us() {
    return nanos[(int) (nanos.length * 0.99)] / 1e3;
  }

  double maxUs() {
    return nanos[nanos.length - 1] / 1e3;
  }

  int calls() {
    return nanos.length;
  }
}
