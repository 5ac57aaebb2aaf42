package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Ranks meet in seeded simulations of store and network.
 *
 * <p>{@code -Djgloo.sim.seed=N} runs one seed, {@code -Djgloo.sim.rendezvous=N} that many.
 */
final class SimRendezvousTest {
  private static final long SEEDS =
      Long.getLong("jgloo.sim.rendezvous", Boolean.getBoolean("jgloo.test.full") ? 150 : 20);

  @Test
  @Timeout(300)
  void ranksAreConnectedOrFailInTimeAndTheHealedGroupConnects() {
    Long only = Long.getLong("jgloo.sim.seed");
    long failed = 0;
    long first = only == null ? 0 : only;
    long end = only == null ? SEEDS : only + 1;
    for (long seed = first; seed < end; seed++) {
      failed += play(seed).failed() ? 1 : 0;
    }
    if (only == null) {
      assertTrue(failed > SEEDS / 20 && failed < SEEDS, failed + " of " + SEEDS + " runs failed");
    }
  }

  @Test
  @Timeout(60)
  void equalSeedsRunEqually() {
    for (long seed = 0; seed < 10; seed++) {
      assertEquals(play(seed).traceHash(), play(seed).traceHash(), "seed " + seed);
    }
  }

  private static SeededRendezvous play(long seed) {
    SeededRendezvous run = new SeededRendezvous(seed);
    try {
      run.play();
      run.checkCalm();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(run + ": " + e.getMessage(), e);
    }
    return run;
  }
}
