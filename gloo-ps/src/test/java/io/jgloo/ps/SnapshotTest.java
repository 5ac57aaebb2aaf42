package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.handle.Optimizer;
import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.handle.RequestMeta;
import io.jgloo.ps.handle.Responder;
import io.jgloo.ps.handle.StatefulHandle;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.kv.Slicer;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.ps.store.HashValueStore;
import io.jgloo.ps.store.ValueStore;
import io.jgloo.ps.store.VariableValueStore;
import io.jgloo.transport.memory.Memory;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Snapshots and transfers of values: jobs of another shape, requests meanwhile, long ones. */
@Timeout(240)
final class SnapshotTest {

  private static final int APP = 7;
  private static final int KEYS = 10_000;

  @TempDir private Path folder;

  private final List<KvServer<float[]>> servers = new ArrayList<>();

  private Path file(int rank) {
    return folder.resolve("server-" + rank);
  }

  private Cluster start(
      int count, int shards, Slicer slicer, IntFunction<RequestHandle<float[]>> handles)
      throws Exception {
    servers.clear();
    return Cluster.start(
        count,
        1,
        node -> {
          if (node.role() == Role.SERVER) {
            ServerOptions options =
                ServerOptions.DEFAULTS
                    .withShards(shards)
                    .withSlicer(slicer)
                    .withSnapshot(this::file);
            servers.add(KvServer.open(node, APP, ValueType.FLOATS, options, handles));
          }
        });
  }

  private static KvWorker<float[]> worker(Cluster cluster, Slicer slicer) {
    return KvWorker.open(cluster.worker(0), APP, 0, ValueType.FLOATS, slicer);
  }

  private static Slicer slicer(String name) {
    return name.equals("HASH") ? Slicer.HASH : Slicer.RANGE;
  }

  @ParameterizedTest
  @CsvSource({"2, 3, RANGE", "2, 1, RANGE", "1, 3, RANGE", "2, 2, HASH", "3, 2, HASH"})
  void jobOfAnotherShape_findsAllValues(int before, int after, String name) throws Exception {
    long[] keys = Acceptance.keys(KEYS, 0);
    float[] values = new float[KEYS];
    for (int i = 0; i < KEYS; i++) {
      values[i] = i + 1;
    }
    try (Cluster cluster = start(before, 2, Slicer.RANGE, s -> Handles.sum(ValueType.FLOATS, 1))) {
      KvWorker<float[]> worker = worker(cluster, Slicer.RANGE);
      worker.waitFor(worker.push(keys, values));
      for (int rank = 0; rank < before; rank++) {
        servers.get(rank).snapshot(file(rank));
      }
    }
    try (Cluster cluster = start(after, 3, slicer(name), s -> Handles.sum(ValueType.FLOATS, 1))) {
      KvWorker<float[]> worker = worker(cluster, slicer(name));
      float[] out = new float[KEYS];
      worker.waitFor(worker.pull(keys, out));
      assertArrayEquals(values, out);
      AtomicInteger held = new AtomicInteger();
      for (int rank = 0; rank < after; rank++) {
        servers.get(rank).snapshot(file(rank));
        SnapshotFile.open(file(rank)).forEach((key, value) -> held.incrementAndGet());
      }
      assertEquals(KEYS, held.get(), "keys at all servers");
    }
  }

