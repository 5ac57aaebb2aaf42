package io.jgloo.testkit;

import io.jgloo.ProcessGroup;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Runs the ranks of a group in this JVM, without a test framework and without a socket:
 *
 * <pre>{@code
 * LocalRanks.run(4, group -> {
 *   int[] x = {group.rank()};
 *   group.allreduce(x, ReduceOp.SUM);
 *   assert x[0] == 6;
 * });
 * }</pre>
 *
 * <p><em>Threads</em>: one configures and runs it; several of them may run at the same time.
 */
public final class LocalRanks {

  /** What each rank of a test does. */
  @FunctionalInterface
  public interface Body {
    /**
     * Runs at one rank, on a thread of its own.
     *
     * @param group connected; closed when this returns, as if the rank's process had ended
     */
    void run(ProcessGroup group) throws Exception;
  }

  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final String SEED = "jgloo.testkit.seed";

  private final int size;
  private final Faults faults;
  private Duration deadline = DEADLINE;
  private long seed = Long.getLong(SEED, new SplittableRandom().nextLong() >>> 40);
  private int seeds = 1;
  private boolean simulated;
  private boolean concurrent;

  private LocalRanks(int size) {
    if (size < 1) {
      throw new IllegalArgumentException("size must be 1 or more, but is " + size);
    }
    this.size = size;
    faults = new Faults(size);
  }

  /**
   * So many ranks.
   *
   * @throws IllegalArgumentException if size is less than 1
   */
  public static LocalRanks of(int size) {
    return new LocalRanks(size);
  }

  /** Runs a body at so many ranks; see {@link #run(Body)}. */
  public static void run(int size, Body body) {
    of(size).run(body);
  }

  /**
   * Sets how long the ranks may take, once all are connected, until they count as hanging; 60 s by
   * default. Twice as long is the timeout of a call of their group.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public LocalRanks deadline(Duration time) {
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("deadline must be positive, but is " + time);
    }
    deadline = time;
    return this;
  }

  /**
   * Runs the ranks in simulated network and time, once for each of these seeds until one fails; see
   * {@link Simulated}.
   *
   * @param first the first seed; {@code -Djgloo.testkit.seed} takes its place, alone
   * @throws IllegalArgumentException if seeds is less than 1
   */
  public LocalRanks simulated(long first, int seeds) {
    if (seeds < 1) {
      throw new IllegalArgumentException("seeds must be 1 or more, but is " + seeds);
    }
    simulated = true;
    seed = Long.getLong(SEED, first);
    this.seeds = Long.getLong(SEED) == null ? seeds : 1;
    return this;
  }

  /** Other tests run at the same time in this process: what belongs to it is not compared. */
  LocalRanks concurrent(boolean isConcurrent) {
    concurrent = isConcurrent;
    return this;
  }

  long seed() {
    return seed;
  }

  /** Failures to plan before the ranks run, or to cause while they do. */
  public Faults faults() {
    return faults;
  }

  /**
   * Runs a body at all ranks and waits for their ends.
   *
   * @throws AssertionError if a rank fails: with its number, its exception as the cause and those
   *     of the other ranks suppressed; if a rank has not ended by the deadline: with the pending
   *     call and the stack of each; if something has been left open: with its name
   */
  public void run(Body body) {
    for (int i = 0; i < seeds; i++) {
      RankRun run = new RankRun(size, seed + i, simulated, faults);
      try {
        run.run(body, deadline, concurrent);
      } finally {
        faults.end();
      }
    }
  }
}
