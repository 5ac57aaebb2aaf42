package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.Device;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.sim.SimWorld;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups on a simulated network with several faults, or with a rank that is only slow. */
@Timeout(60)
class GroupFaultTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration LIMIT = Duration.ofSeconds(2);

  private static ProcessGroup group(SimWorld world, Device device, int rank, int size, long epoch) {
    Membership membership = new Membership("sim", epoch, rank, size);
    return ProcessGroup.over(world.connect(device, membership, PATIENCE), LIMIT);
  }

  private static void reduce(ProcessGroup group) {
    long[] x = {group.rank(), 1};
    group.allreduce(x, ReduceOp.SUM);
    int size = group.size();
    assertArrayEquals(new long[] {size * (size - 1L) / 2, size}, x);
  }

  private static JGlooException reduceUntilItFails(SimWorld world, ProcessGroup group) {
    try {
      while (true) {
        reduce(group);
        world.sleep(Duration.ofMillis(2));
      }
    } catch (JGlooException e) {
      return e;
    }
  }

  /** In all it takes four times the timeout, which is one of each call. */
  @Test
  void rankThatIsLateForEachCall_isWaitedFor() {
    try (SimWorld world = new SimWorld(4, 1)) {
      world.run(
          (rank, device) -> {
            try (ProcessGroup group = group(world, device, rank, 4, 0)) {
              for (int i = 0; i < 5; i++) {
                if (rank == 2) {
                  world.sleep(LIMIT.multipliedBy(4).dividedBy(5));
                }
                reduce(group);
              }
              group.barrier();
            }
          });
    }
  }

  /** All ranks but one are killed within 10 ms: the last one learns of it. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void lastOfManyRanks_isToldOfTheOthersEnd(long seed) {
    int size = 16;
    try (SimWorld world = new SimWorld(size, seed).with("sockets", "epoll")) {
      long[] last = new long[1];
      for (int victim = 1; victim < size; victim++) {
        int rank = victim;
        world.at(
            Duration.ofMillis(100).plusNanos(victim * 600_000L),
            () -> {
              last[0] = world.clock().nanoTime();
              world.faults().crash(rank);
            });
      }
      world.run(
          (rank, device) -> {
            try (ProcessGroup group = group(world, device, rank, size, 0)) {
              assertInstanceOf(PeerLostException.class, reduceUntilItFails(world, group));
              assertTrue(world.clock().nanoTime() - last[0] < 1_000_000_000L);
            }
            try (ProcessGroup alone = group(world, device, 0, 1, 1)) {
              reduce(alone);
            }
          });
    }
  }

  /** A second rank dies while the survivors of the first one meet; the third group is formed. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void rankThatDiesWhileSurvivorsMeet_isMissingAndTheNextGroupForms(long seed) {
    try (SimWorld world = new SimWorld(4, seed)) {
      world.at(Duration.ofMillis(50), () -> world.faults().crash(3));
      world.run(
          (rank, device) -> {
            try (ProcessGroup group = group(world, device, rank, 4, 0)) {
              assertInstanceOf(PeerLostException.class, reduceUntilItFails(world, group));
            }
            if (rank == 2) {
              world.faults().crash(2);
            }
            long start = world.clock().nanoTime();
            JGlooException failure;
            try (ProcessGroup group = group(world, device, rank, 3, 1)) {
              failure = reduceUntilItFails(world, group);
            } catch (JGlooException e) {
              failure = e;
            }
            assertTrue(failure.getMessage().contains(" 2"), failure.getMessage());
            assertTrue(world.clock().nanoTime() - start < PATIENCE.plus(LIMIT).toNanos());
            try (ProcessGroup group = group(world, device, rank, 2, 2)) {
              reduce(group);
              group.barrier();
            }
          });
    }
  }
}
