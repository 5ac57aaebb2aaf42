package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.handle.Optimizer;
import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.kv.CallTimeoutException;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.TensorSlicer;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.server.Snapshot;
import io.jgloo.ps.store.DenseValueStore;
import io.jgloo.ps.store.HashValueStore;
import io.jgloo.ps.store.ValueStore;
import io.jgloo.ps.store.VariableValueStore;
import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Handles that need several workers, stores, and snapshots. */
@Timeout(240)
final class HandlesTest {

  private static final int APP = 2;
  private static final long[] KEYS = {0, 7, -1};

  @TempDir private Path folder;

  private static Cluster start(
      int servers, int workers, IntFunction<RequestHandle<float[]>> handles) throws Exception {
    return Cluster.start(
        servers,
        workers,
        node -> {
          if (node.role() == Role.SERVER) {
            ServerOptions options = ServerOptions.DEFAULTS.withShards(2);
            KvServer.open(node, APP, ValueType.FLOATS, options, handles);
          }
        });
  }

  @Test
  void synchronousSum_answersWhenAllWorkersHavePushed() throws Exception {
    int rounds = 20;
    try (Cluster cluster =
        start(
            2,
            3,
            shard -> Handles.synchronous(ValueType.FLOATS, Handles.sum(ValueType.FLOATS, 1), 3))) {
      KvWorker<float[]> first = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      CompletableFuture<Void> alone = first.pushAsync(KEYS, new float[] {1, 1, 1}, KvCall.DEFAULTS);
      float[] out = new float[3];
      first.waitFor(first.pull(KEYS, out));
      assertFalse(alone.isDone());
      assertArrayEquals(new float[3], out);
      cluster.atWorkers(
          node -> {
            int rank = node.id().rank();
            KvWorker<float[]> worker =
                rank == 0 ? first : KvWorker.open(node, APP, ValueType.FLOATS);
            float[] values = {rank + 1, 10, 100};
            float[] result = new float[3];
            for (int round = rank == 0 ? 1 : 0; round < rounds; round++) {
              worker.waitFor(worker.pushPull(KEYS, values, result));
              assertEquals(30f * (round + 1) - 9, result[1], "round " + round);
            }
          });
      alone.get(20, TimeUnit.SECONDS);
      first.waitFor(first.pull(KEYS, out));
      assertArrayEquals(new float[] {6f * rounds, 30f * rounds - 9, 300f * rounds - 99}, out);
    }
  }

  /** As the call of BytePS: each worker gets the sum of what all have pushed in the round. */
  @Test
  void tensorThatIsPushedAndPulled_isTheSumOfTheRound() throws Exception {
    TensorSlicer slicer = new TensorSlicer(7);
    TensorSlicer.Parts parts = slicer.parts(3, 0, 20);
    KvCall lens = KvCall.DEFAULTS.withLens(parts.lens());
    ServerOptions options = ServerOptions.DEFAULTS.withSlicer(slicer);
    try (Cluster cluster =
        Cluster.start(
            2,
            2,
            node -> {
              if (node.role() == Role.SERVER) {
                KvServer.open(
                    node,
                    APP,
                    ValueType.FLOATS,
                    options,
                    shard ->
                        Handles.synchronous(
                            ValueType.FLOATS, Handles.assign(ValueType.FLOATS, 0), 2));
              }
            })) {
      cluster.atWorkers(
          node -> {
            KvWorker<float[]> worker = KvWorker.open(node, APP, 0, ValueType.FLOATS, slicer);
            float[] values = new float[20];
            float[] sums = new float[20];
            float[] expected = new float[20];
            for (int round = 1; round <= 3; round++) {
              Arrays.fill(values, round * (node.id().rank() + 1));
              Arrays.fill(expected, 3 * round);
              worker.waitFor(worker.pushPull(parts.keys(), values, sums, lens));
              assertArrayEquals(expected, sums);
            }
          });
    }
  }

  @Test
  void ps19_boundedStaleness_holdsFastWorkersBack() throws Exception {
    int bound = 2;
    int steps = 30;
    AtomicInteger[] clocks = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
    try (Cluster cluster =
        start(
            2, 3, shard -> Handles.boundedStaleness(Handles.sum(ValueType.FLOATS, 1), bound, 3))) {
      cluster.atWorkers(
          node -> {
            KvWorker<float[]> worker = KvWorker.open(node, APP, ValueType.FLOATS);
            float[] out = new float[3];
            int rank = node.id().rank();
            for (int step = 0; step < steps; step++) {
              worker.push(KEYS, new float[] {1, 1, 1});
              clocks[rank].incrementAndGet(); // before the tick arrives
              worker.tick(KvCall.DEFAULTS);
              worker.waitFor(worker.pull(KEYS, out));
              for (AtomicInteger clock : clocks) {
                int behind = step + 1 - clock.get();
                assertTrue(behind <= bound, "a worker is " + behind + " steps behind");
              }
              int least = step + 1 + 2 * Math.max(0, step + 1 - bound);
              assertTrue(out[0] >= least, out[0] + " pushes of at least " + least + " are seen");
            }
          });
    }
  }

