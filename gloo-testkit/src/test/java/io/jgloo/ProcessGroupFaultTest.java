package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.algorithm.Algorithms;
import io.jgloo.transport.Device;
import io.jgloo.transport.FailureContext;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.sim.LinkModel;
import io.jgloo.transport.sim.SimWorld;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Groups on a simulated network: any order of delivery, crashes and cuts at any moment.
 *
 * <p>The seed is in the name of the test; to replay one alone run with {@code -Djgloo.seed=SEED}.
 */
@Timeout(300)
class ProcessGroupFaultTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration LIMIT = Duration.ofSeconds(2);

  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");

  static LongStream seeds() {
    Long one = Long.getLong("jgloo.seed");
    return one == null
        ? LongStream.rangeClosed(1, Long.getLong("jgloo.seeds", FULL ? 25 : 10))
        : LongStream.of(one);
  }

  private static ProcessGroup group(SimWorld world, Device device, int rank, int size, long epoch) {
    Membership membership = new Membership("sim", epoch, rank, size);
    return ProcessGroup.over(world.connect(device, membership, PATIENCE), LIMIT);
  }

  private static SimWorld world(long seed, int size) {
    return new SimWorld(size, seed)
        .network(LinkModel.DEFAULT.delay(Duration.ofNanos(100), Duration.ofMillis(1)))
        .preemption(4);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anyOrderOfDeliveryGivesTheSameAndIsRepeatable(long seed) {
    assertEquals(deliver(seed), deliver(seed), "the run is not a function of its seed");
  }

  private static long deliver(long seed) {
    int size = 1 + new Random(seed).nextInt(6);
    try (SimWorld world = world(seed, size)) {
      world.run(
          (rank, device) -> {
            try (ProcessGroup group = group(world, device, rank, size, 0)) {
              Random random = new Random(seed);
              for (int i = 0; i < 12; i++) {
                reduce(group, random);
                broadcast(group, random);
                anyOf(group, Collective.BARRIER, random).barrier();
              }
            }
          });
      return world.traceHash();
    }
  }

  private static void reduce(ProcessGroup group, Random random) {
    int size = group.size();
    long[] x =
        new long[random.nextInt(3) == 0 ? 9000 + random.nextInt(40_000) : random.nextInt(40)];
    Arrays.setAll(x, i -> i * 100L + group.rank());
    anyOf(group, Collective.ALLREDUCE, random).allreduce(x, ReduceOp.SUM);
    for (int i = 0; i < x.length; i++) {
      assertEquals((long) size * i * 100 + (long) size * (size - 1) / 2, x[i]);
    }
  }

  private static void broadcast(ProcessGroup group, Random random) {
    int[] x = new int[random.nextInt(3000)];
    int root = random.nextInt(group.size());
    Arrays.setAll(x, i -> group.rank() == root ? i : -1);
    anyOf(group, Collective.BROADCAST, random).broadcast(x, root);
    for (int i = 0; i < x.length; i++) {
      assertEquals(i, x[i]);
    }
  }

  private static ProcessGroup anyOf(ProcessGroup group, Collective collective, Random random) {
    List<Algorithm> all = Algorithms.of(collective);
    return group.with(CallOptions.DEFAULTS.algorithm(all.get(random.nextInt(all.size())).name()));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aCrashIsReportedByAllOthersWhoFormANewGroup(long seed) {
    Random random = new Random(seed);
    int size = 2 + random.nextInt(5);
    int victim = random.nextInt(size);
    try (SimWorld world = world(seed, size)) {
      long[] crash = new long[1];
      Runnable fault =
          () -> {
            crash[0] = world.clock().nanoTime();
            world.faults().crash(victim);
          };
      Duration when = Duration.ofMillis(1 + random.nextInt(40));
      world.run(
          (rank, device) -> {
            JGlooException failure =
                reduceUntilItFails(
                    group(world, device, rank, size, 0),
                    seed,
                    group -> {
                      if (rank == 0) {
                        world.at(when, fault);
                      }
                    });
            long late = world.clock().nanoTime() - crash[0];
            PeerLostException lost = assertInstanceOf(PeerLostException.class, failure);
            assertEquals(victim, lost.peer(), lost.getMessage());
            assertTrue(late < 1_000_000_000L, "reported " + late + " ns after the crash");
            int renumbered = rank > victim ? rank - 1 : rank;
            try (ProcessGroup survivors = group(world, device, renumbered, size - 1, 1)) {
              reduce(survivors, new Random(seed));
              survivors.barrier();
            }
          });
    }
  }

  private static JGlooException reduceUntilItFails(
      ProcessGroup connected, long seed, Consumer<ProcessGroup> before) {
    try (ProcessGroup group = connected) {
      Random random = new Random(seed);
      group.barrier(); // all are connected
      before.accept(group);
      while (true) {
        reduce(group, random);
      }
    } catch (JGlooException e) {
      return e;
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aCutEndsAllCallsAtTheDeadline(long seed) {
    Random random = new Random(seed);
    int size = 2 + random.nextInt(4);
    int cutOff = random.nextInt(size);
    try (SimWorld world = world(seed, size)) {
      Runnable fault =
          () -> {
            for (int peer = 0; peer < world.size(); peer++) {
              if (peer != cutOff) {
                world.faults().cut(cutOff, peer);
              }
            }
          };
      Duration when = Duration.ofMillis(1 + random.nextInt(40));
      world.run(
          (rank, device) -> {
            JGlooException failure =
                reduceUntilItFails(
                    group(world, device, rank, size, 0),
                    seed,
                    group -> {
                      if (rank == 0) {
                        world.at(when, fault);
                      }
                    });
            // Its own deadline, or that of a rank that could still report.
            assertTrue(failure.getMessage().contains("not done within 2.000 s"), failure::toString);
            FailureContext context = failure.context().orElseThrow();
            assertTrue(context.elapsed().compareTo(LIMIT.multipliedBy(2)) < 0, failure::toString);
          });
    }
  }
}
