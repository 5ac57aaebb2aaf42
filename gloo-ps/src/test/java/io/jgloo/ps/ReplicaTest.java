package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.kv.CallTimeoutException;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.StateLostException;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.NodeLostException;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Servers with replicas that end at any moment, while workers push, and are replaced. More seeds:
 * {@code -Djgloo.ps.replica.seeds=100 -Dtest.fork.seconds=7200}, from {@code
 * -Djgloo.ps.replica.seed=N} on.
 */
@Timeout(3600)
final class ReplicaTest {

  private static final int APP = 3;
  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");
  private static final int SEEDS = Integer.getInteger("jgloo.ps.replica.seeds", FULL ? 10 : 1);
  private static final int FIRST_SEED = Integer.getInteger("jgloo.ps.replica.seed", 1);
  private static final int SERVERS = 3;
  private static final int WORKERS = 2;
  private static final int KILLS = 4;

  private final Map<Integer, KvServer<float[]>> servers = new ConcurrentHashMap<>();

  private IntFunction<RequestHandle<float[]>> handles = shard -> Handles.sum(ValueType.FLOATS, 1);

  private void serve(PsNode node, int rank, int shards) {
    ServerOptions options = ServerOptions.DEFAULTS.withShards(shards);
    servers.put(rank, KvServer.open(node, APP, ValueType.FLOATS, options, handles));
  }

  private Cluster cluster(int shards) throws Exception {
    AtomicInteger rank = new AtomicInteger();
    return Cluster.start(
        SERVERS,
        WORKERS,
        options -> options.withReplicas(1),
        node -> {
          if (node.role() == Role.SERVER) {
            serve(node, rank.getAndIncrement(), shards);
          }
        });
  }

  /** Pushes until it is applied. */
  private static int push(KvWorker<float[]> worker, long[] keys, float[] values) {
    long first = worker.push(keys, values);
    int repeats = 0;
    for (long call = first; ; repeats++) {
      try {
        worker.waitFor(call);
        return repeats;
      } catch (NodeLostException | CallTimeoutException e) {
        for (int rank = 0; rank < SERVERS; rank++) {
          assertTrue(worker.node().awaitUp(NodeId.server(rank), Cluster.PATIENCE), e.toString());
        }
        call = worker.push(keys, values, KvCall.DEFAULTS.repeating(first));
      }
    }
  }

