package io.jgloo.rpc.rref.protocol;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random forks, one run for each seed.
 *
 * <p>{@code -Djgloo.rref.seeds=1000000} runs more of them; {@code -Djgloo.rref.first=N} begins at a
 * seed, so {@code -Djgloo.rref.seeds=1 -Djgloo.rref.first=N} repeats one that failed.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
final class RandomForksTest {

  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");

  @Test
  void rr03_randomForks_keepTheInvariants() {
    long first = Long.getLong("jgloo.rref.first", 0);
    long seeds = Long.getLong("jgloo.rref.seeds", FULL ? 20_000 : 1_000);
    long begin = System.nanoTime();
    long steps =
        LongStream.range(first, first + seeds)
            .parallel()
            .map(seed -> RandomForks.run(seed, Protocol.REAL))
            .sum();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    System.out.println("RR03: " + seeds + " seeds, " + steps + " steps, " + millis + " ms");
    assertTrue(steps > seeds, "nothing happened");
  }
}