  @Test
  void snapshotThatDoesNotFit_isRefused() throws Exception {
    Optimizer adagrad = Optimizer.adagrad(0.1);
    IntFunction<RequestHandle<float[]>> handles =
        s -> Handles.optimizer(ValueType.FLOATS, 1, adagrad);
    for (int count : new int[] {2, 3}) { // those of 3 servers replace the second one of 2
      try (Cluster cluster = start(count, 1, Slicer.RANGE, handles)) {
        assertEquals(List.of(), cluster.scheduler().deadNodes());
        for (int rank = count - 2; rank < 2; rank++) {
          servers.get(rank).snapshot(file(rank));
        }
      }
    }
    assertRefused("adagrad", 2, ValueType.FLOATS, s -> Handles.sum(ValueType.FLOATS, 1));
    assertRefused(
        "type of values",
        2,
        ValueType.DOUBLES,
        s -> Handles.optimizer(ValueType.DOUBLES, 1, adagrad));
    assertRefused("is of 3 servers", 1, ValueType.FLOATS, handles);
    assertRefused("application", APP + 1, 2, ValueType.FLOATS, handles);
    Files.delete(file(1));
    assertRefused(file(1) + " is missing", 3, ValueType.FLOATS, handles);
  }

  @Test
  void filesOfTwoSlicers_areRefused() throws Exception {
    IntFunction<RequestHandle<float[]>> sums = s -> Handles.sum(ValueType.FLOATS, 1);
    for (int rank = 0; rank < 2; rank++) {
      try (Cluster cluster = start(2, 1, rank == 0 ? Slicer.RANGE : Slicer.HASH, sums)) {
        assertEquals(List.of(), cluster.scheduler().deadNodes());
        servers.get(rank).snapshot(folder.resolve("of-" + rank));
      }
    }
    for (int rank = 0; rank < 2; rank++) {
      Files.move(folder.resolve("of-" + rank), file(rank));
    }
    assertRefused("slicer HASH", 3, ValueType.FLOATS, sums);
  }

  @Test
  void file_saysWhoseValuesItHas() throws Exception {
    List<KvServer<double[]>> both = new ArrayList<>();
    for (int run = 1; run <= 2; run++) { // the second one reads the files of the first
      both.clear();
      try (Cluster cluster =
          Cluster.start(
              2,
              1,
              node -> {
                if (node.role() == Role.SERVER) {
                  ServerOptions options = ServerOptions.DEFAULTS.withSnapshot(this::file);
                  both.add(
                      KvServer.open(
                          node,
                          APP,
                          ValueType.DOUBLES,
                          options,
                          s -> Handles.sum(ValueType.DOUBLES, 1)));
                }
              })) {
        KvWorker<double[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.DOUBLES);
        double[] out = new double[2];
        worker.waitFor(worker.pushPull(new long[] {1, -1}, new double[] {1, 2}, out));
        assertArrayEquals(new double[] {run, 2 * run}, out);
        for (int rank = 0; rank < 2; rank++) {
          both.get(rank).snapshot(file(rank));
        }
      }
    }
    SnapshotFile last = SnapshotFile.open(file(1));
    assertEquals(1, last.rank());
    assertEquals(2, last.servers());
    assertEquals(ValueType.DOUBLES, last.type());
    assertEquals("sum/1", last.handle());
    last.forEach((key, value) -> assertEquals(4, value.getDouble()));
  }

  private <A> void assertRefused(
      String why, int count, ValueType<A> type, IntFunction<RequestHandle<A>> handles) {
    assertRefused(why, APP, count, type, handles);
  }

  /** A server of rank 0 does not start from the files. */
  private <A> void assertRefused(
      String why, int app, int count, ValueType<A> type, IntFunction<RequestHandle<A>> handles) {
    long before = Memory.allocatedBytes();
    PsOptions options = PsOptions.of(Role.SERVER, new Topology(count, 1), "127.0.0.1", 1);
    try (PsNode node = new PsNode(options)) {
      KvServer<A> server =
          KvServer.open(node, app, type, ServerOptions.DEFAULTS.withSnapshot(this::file), handles);
      String text =
          assertThrows(UncheckedIOException.class, () -> server.start(NodeId.server(0)))
              .getMessage();
      assertTrue(text.contains(why), text);
    }
    assertEquals(before, Memory.allocatedBytes());
  }