  private void awaitReplicas() {
    while (!servers.values().stream().allMatch(server -> server.replication().isComplete())) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, false", "2, true"})
  void killedServers_loseNoAcknowledgedPush_andNoneIsAppliedTwice(int shards, boolean isTogether)
      throws Exception {
    if (isTogether) {
      handles =
          shard -> Handles.synchronous(ValueType.FLOATS, Handles.sum(ValueType.FLOATS, 1), WORKERS);
    }
    for (int seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      long before = Memory.allocatedBytes();
      run(new SplittableRandom(seed), shards, isTogether, "seed " + seed);
      assertEquals(before, Memory.allocatedBytes(), "bytes of memory after seed " + seed);
    }
  }

  /**
   * @param isTogether whether workers push the same keys, to a synchronous handle
   */
  private void run(SplittableRandom random, int shards, boolean isTogether, String seed)
      throws Exception {
    AtomicInteger pushes = new AtomicInteger();
    AtomicInteger repeats = new AtomicInteger();
    AtomicBoolean done = new AtomicBoolean();
    AtomicBoolean isLast = new AtomicBoolean();
    CyclicBarrier begin = new CyclicBarrier(WORKERS, () -> isLast.set(done.get()));
    List<PsNode> replacements = new ArrayList<>();
    try (Cluster cluster = cluster(shards)) {
      Cluster.Task kills =
          () -> {
            try {
              for (int i = 0; i < KILLS; i++) {
                kill(cluster, random, pushes, shards, replacements);
              }
            } finally {
              done.set(true);
            }
          };
      List<Cluster.Task> tasks = new ArrayList<>(List.of(kills));
      for (int rank = 0; rank < WORKERS; rank++) {
        PsNode node = cluster.worker(rank);
        BooleanSupplier hasEnded = done::get;
        if (isTogether) {
          hasEnded =
              () -> {
                await(begin);
                return isLast.get();
              };
        }
        Work work = new Work(isTogether ? 0 : rank, isTogether ? WORKERS : 1, hasEnded, seed);
        tasks.add(() -> work.run(node, pushes, repeats));
      }
      Cluster.inThreads(tasks, 600_000);
      System.out.printf(
          "ps replicas, %s: %d pushes, %d repeated%n", seed, pushes.get(), repeats.get());
    } finally {
      replacements.forEach(PsNode::close);
      servers.clear();
    }
  }

  /** Ends a server after some pushes, and replaces it. */
  private void kill(
      Cluster cluster,
      SplittableRandom random,
      AtomicInteger pushes,
      int shards,
      List<PsNode> replacements) {
    awaitReplicas();
    int rank = random.nextInt(SERVERS);
    int last = pushes.get() + random.nextInt(30);
    while (pushes.get() < last) {
      LockSupport.parkNanos(1_000_000);
    }
    servers.get(rank).node().close();
    PsNode node = new PsNode(cluster.options(Role.SERVER).withReplicas(1).withRank(rank));
    replacements.add(node);
    serve(node, rank, shards);
    node.start();
    assertTrue(servers.get(rank).isRestored());
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * What a worker does.
   *
   * @param owner the keys are those of this rank
   * @param pushers workers that push them in each round
   * @param hasEnded is asked before each round
   */
  private record Work(int owner, int pushers, BooleanSupplier hasEnded, String seed) {
    void run(PsNode node, AtomicInteger pushes, AtomicInteger repeats) {
      KvWorker<float[]> worker = KvWorker.open(node, APP, ValueType.FLOATS);
      long[] few = Acceptance.keys(30, owner);
      long[] many = Acceptance.keys(30_000, 1000 + owner);
      float[] ones = new float[many.length];
      Arrays.fill(ones, 1);
      int rounds = 0;
      for (; !hasEnded.getAsBoolean() || rounds < 10; rounds++) {
        repeats.addAndGet(push(worker, few, Arrays.copyOf(ones, few.length)));
        repeats.addAndGet(push(worker, many, ones));
        pushes.addAndGet(2);
      }
      for (long[] keys : List.of(few, many)) {
        float[] sums = new float[keys.length];
        worker.waitFor(worker.pull(keys, sums));
        for (int i = 0; i < keys.length; i++) {
          assertEquals(rounds * pushers, sums[i], seed + ", key " + i + " of " + keys.length);
        }
      }
    }
  }

  @Test
  void moreReplicasThanOtherServers_areRefused() {
    PsOptions one = PsOptions.of(Role.SERVER, new Topology(1, 1), "127.0.0.1", 1);
    assertThrows(IllegalArgumentException.class, () -> one.withReplicas(1));
    PsOptions many = PsOptions.of(Role.SERVER, new Topology(9, 1), "127.0.0.1", 1);
    assertThrows(IllegalArgumentException.class, () -> many.withReplicas(9));
    assertEquals(8, many.withReplicas(8).replicas());
  }

  @Test
  void handleThatIsUsedForTwoRangesOfKeys_isRefused() {
    PsOptions options = PsOptions.of(Role.SERVER, new Topology(1, 1), "127.0.0.1", 1);
    ServerOptions shards = ServerOptions.DEFAULTS.withShards(2);
    try (RequestHandle<float[]> one = Handles.sum(ValueType.FLOATS, 1);
        PsNode node = new PsNode(options)) {
      KvServer<float[]> server = KvServer.open(node, APP, ValueType.FLOATS, shards, shard -> one);
      Exception failure =
          assertThrows(IllegalStateException.class, () -> server.start(NodeId.server(0)));
      assertTrue(failure.getMessage().contains("made anew"), failure.getMessage());
    }
  }

  @Test
  void serverAndItsReplicaKilled_isStateLost() throws Exception {
    List<PsNode> replacements = new ArrayList<>();
    try (Cluster cluster = cluster(1)) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      worker.waitFor(worker.push(new long[] {1}, new float[] {1}));
      cluster.server(0).close();
      cluster.server(1).close();
      for (int rank = 1; rank >= 0; rank--) {
        PsNode node = new PsNode(cluster.options(Role.SERVER).withReplicas(1).withRank(rank));
        replacements.add(node);
        serve(node, rank, 1);
        node.start();
        assertTrue(cluster.worker(0).awaitUp(NodeId.server(rank), Duration.ofSeconds(40)));
      }
      long lost = worker.push(new long[] {1}, new float[] {1});
      JGlooException failure = assertThrows(JGlooException.class, () -> worker.waitFor(lost));
      assertTrue(failure instanceof StateLostException, failure.toString());
      awaitReplicas(); // from now on they have one again
      worker.acceptState(0);
      worker.waitFor(worker.push(new long[] {1}, new float[] {2}));
      servers.get(0).node().close();
      PsNode node = new PsNode(cluster.options(Role.SERVER).withReplicas(1).withRank(0));
      replacements.add(node);
      serve(node, 0, 1);
      node.start();
      assertTrue(cluster.worker(0).awaitUp(NodeId.server(0), Duration.ofSeconds(40)));
      float[] out = new float[1];
      worker.waitFor(worker.pull(new long[] {1}, out));
      assertEquals(2, out[0]);
    } finally {
      replacements.forEach(PsNode::close);
    }
  }
}
