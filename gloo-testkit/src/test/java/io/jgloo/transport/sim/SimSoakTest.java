package io.jgloo.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.memory.GuardedMemory;
import java.time.Duration;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random programs under random faults, by seed: right bytes or a typed failure, never a hang. */
class SimSoakTest {

  private static final Duration TIME =
      Duration.ofSeconds(
          Long.getLong("jgloo.sim.seconds", Boolean.getBoolean("jgloo.test.full") ? 20 : 2));
  private static final long MOST_SEEDS = Long.getLong("jgloo.sim.seeds", Long.MAX_VALUE);
  private static final int THREADS = Math.max(1, Runtime.getRuntime().availableProcessors());

  /** Seeds that once found a bug, and some that did not. */
  static LongStream knownSeeds() {
    return LongStream.of(0, 1, 2, 3, 15, 17, 42, 678, 1150, 3226);
  }

  @ParameterizedTest
  @MethodSource("knownSeeds")
  @Timeout(60)
  void aSeedRepeatsItself(long seed) {
    SeededRun first = new SeededRun(seed);
    SeededRun second = new SeededRun(seed);
    try (GuardedMemory guard = SeededRun.guardedMemory()) {
      first.play();
      second.play();
      guard.check();
    }
    assertEquals(first.traceHash(), second.traceHash(), "seed " + seed);
    assertEquals(first.outcome(), second.outcome(), "seed " + seed);
  }

  /** {@code -Djgloo.sim.seconds} says how long; one seed by {@code jgloo.sim.seed}. */
  @Test
  @Timeout(36_000)
  void manySeeds() {
    Long one = Long.getLong("jgloo.sim.seed");
    if (one != null) {
      SeededRun run = new SeededRun(one);
      run.world().trace(System.out::println);
      try (GuardedMemory guard = SeededRun.guardedMemory()) {
        run.play();
        guard.check();
      }
      return;
    }
    long end = System.nanoTime() + TIME.toNanos();
    SimSoak soak = new SimSoak(Long.getLong("jgloo.sim.first", 0));
    soak.run(THREADS, () -> System.nanoTime() - end < 0 && soak.count() < MOST_SEEDS);
    System.out.println(soak);
    AssertionError all = null;
    for (Map.Entry<Long, Throwable> failure : soak.failures().entrySet()) {
      String text =
          "seed " + failure.getKey() + "; to replay: -Djgloo.sim.seed=" + failure.getKey();
      AssertionError next = new AssertionError(text, failure.getValue());
      if (all == null) {
        all = next;
      } else {
        all.addSuppressed(next);
      }
    }
    if (all != null) {
      throw all;
    }
    long count = soak.count();
    assertTrue(soak.failedGroups() > count / 20, soak::toString);
    assertTrue(soak.failedGroups() < count - count / 20, soak::toString);
  }
}