  @Test
  void workerWithAnotherSlicer_isToldSo() throws Exception {
    try (Cluster cluster = start(2, 1, Slicer.RANGE, s -> Handles.sum(ValueType.FLOATS, 1))) {
      KvWorker<float[]> worker = worker(cluster, Slicer.HASH);
      long[] keys = Acceptance.keys(64, 0);
      var call = worker.push(keys, new float[64]);
      ServerErrorException refused =
          assertThrows(ServerErrorException.class, () -> worker.waitFor(call));
      assertEquals(Responder.WRONG_SERVER, refused.code());
      assertTrue(refused.getMessage().contains("withSlicer"), refused.getMessage());
    }
  }

  @Test
  void passOfAStore_readsWhatWasThere_whileItChanges() {
    for (boolean isVariable : new boolean[] {false, true}) {
      long before = Memory.allocatedBytes();
      SplittableRandom random = new SplittableRandom(3);
      try (ValueStore store = isVariable ? new VariableValueStore(0) : new HashValueStore(8, 0)) {
        Map<Long, Long> there = new HashMap<>();
        for (int i = 0; i < 5000; i++) {
          long key = random.nextInt(10_000);
          there.put(key, (long) i);
          Memory.putLong(store.findOrAdd(key, 8), i);
        }
        Map<Long, Long> read = new HashMap<>();
        ValueStore.Pass pass =
            store.pass(
                (key, address, bytes) ->
                    assertEquals(null, read.put(key, Memory.getLong(address)), "read twice"));
        for (int i = 0; pass.advance(7); i++) {
          long key = random.nextInt(20_000);
          Memory.putLong(store.findOrAdd(key, 8), -1);
          if (i % 900 == 800) {
            store.remove(random.nextInt(10_000));
          }
        }
        assertEquals(there, read);
      }
      assertEquals(before, Memory.allocatedBytes());
    }
  }

  @Test
  void removedKeys_leaveTheOthersWhereTheyAreFound() {
    SplittableRandom random = new SplittableRandom(5);
    try (HashValueStore store = new HashValueStore(8, 0)) {
      Map<Long, Long> expected = new HashMap<>();
      for (int i = 0; i < 50_000; i++) {
        long key = random.nextInt(600);
        if (random.nextInt(3) == 0) {
          assertEquals(expected.remove(key) != null, store.remove(key));
        } else {
          expected.put(key, (long) i);
          Memory.putLong(store.findOrAdd(key, 8), i);
        }
      }
      assertEquals(expected.size(), store.size());
      expected.forEach((key, value) -> assertEquals(value, Memory.getLong(store.find(key))));
    }
  }

  /** Sums, with what is read of them by snapshots, and where a pull comes in between. */
  private static final class Watched implements StatefulHandle<float[]> {
    final AtomicLong read = new AtomicLong();
    final AtomicLong readAtPull = new AtomicLong(-1);
    final CountDownLatch reads = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    private final HashValueStore values = new HashValueStore(Float.BYTES, 0);
    private final StatefulHandle<float[]> sums = Handles.sum(ValueType.FLOATS, 1, values);

    /** The values; a pass waits within its first step. */
    private final ValueStore store =
        (ValueStore)
            Proxy.newProxyInstance(
                ValueStore.class.getClassLoader(),
                new Class<?>[] {ValueStore.class},
                (proxy, method, arguments) ->
                    method.getName().equals("pass")
                        ? pass((ValueStore.EntryReader) arguments[0])
                        : method.invoke(values, arguments));

    private ValueStore.Pass pass(ValueStore.EntryReader reader) {
      ValueStore.Pass pass =
          values.pass(
              (key, address, bytes) -> {
                read.incrementAndGet();
                reader.read(key, address, bytes);
              });
      return new ValueStore.Pass() {
        @Override
        public boolean advance(long places) {
          reads.countDown();
          await(goOn);
          return pass.advance(places);
        }

        @Override
        public void close() {
          pass.close();
        }
      };
    }

    @Override
    public ValueStore store() {
      return store;
    }

