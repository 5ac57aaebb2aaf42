package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.handle.Initializer;
import io.jgloo.ps.handle.Optimizer;
import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.handle.StatefulHandle;
import io.jgloo.ps.kv.CallRejectedException;
import io.jgloo.ps.kv.Halves;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.kv.Slicer;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.NodeLostException;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.transport.JGlooException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What training needs: optimizers, rounds, rows by id, checkpoints, and calls of all kinds. */
@Timeout(240)
final class TrainingTest {

  private static final int APP = 8;
  private static final long[] KEY = {5};

  @TempDir private Path folder;

  private <A> Cluster start(
      int servers, int workers, ValueType<A> type, IntFunction<RequestHandle<A>> handles)
      throws Exception {
    return Cluster.start(servers, workers, node -> serve(node, type, handles));
  }

  private <A> void serve(PsNode node, ValueType<A> type, IntFunction<RequestHandle<A>> handles) {
    if (node.role() == Role.SERVER) {
      ServerOptions options =
          ServerOptions.DEFAULTS.withShards(2).withSnapshot(rank -> folder.resolve("s" + rank));
      KvServer.open(node, APP, type, options, handles);
    }
  }

  /** The value after pushes of gradients, for one key. */
  private double after(Optimizer optimizer, double... gradients) throws Exception {
    try (Cluster cluster =
        start(1, 1, ValueType.DOUBLES, s -> Handles.optimizer(ValueType.DOUBLES, 1, optimizer))) {
      KvWorker<double[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.DOUBLES);
      for (double gradient : gradients) {
        worker.push(KEY, new double[] {gradient});
      }
      double[] out = new double[1];
      worker.waitFor(worker.pull(KEY, out));
      return out[0];
    }
  }

  @Test
  void optimizers_takeTheStepsOfTheirFormulas() throws Exception {
    assertEquals(-0.1 * (2 + 3), after(Optimizer.sgd(0.1), 2, 3), 1e-12);
    assertEquals(-0.1 * (2 + (0.9 * 2 + 3)), after(Optimizer.momentum(0.1, 0.9), 2, 3), 1e-12);
    double root = Math.sqrt(4 + 9);
    assertEquals(-0.1 * (1 + 3 / root), after(Optimizer.adagrad(0.1), 2, 3), 1e-9);
    double first = (0.9 * 0.1 * 2 + 0.1 * 3) / (1 - 0.81);
    double second = (0.999 * 0.001 * 4 + 0.001 * 9) / (1 - 0.999 * 0.999);
    assertEquals(
        -0.01 * (1 + first / Math.sqrt(second)),
        after(Optimizer.adam(0.01, 0.9, 0.999, 0), 2, 3),
        1e-9);
    double weight = -(2 - 0.5) / ((1 + 2) / 0.1 + 0.25); // z = 2, n = 4
    assertEquals(weight, after(Optimizer.ftrl(0.1, 1, 0.5, 0.25), 2), 1e-12);
    assertEquals(0, after(Optimizer.ftrl(0.1, 1, 5, 0.25), 2));
  }

