package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.kv.CallRejectedException;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.Slicer;
import io.jgloo.ps.kv.TensorSlicer;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Which server has a key: ranges, hashes, slicers of users, parts of tensors. */
@Timeout(240)
final class SlicerTest {

  private static final int APP = 7;

  private static Cluster start(
      int servers, int shards, Slicer slicer, IntFunction<RequestHandle<float[]>> handles)
      throws Exception {
    ServerOptions options = ServerOptions.DEFAULTS.withShards(shards).withSlicer(slicer);
    return Cluster.start(
        servers,
        1,
        node -> {
          if (node.role() == Role.SERVER) {
            KvServer.open(node, APP, ValueType.FLOATS, options, handles);
          }
        });
  }

  @Test
  void ps13_keysAtTheEdgesOfRanges_haveAnOwner() throws Exception {
    int servers = 3;
    List<Long> edges = new ArrayList<>(List.of(0L, 1L, Long.MAX_VALUE, Long.MIN_VALUE, -2L, -1L));
    for (int server = 1; server < servers; server++) {
      long first = Slicer.firstKey(server, servers);
      edges.addAll(List.of(first - 1, first, first + 1));
      assertEquals(server - 1, Slicer.RANGE.server(first - 1, servers));
      assertEquals(server, Slicer.RANGE.server(first, servers));
    }
    assertEquals(servers - 1, Slicer.RANGE.server(-1L, servers));
    edges.sort(Long::compareUnsigned);
    long[] keys = edges.stream().distinct().mapToLong(Long::longValue).toArray();
    float[] values = new float[keys.length];
    IntStream.range(0, values.length).forEach(i -> values[i] = i + 1);
    for (Slicer slicer : List.of(Slicer.RANGE, Slicer.HASH, (Slicer) (key, count) -> 1)) {
      try (Cluster cluster = start(servers, 3, slicer, s -> Handles.sum(ValueType.FLOATS, 1))) {
        KvWorker<float[]> worker =
            KvWorker.open(cluster.worker(0), APP, 1, ValueType.FLOATS, slicer);
        worker.push(keys, values);
        float[] out = new float[keys.length];
        worker.waitFor(worker.pull(keys, out));
        assertArrayEquals(values, out);
      }
    }
  }

  @Test
  void slicerThatThrows_leavesNoOpenCall() throws Exception {
    Slicer slicer =
        (key, servers) -> {
          if (key == 13) {
            throw new IllegalStateException("no server has key 13");
          }
          return 0;
        };
    try (Cluster cluster = start(2, 1, slicer, shard -> Handles.sum(ValueType.FLOATS, 1))) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, 1, ValueType.FLOATS, slicer);
      AtomicInteger ended = new AtomicInteger();
      KvCall counted = KvCall.DEFAULTS.withCallback(failure -> ended.incrementAndGet());
      assertThrows(
          IllegalStateException.class,
          () -> worker.push(new long[] {1, 13}, new float[2], counted));
      assertEquals(1, ended.get());
      worker.waitFor(worker.push(new long[] {1}, new float[1], counted));
      assertEquals(2, ended.get());
    }
  }

  @Test
  void slicer_isAskedOnceForAKey_howeverManyServersThereAre() throws Exception {
    int servers = 4;
    AtomicInteger asked = new AtomicInteger();
    Slicer counted =
        (key, count) -> {
          asked.incrementAndGet();
          return Slicer.HASH.server(key, count);
        };
    try (Cluster cluster = start(servers, 1, Slicer.HASH, s -> Handles.sum(ValueType.FLOATS, 1))) {
      KvWorker<float[]> worker =
          KvWorker.open(cluster.worker(0), APP, 1, ValueType.FLOATS, counted);
      long[] keys = Acceptance.keys(1000, 0);
      worker.waitFor(worker.push(keys, new float[keys.length]));
      assertEquals(keys.length, asked.get());
    }
  }

  @Test
  void ranksOutOfRange_areNamed() throws Exception {
    Slicer slicer = (key, servers) -> key == 13 ? servers : 0;
    try (Cluster cluster = start(2, 1, slicer, shard -> Handles.sum(ValueType.FLOATS, 1))) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, 1, ValueType.FLOATS, slicer);
      long[] keys = {1, 13};
      assertNamed("key 13 to server 2", () -> worker.push(keys, new float[2]));
      assertNamed("server must be 0 to 1, is 2", () -> worker.acceptState(2));
      assertNamed("server must be 0 to 1, is -1", () -> worker.filters(-1));
      assertNamed(
          "lens[1] must not be negative, is -3",
          () -> worker.push(keys, new float[2], KvCall.DEFAULTS.withLens(1, -3)));
    }
  }

  private static void assertNamed(String part, Executable call) {
    String text = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(text.contains(part), text);
  }

  @Test
  void partsOfTensors_areSpread_andPulledToArrays() throws Exception {
    TensorSlicer slicer = new TensorSlicer(1000);
    int length = 20_345;
    int[] counts = new int[3];
    for (long key : slicer.parts(5, 0, length).keys()) {
      counts[slicer.server(key, 3)]++;
    }
    assertArrayEquals(new int[] {7, 7, 7}, counts);
    assertThrows(IllegalArgumentException.class, () -> slicer.parts(5, 1500, 10));
    try (Cluster cluster = start(3, 2, slicer, s -> Handles.sum(ValueType.FLOATS, 0))) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, 1, ValueType.FLOATS, slicer);
      float[] values = new float[length];
      IntStream.range(0, length).forEach(i -> values[i] = i);
      for (int tensor = 0; tensor < 3; tensor++) {
        TensorSlicer.Parts parts = slicer.parts(tensor, 0, length);
        worker.push(parts.keys(), values, KvCall.DEFAULTS.withLens(parts.lens()));
      }
      TensorSlicer.Parts all = slicer.parts(1, 0, length);
      float[] out = new float[length];
      worker.waitFor(worker.pull(all.keys(), out, KvCall.DEFAULTS.withLens(all.lens())));
      assertArrayEquals(values, out);
      worker.waitFor(
          worker.pushPull(all.keys(), values, out, KvCall.DEFAULTS.withLens(all.lens())));
      assertEquals(2f * (length - 1), out[length - 1]);
      TensorSlicer.Parts last = slicer.parts(1, 19_000, 1345);
      float[] some = new float[1345];
      worker.waitFor(worker.pull(last.keys(), some, KvCall.DEFAULTS.withLens(last.lens())));
      assertArrayEquals(Arrays.copyOfRange(out, 19_000, length), some);
      long wrong = worker.pull(last.keys(), new float[2], KvCall.DEFAULTS.withLens(1, 1));
      assertThrows(CallRejectedException.class, () -> worker.waitFor(wrong));
      assertThrows(
          IllegalArgumentException.class,
          () -> worker.pull(last.keys(), new float[3], KvCall.DEFAULTS.withLens(1, 1)));
    }
  }
}
