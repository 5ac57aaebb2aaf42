package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.message.SimMessenger;
import io.jgloo.transport.Device;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The example on a simulated network that loses, repeats and reorders 10 % of the frames each. One
 * seed: {@code -Djgloo.ps.sim.seed=N}; more of them: {@code -Djgloo.ps.sim.seeds=1000
 * -Dtest.fork.seconds=7200}, because at load 20 a thousand take longer than a fork may.
 */
@Timeout(7000)
final class SimTest {

  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");
  private static final int SEEDS = Integer.getInteger("jgloo.ps.sim.seeds", FULL ? 250 : 2);
  private static final long ONE_SEED = Long.getLong("jgloo.ps.sim.seed", -1);
  private static final int PERCENT = 10;
  private static final int KEYS = 500;

  /** Worlds at a time: one has one thread that runs. */
  private static final int THREADS = Runtime.getRuntime().availableProcessors();

  @Test
  void ps07_lostRepeatedAndReorderedFrames_changeNothing() throws Exception {
    long before = Memory.allocatedBytes();
    long first = ONE_SEED >= 0 ? ONE_SEED : 1;
    int seeds = ONE_SEED >= 0 ? 1 : SEEDS;
    AtomicLong next = new AtomicLong(first);
    AtomicLong resent = new AtomicLong();
    List<Cluster.Task> threads =
        Collections.nCopies(
            THREADS,
            () -> {
              for (long seed = next.getAndIncrement();
                  seed < first + seeds;
                  seed = next.getAndIncrement()) {
                resent.addAndGet(run(seed));
              }
            });
    Cluster.inThreads(threads, TimeUnit.HOURS.toMillis(2));
    assertEquals(before, Memory.allocatedBytes(), "bytes of memory after all seeds");
    System.out.printf("ps sim: %d messages sent again in %d seeds%n", resent.get(), seeds);
    assertTrue(resent.get() > 0, "no frame was lost");
  }

  private static long run(long seed) {
    try {
      return new World(seed).run();
    } catch (RuntimeException | Error e) {
      throw new AssertionError("seed " + seed + "; replay with -Djgloo.ps.sim.seed=" + seed, e);
    }
  }

  /** The nodes of one system, by a seed. */
  private static final class World {
    final SplittableRandom random;
    final Topology topology;
    final SimWorld world;
    final HashStore store = new HashStore();
    final AtomicInteger ready = new AtomicInteger();
    final AtomicInteger done = new AtomicInteger();
    final AtomicLong resent = new AtomicLong();

    World(long seed) {
      random = new SplittableRandom(seed);
      topology = new Topology(1 + random.nextInt(3), 1 + random.nextInt(3));
      world = new SimWorld(topology.size(), seed).limit(Duration.ofMinutes(30)).preemption(8);
    }

    long run() {
      List<SplittableRandom> each = new ArrayList<>();
      for (int rank = 0; rank < topology.size(); rank++) {
        each.add(random.split());
      }
      try (world) {
        world.run((rank, device) -> run(rank, device, each.get(rank)));
      }
      store.close();
      return resent.get();
    }

    private void run(int rank, Device device, SplittableRandom faults) {
      NodeId id = topology.node(rank);
      PsNode node = new PsNode(PsOptions.of(id.role(), topology, store));
      Acceptance.serve(node, id.role(), 0);
      MessengerOptions options =
          MessengerOptions.builder()
              .frameBytes(4096)
              .windowBytes(20_000)
              .payloadBytes(1 << 24)
              .maxMessageBytes(1 << 24)
              .build();
      SimMessenger messenger =
          new SimMessenger("n" + rank, rank, topology.size(), store, options, device);
      node.attach(messenger.messenger(), id);
      messenger.prepare(PERCENT, faults);
      node.attached();
      AtomicBoolean connected = new AtomicBoolean();
      AtomicBoolean stopped = new AtomicBoolean();
      AtomicInteger ended = new AtomicInteger();
      world.fork("connector-" + rank, () -> repeat(messenger::connect, 20, connected, ended));
      world.fork("mover-" + rank, () -> repeat(messenger::move, 0, stopped, ended));
      try {
        await(messenger::isConnected);
        connected.set(true);
        ready.incrementAndGet();
        await(() -> ready.get() == topology.size());
        if (id.role() == Role.WORKER) {
          KvWorker<float[]> worker = KvWorker.open(node, Acceptance.APP, ValueType.FLOATS);
          Acceptance.run(worker, KEYS, id.rank());
        }
        node.barrier(Topology.ALL, Duration.ofMinutes(5));
        done.incrementAndGet();
        await(() -> done.get() == topology.size());
        resent.addAndGet(messenger.resent());
      } finally {
        connected.set(true);
        stopped.set(true);
        world.await(() -> ended.get() == 2, Duration.ofSeconds(60));
        node.close();
      }
    }

    private void await(BooleanSupplier condition) {
      assertTrue(world.await(condition, Duration.ofMinutes(10)), "it takes too long");
    }

    private void repeat(Runnable body, int millis, AtomicBoolean stopped, AtomicInteger ended) {
      try {
        while (!stopped.get()) {
          body.run();
          world.sleep(Duration.ofMillis(millis));
        }
      } finally {
        ended.incrementAndGet();
      }
    }
  }
}
