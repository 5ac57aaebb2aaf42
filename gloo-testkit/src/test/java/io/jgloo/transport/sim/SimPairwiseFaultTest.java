package io.jgloo.transport.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random faults end pairs of a mesh; each pair is connected again, and no message is wrong. */
@Timeout(100)
class SimPairwiseFaultTest {

  private static final long FIRST = Long.getLong("io.jgloo.test.pairwise.seed", 1);
  private static final int SEEDS =
      Integer.getInteger(
          "io.jgloo.test.pairwise.seeds", Boolean.getBoolean("jgloo.test.full") ? 150 : 20);

  private static final Duration TIME = Duration.ofSeconds(15);

  @Test
  void pairsThatEnd_areConnectedAgain() {
    int ended = 0;
    int seeds = 0;
    long end = System.nanoTime() + TIME.toNanos();
    for (long seed = FIRST; seeds < SEEDS && System.nanoTime() - end < 0; seed++) {
      seeds++;
      try {
        ended += new SeededPairs(seed).run();
      } catch (RuntimeException | Error e) {
        throw new AssertionError(
            "seed %d; replay with -Dio.jgloo.test.pairwise.seed=%d -Dio.jgloo.test.pairwise.seeds=1"
                .formatted(seed, seed),
            e);
      }
    }
    System.out.printf("sim: %d ends of pairs in %d seeds%n", ended, seeds);
    assertTrue(seeds < 20 || ended > seeds / 4, "only " + ended + " pairs have ended");
  }
}
