package io.jgloo.rpc.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.memory.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Requests between simulated agents whose connections break. One seed: {@code
 * -Djgloo.rpc.sim.seed=N}; more of them: {@code -Djgloo.rpc.sim.seeds=10000}.
 */
@Timeout(600)
final class SimMessengerTest {

  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");
  private static final int SEEDS = Integer.getInteger("jgloo.rpc.sim.seeds", FULL ? 250 : 2);
  private static final long ONE_SEED = Long.getLong("jgloo.rpc.sim.seed", -1);

  @Test
  void requests_runAtMostOnce_andTheirOutcomesAreTrue() {
    long before = Memory.allocatedBytes();
    long first = ONE_SEED >= 0 ? ONE_SEED : 1;
    int seeds = ONE_SEED >= 0 ? 1 : SEEDS;
    long resent = 0;
    for (long seed = first; seed < first + seeds; seed++) {
      try {
        SimAgents agents = new SimAgents(seed);
        agents.run();
        resent += agents.resent();
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + "; replay with -Djgloo.rpc.sim.seed=" + seed, e);
      }
      assertEquals(before, Memory.allocatedBytes(), "bytes of memory after seed " + seed);
    }
    System.out.printf("rpc sim: %d messages sent again in %d seeds%n", resent, seeds);
    assertTrue(ONE_SEED >= 0 || resent > 0, "no connection broke with messages under way");
  }
}
