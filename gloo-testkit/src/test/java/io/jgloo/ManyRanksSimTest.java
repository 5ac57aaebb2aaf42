package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.sim.SimWorld;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Twenty ranks, or hundreds, on a simulated network: each connects to the peers that its calls
 * need, and a rank that dies ends the call of every other one. More: {@code -Djgloo.sim.ranks=1024
 * -Dtest.jvm=-Xmx14g}.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ManyRanksSimTest {

  private static final int SIZE = Integer.getInteger("jgloo.sim.ranks", 20);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void manyRanks_callAndLoseOne() {
    int victim = SIZE / 3;
    AtomicInteger named = new AtomicInteger();
    long start = System.nanoTime();
    try (SimWorld world = new SimWorld(SIZE, 1).with("connecting", "lazy")) {
      world.run(
          (rank, device) -> {
            Membership membership = new Membership("many", 0, rank, SIZE);
            try (ProcessGroup group =
                ProcessGroup.over(world.connect(device, membership, PATIENCE), PATIENCE)) {
              calls(group);
              if (rank == victim) {
                world.faults().crash(victim);
              }
              while (true) {
                reduce(group, 1);
              }
            } catch (JGlooException e) {
              if (rank != victim) {
                assertEquals(victim, assertInstanceOf(PeerLostException.class, e).peer());
                named.incrementAndGet();
              }
            }
          });
    }
    System.out.printf("%d simulated ranks in %.1f s%n", SIZE, (System.nanoTime() - start) / 1e9);
    assertEquals(SIZE - 1, named.get(), "ranks that name the lost one");
  }

  private static void calls(ProcessGroup group) {
    for (int length : new int[] {1, 100, 3000}) {
      reduce(group, length);
    }
    group.barrier();
    int root = SIZE - 1;
    int[] word = {group.rank() == root ? 4711 : 0};
    group.broadcast(word, root);
    assertArrayEquals(new int[] {4711}, word);
    group.barrier();
  }

  private static void reduce(ProcessGroup group, int length) {
    long[] vector = new long[length];
    long[] expected = new long[length];
    for (int i = 0; i < length; i++) {
      vector[i] = (long) group.rank() + i;
      expected[i] = SIZE * (SIZE - 1L) / 2 + (long) SIZE * i;
    }
    group.allreduce(vector, ReduceOp.SUM);
    assertArrayEquals(expected, vector);
  }
}