  @Test
  void ruleOfAUser_isApplied_andFirstValuesAreInitialized_andSet_andRemoved() throws Exception {
    Optimizer decay = new Optimizer("decay", 0, (value, pushed, state) -> 0.5 * value + pushed);
    Initializer initializer = Initializer.uniform(7, -1, 1);
    try (Cluster cluster =
        start(
            2,
            1,
            ValueType.FLOATS,
            s -> Handles.optimizer(ValueType.FLOATS, 2, decay, initializer))) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      long[] keys = Acceptance.keys(1000, 0);
      float[] before = new float[2000];
      worker.waitFor(worker.pull(keys, before));
      double mean = IntStream.range(0, 2000).mapToDouble(i -> before[i]).average().orElse(9);
      assertEquals(0, mean, 0.1);
      long distinct = IntStream.range(0, 2000).mapToObj(i -> before[i]).distinct().count();
      assertTrue(distinct >= 1998, distinct + " of 2000 are distinct");
      float[] ones = new float[2000];
      Arrays.fill(ones, 1);
      float[] out = new float[2000];
      worker.waitFor(worker.pushPull(keys, ones, out));
      for (int i = 0; i < 2000; i++) {
        assertEquals(before[i] / 2 + 1, out[i], 1e-6);
      }
      worker.set(keys, ones, KvCall.DEFAULTS);
      worker.waitFor(worker.pull(keys, out));
      assertArrayEquals(ones, out);
      worker.remove(keys, KvCall.DEFAULTS);
      worker.waitFor(worker.pull(keys, out));
      assertArrayEquals(before, out);
    }
  }

  @Test
  void valuesThatAreSet_beginAnew() throws Exception {
    try (Cluster cluster =
        start(
            1,
            1,
            ValueType.FLOATS,
            s -> Handles.optimizer(ValueType.FLOATS, 1, Optimizer.adagrad(1)))) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      worker.push(KEY, new float[] {5}); // leaves the sum of the squares
      worker.set(KEY, new float[] {7}, KvCall.DEFAULTS);
      float[] out = new float[1];
      worker.waitFor(worker.pushPull(KEY, new float[] {3}, out));
      assertEquals(7 - 1, out[0], 1e-6);
    }
  }

  @Test
  void rounds_sumWhatWorkersPushed_forKeysOfTheirOwn_andDoNotWaitForAll() throws Exception {
    try (Cluster cluster =
        start(
            2,
            3,
            ValueType.FLOATS,
            s -> Handles.rounds(ValueType.FLOATS, Handles.sum(ValueType.FLOATS, 1), 3, 2))) {
      long[][] keys = {{1, 5}, {5, -1}, {7}};
      List<KvWorker<float[]>> workers =
          IntStream.range(0, 3)
              .mapToObj(rank -> KvWorker.open(cluster.worker(rank), APP, ValueType.FLOATS))
              .toList();
      CompletableFuture<Void> first =
          workers.get(0).pushAsync(keys[0], new float[] {1, 2}, KvCall.DEFAULTS);
      workers.get(0).waitFor(workers.get(0).tick(KvCall.DEFAULTS));
      float[] out = new float[4];
      long[] all = {1, 5, 7, -1};
      workers.get(0).waitFor(workers.get(0).pull(all, out));
      assertFalse(first.isDone());
      assertArrayEquals(new float[4], out);
      CompletableFuture<Void> withoutTick =
          workers.get(2).pushAsync(keys[2], new float[] {100}, KvCall.DEFAULTS);
      workers.get(2).waitFor(workers.get(2).pull(all, out)); // comes after it
      CompletableFuture<Void> second =
          workers.get(1).pushAsync(keys[1], new float[] {10, 20}, KvCall.DEFAULTS);
      workers.get(1).waitFor(workers.get(1).tick(KvCall.DEFAULTS));
      first.get(60, TimeUnit.SECONDS);
      second.get(60, TimeUnit.SECONDS);
      withoutTick.get(60, TimeUnit.SECONDS);
      workers.get(2).waitFor(workers.get(2).push(keys[2], new float[] {100})); // too late
      workers.get(2).waitFor(workers.get(2).pull(all, out));
      assertArrayEquals(new float[] {1, 12, 0, 20}, out);
      workers.get(1).waitFor(workers.get(1).leave(KvCall.DEFAULTS));
      workers.get(2).waitFor(workers.get(2).leave(KvCall.DEFAULTS));
      CompletableFuture<Void> alone =
          workers.get(0).pushAsync(keys[0], new float[] {1, 2}, KvCall.DEFAULTS);
      workers.get(0).waitFor(workers.get(0).tick(KvCall.DEFAULTS));
      alone.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void repeatedTick_staysInItsRound_andALostPushHoldsItBack() throws Exception {
    IntFunction<RequestHandle<float[]>> handles =
        s -> Handles.rounds(ValueType.FLOATS, Handles.sum(ValueType.FLOATS, 1), 2, 2);
    try (Cluster cluster =
        Cluster.start(
            2,
            2,
            options -> options.withReplicas(1),
            node -> serve(node, ValueType.FLOATS, handles))) {
      KvWorker<float[]> first = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      final KvWorker<float[]> second = KvWorker.open(cluster.worker(1), APP, ValueType.FLOATS);
      final long push = first.push(KEY, new float[] {1});
      cluster.replace(0, node -> serve(node, ValueType.FLOATS, handles));
      assertThrows(NodeLostException.class, () -> first.waitFor(push));
      for (KvWorker<float[]> worker : List.of(first, second)) {
        assertTrue(worker.node().awaitUp(NodeId.server(0), Cluster.PATIENCE));
      }
      long early = first.tick(KvCall.DEFAULTS);
      assertThrows(NodeLostException.class, () -> first.waitFor(early));
      long again = first.push(KEY, new float[] {1}, KvCall.DEFAULTS.repeating(push));
      first.waitFor(first.tick(KvCall.DEFAULTS.repeating(early)));
      assertEquals(2, first.round());
      second.push(KEY, new float[] {10});
      second.waitFor(second.tick(KvCall.DEFAULTS));
      first.waitFor(again);
      float[] out = new float[1];
      first.waitFor(first.pull(KEY, out));
      assertEquals(11, out[0]);
    }
  }

  @Test
  void workerThatHasLeft_doesNotHoldPullsBack_andClocksReachAReplacement() throws Exception {
    IntFunction<RequestHandle<float[]>> handles =
        s -> Handles.boundedStaleness(Handles.sum(ValueType.FLOATS, 1), 1, 2);
    try (Cluster cluster =
        Cluster.start(
            2,
            2,
            options -> options.withReplicas(1),
            node -> serve(node, ValueType.FLOATS, handles))) {
      KvWorker<float[]> fast = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      final KvWorker<float[]> slow = KvWorker.open(cluster.worker(1), APP, ValueType.FLOATS);
      for (int step = 0; step < 3; step++) {
        fast.waitFor(fast.tick(KvCall.DEFAULTS));
      }
      cluster.replace(0, node -> serve(node, ValueType.FLOATS, handles));
      assertTrue(fast.node().awaitUp(NodeId.server(0), Cluster.PATIENCE));
      assertTrue(slow.node().awaitUp(NodeId.server(0), Cluster.PATIENCE));
      CompletableFuture<?> waits = fast.pullAsync(KEY, KvCall.DEFAULTS);
      fast.waitFor(fast.push(KEY, new float[1])); // comes after it
      slow.waitFor(slow.pull(KEY, new float[1])); // is not ahead, and is not held back
      assertFalse(waits.isDone(), "three ticks ahead");
      slow.waitFor(slow.leave(KvCall.DEFAULTS));
      waits.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void rowsOfUnsortedAndRepeatedIds_areLookedUp_andTheirGradientsAdded() throws Exception {
    try (Cluster cluster =
        start(
            2,
            1,
            ValueType.FLOATS,
            s ->
                Handles.optimizer(
                    ValueType.FLOATS, 3, Optimizer.sgd(1), Initializer.normal(1, 0.1)))) {
      Embedding table = new Embedding(KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS), 3);
      long[] ids = {9, -1, 9, 0};
      float[] before = table.lookup(ids, KvCall.DEFAULTS).get(60, TimeUnit.SECONDS);
      assertArrayEquals(Arrays.copyOfRange(before, 0, 3), Arrays.copyOfRange(before, 6, 9));
      float[] gradients = {1, 2, 3, 4, 5, 6, 10, 20, 30, 0, 0, 0};
      table.push(ids, gradients, KvCall.DEFAULTS).get(60, TimeUnit.SECONDS);
      float[] after = table.lookup(ids, KvCall.DEFAULTS).get(60, TimeUnit.SECONDS);
      float[] steps = {11, 22, 33, 4, 5, 6, 11, 22, 33, 0, 0, 0};
      for (int i = 0; i < steps.length; i++) {
        assertEquals(before[i] - steps[i], after[i], 1e-5);
      }
      assertThrows(
          IllegalArgumentException.class, () -> table.push(ids, new float[3], KvCall.DEFAULTS));
    }
  }

  @Test
  void keysThatAreNotPushedForSomeRounds_areEvicted() throws Exception {
    try (Cluster cluster =
        start(
            2,
            1,
            ValueType.FLOATS,
            s -> Handles.optimizer(ValueType.FLOATS, 1, Optimizer.sgd(1)))) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      long[] keys = {0, 2, -1};
      worker.waitFor(worker.push(keys, new float[] {1, 2, 3}));
      worker.waitFor(worker.tick(KvCall.DEFAULTS));
      worker.waitFor(worker.push(new long[] {2}, new float[] {2}));
      worker.waitFor(worker.tick(KvCall.DEFAULTS));
      float[] out = new float[3];
      worker.waitFor(worker.evict(2, KvCall.DEFAULTS));
      worker.waitFor(worker.pull(keys, out));
      assertArrayEquals(new float[] {-1, -4, -3}, out);
      worker.waitFor(worker.evict(1, KvCall.DEFAULTS));
      assertEquals(3, worker.round(), "an eviction ends no round");
      worker.waitFor(worker.pull(keys, out));
      assertArrayEquals(new float[] {0, -4, 0}, out);
      assertThrows(IllegalArgumentException.class, () -> worker.evict(-1, KvCall.DEFAULTS));
    }
    try (Cluster cluster = start(1, 1, ValueType.FLOATS, s -> Handles.sum(ValueType.FLOATS, 1))) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      long refused = worker.evict(1, KvCall.DEFAULTS);
      String text =
          assertThrows(ServerErrorException.class, () -> worker.waitFor(refused)).getMessage();
      assertTrue(text.contains("sum/1"), text);
    }
  }

  @Test
  void checkpointOfAWorker_isRestored_andReadByOthers() throws Exception {
    StatefulHandle<float[]> unused = Handles.sum(ValueType.FLOATS, 1);
    unused.close();
    try (Cluster cluster =
        start(
            2,
            1,
            ValueType.FLOATS,
            s -> Handles.optimizer(ValueType.FLOATS, 2, Optimizer.adagrad(1)))) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      long[] keys = {3, 4, -1};
      float[] values = {1, 2, 3, 4, 5, 6};
      worker.waitFor(worker.set(keys, values, KvCall.DEFAULTS));
      worker.checkpoint(Cluster.PATIENCE).get(60, TimeUnit.SECONDS);
      worker.waitFor(worker.push(keys, values));
      worker.restore(Cluster.PATIENCE).get(60, TimeUnit.SECONDS);
      float[] out = new float[6];
      worker.waitFor(worker.pull(keys, out));
      assertArrayEquals(values, out);
    }
    SnapshotFile file = SnapshotFile.open(folder.resolve("s0"));
    assertEquals(2, file.servers());
    assertEquals("adagrad/2", file.handle());
    Path text = folder.resolve("text");
    file.writeText(text);
    assertEquals(
        List.of("3 1.0 2.0", "4 3.0 4.0"), Files.readAllLines(text).stream().sorted().toList());
    file.writeNpy(folder.resolve("keys.npy"), folder.resolve("values.npy"));
    byte[] array = Files.readAllBytes(folder.resolve("values.npy"));
    String header = new String(array, 10, 118, StandardCharsets.US_ASCII);
    assertTrue(
        header.startsWith("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }"), header);
    assertEquals(128 + 16, array.length);
    assertEquals(
        10f,
        IntStream.range(0, 4)
            .mapToDouble(
                i -> ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN).getFloat(128 + 4 * i))
            .sum());
  }

  @Test
  void halves_areSummed() throws Exception {
    try (Cluster cluster = start(1, 1, ValueType.HALVES, s -> Handles.sum(ValueType.HALVES, 1))) {
      KvWorker<short[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.HALVES);
      short[] out = new short[1];
      worker.push(KEY, new short[] {Halves.half(1.5f)});
      worker.waitFor(worker.pushPull(KEY, new short[] {Halves.half(2.25f)}, out));
      assertEquals(3.75f, Halves.ofHalf(out[0]));
    }
  }

  @Test
  void callsThatDoNotFit_areRejected_andCallbacksHearOfIt() throws Exception {
    try (Cluster cluster = start(1, 1, ValueType.FLOATS, s -> Handles.sum(ValueType.FLOATS, 2))) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      AtomicReference<JGlooException> heard = new AtomicReference<>();
      var room = worker.pull(KEY, new float[5], KvCall.DEFAULTS.withCallback(heard::set));
      CallRejectedException rejected =
          assertThrows(CallRejectedException.class, () -> worker.waitFor(room));
      assertTrue(rejected.getMessage().contains("room for 5"), rejected.getMessage());
      assertTrue(heard.get() instanceof CallRejectedException, "" + heard.get());
      heard.set(null);
      worker.waitFor(worker.push(KEY, new float[2], KvCall.DEFAULTS.withCallback(heard::set)));
      assertNull(heard.get());
      assertThrows(NullPointerException.class, () -> worker.push(KEY, nothing()));
      ByteBuffer keys = ByteBuffer.allocateDirect(16).order(ByteOrder.LITTLE_ENDIAN);
      keys.putLong(0, 1).putLong(8, 2).limit(15);
      ByteBuffer values = ByteBuffer.allocateDirect(16).order(ByteOrder.LITTLE_ENDIAN);
      IllegalArgumentException cut =
          assertThrows(
              IllegalArgumentException.class, () -> worker.zPush(keys, values, KvCall.DEFAULTS));
      assertTrue(cut.getMessage().contains("keys"), cut.getMessage());
      keys.limit(16);
      values.limit(15);
      assertThrows(
          IllegalArgumentException.class, () -> worker.zPush(keys, values, KvCall.DEFAULTS));
      values.limit(12);
      assertThrows(
          IllegalArgumentException.class, () -> worker.zPush(keys, values, KvCall.DEFAULTS));
    }
  }

  private static float[] nothing() {
    return new AtomicReference<float[]>().get();
  }

  @Test
  void callsWithoutCopy_haveLens() throws Exception {
    try (Cluster cluster = start(2, 1, ValueType.FLOATS, s -> Handles.sum(ValueType.FLOATS, 0))) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      ByteBuffer keys = ByteBuffer.allocateDirect(24).order(ByteOrder.LITTLE_ENDIAN);
      keys.putLong(0, 1).putLong(8, 2).putLong(16, -1);
      ByteBuffer values = ByteBuffer.allocateDirect(24).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < 6; i++) {
        values.putFloat(4 * i, i);
      }
      KvCall lens = KvCall.DEFAULTS.withLens(1, 2, 3);
      worker.waitFor(worker.zPush(keys, values, lens));
      ByteBuffer out = ByteBuffer.allocateDirect(24).order(ByteOrder.LITTLE_ENDIAN);
      worker.waitFor(worker.zPull(keys, out, lens));
      assertEquals(values, out);
      long wrong = worker.zPull(keys, out, KvCall.DEFAULTS.withLens(2, 1, 3));
      assertThrows(CallRejectedException.class, () -> worker.waitFor(wrong));
    }
  }

  @Test
  void customers_haveBarriersOfTheirOwn_andSimpleRequestsCanBeAnsweredLater() throws Exception {
    CompletableFuture<byte[]> later = new CompletableFuture<>();
    try (Cluster cluster = Cluster.start(1, 2, node -> {})) {
      CompletableFuture<Void> first =
          Cluster.later(() -> cluster.worker(0).barrier(Topology.WORKERS, 1, Cluster.PATIENCE));
      Cluster.inThreads(
          List.of(
              () -> cluster.worker(0).barrier(Topology.WORKERS, 2, Cluster.PATIENCE),
              () -> cluster.worker(1).barrier(Topology.WORKERS, 2, Cluster.PATIENCE)));
      assertFalse(first.isDone());
      cluster.worker(1).barrier(Topology.WORKERS, 1, Cluster.PATIENCE);
      first.get(60, TimeUnit.SECONDS);
      CompletableFuture<byte[]> asked = new CompletableFuture<>();
      SimpleApp unused =
          SimpleApp.openBinary(
              cluster.worker(1),
              3,
              (sender, head, body) -> {
                asked.complete(body);
                return later;
              });
      SimpleApp app = SimpleApp.open(cluster.worker(0), 3, (sender, head, body) -> "");
      byte[] body = {1, -1};
      long request = app.request(1, body, NodeId.worker(1).number(), Cluster.PATIENCE);
      assertArrayEquals(body, asked.get(60, TimeUnit.SECONDS));
      later.complete(body);
      assertArrayEquals(body, app.waitForBytes(request).get(0));
    }
  }

  @Test
  void rangesOfServers_areListed() {
    List<Slicer.Range> ranges = Slicer.ranges(3);
    assertEquals(0, ranges.get(0).first());
    assertEquals(Slicer.LAST_KEY, ranges.get(2).last());
    for (int server = 0; server < 3; server++) {
      assertEquals(server, Slicer.RANGE.server(ranges.get(server).first(), 3));
      assertEquals(server, Slicer.RANGE.server(ranges.get(server).last(), 3));
    }
  }
}