  @Test
  void sgdAndAdagrad_takeTheirSteps() throws Exception {
    try (Cluster cluster =
        start(1, 1, shard -> Handles.optimizer(ValueType.FLOATS, 1, Optimizer.sgd(0.5)))) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      float[] out = new float[3];
      worker.waitFor(worker.pushPull(KEYS, new float[] {1, 2, 4}, out));
      assertArrayEquals(new float[] {-0.5f, -1, -2}, out);
    }
    try (Cluster cluster =
        start(1, 1, shard -> Handles.optimizer(ValueType.FLOATS, 1, Optimizer.adagrad(0.5)))) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      float[] out = new float[3];
      worker.push(KEYS, new float[] {3, 3, 3});
      worker.waitFor(worker.pushPull(KEYS, new float[] {4, 4, 4}, out));
      assertEquals(-0.5 - 0.5 * 4 / 5, out[1], 1e-6);
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> Handles.optimizer(ValueType.INTS, 1, Optimizer.sgd(1)));
  }

  @Test
  void stores_holdWhatAMapHolds() {
    long before = Memory.allocatedBytes();
    SplittableRandom random = new SplittableRandom(7);
    try (ValueStore hash = new HashValueStore(8, 0);
        ValueStore variable = new VariableValueStore(10);
        ValueStore dense = new DenseValueStore(-50L, 100, 8)) {
      Map<Long, Long> expected = new HashMap<>();
      for (int i = 0; i < 20_000; i++) {
        long key = random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(5000) - 2500;
        long value = random.nextLong();
        expected.put(key, value);
        Memory.putLong(hash.findOrAdd(key, 8), value);
        Memory.putLong(variable.findOrAdd(key, 8 + (int) (key & 7)), value);
        if (key >= -50 && key < 50) {
          Memory.putLong(dense.findOrAdd(key, 8), value);
        }
      }
      assertEquals(expected.size(), hash.size());
      assertEquals(expected.size(), variable.size());
      Map<Long, Long> found = new HashMap<>();
      hash.forEach((key, address, bytes) -> found.put(key, Memory.getLong(address)));
      assertEquals(expected, found);
      expected.forEach(
          (key, value) -> {
            assertEquals(value, Memory.getLong(variable.find(key)));
            assertEquals(8 + (key & 7), variable.bytes(key));
            if (key >= -50 && key < 50) {
              assertEquals(value, Memory.getLong(dense.find(key)));
            }
          });
      assertEquals(0, dense.find(50));
      assertThrows(IllegalArgumentException.class, () -> dense.findOrAdd(50, 8));
      assertThrows(IllegalArgumentException.class, () -> hash.findOrAdd(1, 4));
    }
    assertEquals(before, Memory.allocatedBytes());
  }

  @Test
  void snapshots_areWholeOrRefused() throws Exception {
    Path file = folder.resolve("snapshot");
    List<KvServer<float[]>> servers = new ArrayList<>();
    IntFunction<RequestHandle<float[]>> sums = shard -> Handles.sum(ValueType.FLOATS, 0);
    ServerOptions options = ServerOptions.DEFAULTS.withShards(3).withSnapshot(rank -> file);
    for (int run = 0; run < 2; run++) {
      try (Cluster cluster =
          Cluster.start(
              1,
              1,
              node -> {
                if (node.role() == Role.SERVER) {
                  servers.add(KvServer.open(node, APP, ValueType.FLOATS, options, sums));
                }
              })) {
        KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
        float[] out = new float[4];
        worker.waitFor(
            worker.push(KEYS, new float[] {1, 2, 3, 4}, KvCall.DEFAULTS.withLens(1, 2, 1)));
        assertArrayEquals(
            new float[] {run + 1, 2 * run + 2, 3 * run + 3, 4 * run + 4},
            worker.pullAsync(KEYS, KvCall.DEFAULTS).get(20, TimeUnit.SECONDS).values());
        assertEquals(run == 1, servers.get(run).isRestored());
        servers.get(run).snapshot(file);
        assertEquals(4, out.length);
      }
    }
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    IOException damaged = assertThrows(IOException.class, () -> Snapshot.open(file).close());
    assertTrue(damaged.getMessage().contains("damaged"), damaged.getMessage());
  }

  @Test
  void missingWorker_endsASynchronousPushByItsDeadline() throws Exception {
    try (Cluster cluster =
        start(
            1,
            2,
            shard ->
                Handles.synchronous(
                    ValueType.FLOATS,
                    Handles.optimizer(ValueType.FLOATS, 1, Optimizer.sgd(1)),
                    2))) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      long alone =
          worker.push(KEYS, new float[3], KvCall.DEFAULTS.withTimeout(Duration.ofMillis(300)));
      assertThrows(CallTimeoutException.class, () -> worker.waitFor(alone));
    }
  }
}
