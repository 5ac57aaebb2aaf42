package io.jgloo.bench.probe;

import io.jgloo.ProcessGroup;
import io.jgloo.ReduceOp;
import java.util.Arrays;

/** Call by call times of one rank, and how many calls there should be. */
final class Times {

  private static final int LEAST_CALLS = 20;
  private static final int MOST_CALLS = 20_000;

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
   * Warms up for about that long and returns the calls that take as long again; the same at all
   * ranks.
   */
  static int agreedCalls(ProcessGroup group, Runnable call, long millis) {
    long[] plan = new long[1];
    long start = System.nanoTime();
    long made = 0;
    for (long batch = 1; ; batch = plan[0]) {
      for (long i = 0; i < batch; i++) {
        call.run();
      }
      made += batch;
      double spent = System.nanoTime() - start;
      double left = millis * 1e6 - spent;
      plan[0] = left <= 0 ? 0 : (long) Math.max(1, Math.min(2.0 * made, left / (spent / made)));
      group.broadcast(plan, 0);
      if (plan[0] == 0) {
        long[] calls = {(long) (made * millis * 1e6 / spent)};
        group.allreduce(calls, ReduceOp.MIN);
        return (int) Math.max(LEAST_CALLS, Math.min(MOST_CALLS, calls[0]));
      }
    }
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