    @Override
    public void handle(RequestMeta meta, KvPairs<float[]> pairs, Responder<float[]> responder) {
      if (meta.isPull()) {
        readAtPull.compareAndSet(-1, read.get());
      }
      sums.handle(meta, pairs, responder);
    }

    @Override
    public void close() {
      sums.close();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void requestsAreExecuted_betweenTheStepsOfASnapshot_whichHasNoneOfThem() throws Exception {
    long[] keys = LongStream.range(0, 200_000).toArray(); // all in the first of two shards
    float[] ones = new float[keys.length];
    Arrays.fill(ones, 1);
    List<Watched> shards = List.of(new Watched(), new Watched());
    Watched first = shards.get(0);
    Watched second = shards.get(1);
    try (Cluster cluster = start(1, 2, Slicer.RANGE, shards::get)) {
      KvWorker<float[]> worker = worker(cluster, Slicer.RANGE);
      worker.waitFor(worker.push(keys, ones));
      CompletableFuture<Void> snapshot = Cluster.later(() -> servers.get(0).snapshot(file(0)));
      await(first.reads);
      // The first shard is in a step, and what comes for it waits. When the second one has executed
      // its part of the last pull, all of these requests wait for the first one.
      worker.pull(new long[] {0}, new float[1]);
      final long push = worker.push(keys, ones);
      final long last = worker.pull(new long[] {0, -1}, new float[2]);
      while (second.readAtPull.get() < 0) {
        LockSupport.parkNanos(1_000_000);
      }
      second.goOn.countDown();
      first.goOn.countDown();
      worker.waitFor(push);
      worker.waitFor(last);
      snapshot.get(60, TimeUnit.SECONDS);
      assertEquals(keys.length, first.read.get());
      assertTrue(
          first.readAtPull.get() < keys.length / 2,
          first.readAtPull + " keys of " + keys.length + " were read before a pull was executed");
    }
    Map<Long, Float> written = new HashMap<>();
    SnapshotFile.open(file(0)).forEach((key, value) -> written.put(key, value.getFloat()));
    assertEquals(keys.length, written.size());
    assertEquals(Set.of(1f), new HashSet<>(written.values()));
  }

  @Test
  void valuesLongerThanAMessage_reachAReplacement() throws Exception {
    int count = 400_000;
    long most = 4 << 20;
    servers.clear();
    try (Cluster cluster =
        Cluster.start(
            3,
            1,
            options ->
                options
                    .withReplicas(2)
                    .withMessenger(
                        options.messenger().toBuilder().maxMessageBytes(most + (1 << 20)).build()),
            this::replicated)) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      long[] keys = new long[count];
      Arrays.setAll(keys, i -> i);
      float[] values = new float[count];
      for (int i = 0; i < count; i++) {
        values[i] = i;
      }
      worker.waitFor(worker.push(keys, values));
      PsNode replaced = cluster.replace(0, this::replicated);
      KvServer<float[]> second = servers.get(servers.size() - 1);
      assertEquals(NodeId.server(0), replaced.id());
      assertTrue(second.isRestored());
      List<KvServer<float[]>> present = servers.subList(1, servers.size());
      while (!present.stream().allMatch(each -> each.replication().isComplete())) {
        LockSupport.parkNanos(1_000_000);
      }
      cluster.server(1).close(); // its first replica: the second one has all
      cluster.replace(0, this::replicated);
      assertTrue(servers.get(servers.size() - 1).isRestored());
      assertTrue(worker.node().awaitUp(NodeId.server(0), Cluster.PATIENCE));
      float[] out = new float[count];
      worker.waitFor(worker.pull(keys, out, KvCall.DEFAULTS));
      assertArrayEquals(values, out);
    }
  }

  private void replicated(PsNode node) {
    if (node.role() == Role.SERVER) {
      servers.add(
          KvServer.open(node, APP, ValueType.FLOATS, s -> Handles.sum(ValueType.FLOATS, 1)));
    }
  }
}
