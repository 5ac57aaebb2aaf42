package io.jgloo.bench;

import io.jgloo.ProcessGroup;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * The number of runs of a task: rank 0 decides, and the others learn it by a broadcast.
 *
 * <p>Warming up goes on in growing batches until they no longer get faster and the JVM compiles no
 * more, or for a bounded time: the first line of a run compiles everything, the later ones only
 * fill caches.
 */
public final class Pace {

  /** How long the timed calls of a line should take together. */
  static final long TARGET_NANOS = 300_000_000;

  static final int LEAST_ITERATIONS = 20;
  static final int MOST_ITERATIONS = 20_000;

  private static final long COLD_NANOS = 3_000_000_000L;
  private static final long WARM_NANOS = 1_500_000_000;

  /**
   * The bound while the JVM compiles. Compilers wait for a core where ranks use them all: four
   * ranks on two cores take 21 us for 16 KiB, and took 45 to 78 when timed after 1.5 s.
   */
  private static final long COMPILING_NANOS = 6_000_000_000L;

  /** Share of the time that compilers may take before times count as stable. */
  private static final double COMPILING = 0.02;

  private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();

  /** The second compiler has seen a loop of so many calls. */
  private static final long COLD_CALLS = 20_000;

  private static final long WARM_CALLS = 2_000;

  /**
   * Calls of under a microsecond are compiled anew later than those numbers say: 256 B through
   * shared memory took 0.26 us after a second and 0.50 after 2,000 calls, 1 KiB 0.28 and 0.60.
   */
  private static final long LEAST_NANOS = 200_000_000;

  /** A batch that is less than this much faster than the best before is as fast as that. */
  private static final double STABLE = 0.95;

  private static final Duration LONGEST = Duration.ofHours(1);

  private final ProcessGroup group;
  private final Integer fixedIterations; // or null
  private final Integer fixedWarmup; // or null
  private final Stopwatch stopwatch = new Stopwatch(LONGEST);
  private final long[] plan = new long[2];
  private boolean cold = true;

  private long warmup;
  private long nanos;
  private long batch;
  private double best;
  private double latest;
  private boolean compiling;
  private boolean stable;
  private long compiledMillis;

  Pace(ProcessGroup group, Integer iterations, Integer warmup) {
    this.group = group;
    fixedIterations = iterations;
    fixedWarmup = warmup;
  }

  /**
   * Warms a task up, in the loop that times it: the JVM compiles a loop with all that it calls, and
   * another loop would be compiled while it is timed.
   *
   * @param task the object that is timed later, not another one that does the same
   * @return how many calls to time, the same at all ranks
   */
  public int warmUp(Runnable task) {
    warmup = 0;
    nanos = 0;
    batch = 0;
    best = Double.POSITIVE_INFINITY;
    compiling = false;
    stable = false;
    while (agree() > 0) {
      long start = System.nanoTime();
      stopwatch.time(task, (int) plan[0], 1);
      account(plan[0], System.nanoTime() - start);
    }
    cold = false;
    return (int) plan[1];
  }

  /** Calls the latest {@link #warmUp} made. */
  long warmup() {
    return warmup;
  }

  private long agree() {
    if (group.rank() == 0) {
      plan[0] = next();
      plan[1] = fixedIterations == null ? iterations() : fixedIterations;
    }
    group.broadcast(plan, 0);
    group.barrier(); // as before the timed calls: what is new to compiled code discards it
    return plan[0];
  }

  private void account(long calls, long took) {
    warmup += calls;
    nanos += took;
    batch = calls;
    latest = (double) Math.max(1, took) / calls;
    compiling = compiled() * 1e6 > COMPILING * took;
    stable = latest > STABLE * best && !compiling;
    best = Math.min(best, latest);
  }

  /**
   * Milliseconds that compilers have worked since this was last asked. While they do they take the
   * ranks' cores, where there are no others: 1 MiB from arrays took 928 us in place of 475.
   */
  private long compiled() {
    if (COMPILERS == null || !COMPILERS.isCompilationTimeMonitoringSupported()) {
      return 0;
    }
    long before = compiledMillis;
    compiledMillis = COMPILERS.getTotalCompilationTime();
    return compiledMillis - before;
  }

  private long next() {
    if (fixedWarmup != null) {
      return fixedWarmup - warmup;
    }
    long budget = compiling ? COMPILING_NANOS : cold ? COLD_NANOS : WARM_NANOS;
    long enough = cold ? COLD_CALLS : WARM_CALLS;
    if (nanos >= budget || (stable && warmup >= enough && nanos >= LEAST_NANOS)) {
      return 0;
    }
    if (batch == 0) {
      return 1;
    }
    long affordable = (long) ((budget - nanos) / latest) + 1;
    return Math.min(Integer.MAX_VALUE, Math.min(2 * batch, affordable));
  }

  private int iterations() {
    double calls = warmup == 0 ? 0 : TARGET_NANOS / latest;
    return (int) Math.max(LEAST_ITERATIONS, Math.min(MOST_ITERATIONS, calls));
  }
}
