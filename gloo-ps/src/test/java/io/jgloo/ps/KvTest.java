package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.handle.Responder;
import io.jgloo.ps.kv.CallRejectedException;
import io.jgloo.ps.kv.CallTimeoutException;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.KvResult;
import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.kv.Slicer;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.store.DenseValueStore;
import io.jgloo.rendezvous.LogRecords;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.transport.memory.Memory;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pushes and pulls: types, slices, lengths, order, errors, bounds. */
@Timeout(200)
final class KvTest {

  private static final int APP = 3;

  private static <A> Cluster start(
      int servers,
      int workers,
      int shards,
      ValueType<A> type,
      IntFunction<RequestHandle<A>> handles)
      throws Exception {
    return Cluster.start(
        servers,
        workers,
        node -> {
          if (node.role() == Role.SERVER) {
            KvServer.open(node, APP, type, ServerOptions.DEFAULTS.withShards(shards), handles);
          }
        });
  }

  private static <A> KvWorker<A> worker(Cluster cluster, int rank, ValueType<A> type) {
    return KvWorker.open(cluster.worker(rank), APP, type);
  }

  @Test
  void eachTypeOfValues_isAddedUp() throws Exception {
    long[] keys = {1, 2, Long.MIN_VALUE, -1};
    try (Cluster cluster =
        start(2, 1, 2, ValueType.DOUBLES, shard -> Handles.sum(ValueType.DOUBLES, 1))) {
      KvWorker<double[]> worker = worker(cluster, 0, ValueType.DOUBLES);
      double[] out = new double[4];
      worker.push(keys, new double[] {1, 2, 3, 4});
      worker.waitFor(worker.pushPull(keys, new double[] {1, 2, 3, 4}, out));
      assertArrayEquals(new double[] {2, 4, 6, 8}, out);
      assertThrows(IllegalStateException.class, () -> worker(cluster, 0, ValueType.INTS));
      KvWorker<int[]> wrong =
          KvWorker.open(cluster.worker(0), APP, 1, ValueType.INTS, Slicer.RANGE);
      long call = wrong.push(keys, new int[4]);
      assertEquals(
          Responder.WRONG_TYPE,
          assertThrows(ServerErrorException.class, () -> wrong.waitFor(call)).code());
    }
    try (Cluster cluster = start(1, 1, 0, ValueType.INTS, s -> Handles.sum(ValueType.INTS, 2))) {
      KvWorker<int[]> worker = worker(cluster, 0, ValueType.INTS);
      int[] out = new int[8];
      worker.waitFor(worker.pushPull(keys, new int[] {1, 2, 3, 4, 5, 6, 7, 8}, out));
      assertArrayEquals(new int[] {1, 2, 3, 4, 5, 6, 7, 8}, out);
    }
    try (Cluster cluster = start(1, 1, 1, ValueType.LONGS, s -> Handles.max(ValueType.LONGS, 1))) {
      KvWorker<long[]> worker = worker(cluster, 0, ValueType.LONGS);
      long[] out = new long[4];
      worker.push(keys, new long[] {5, -5, 1L << 40, 0});
      worker.waitFor(worker.pushPull(keys, new long[] {4, 4, 4, 4}, out));
      assertArrayEquals(new long[] {5, 4, 1L << 40, 4}, out);
    }
    try (Cluster cluster =
        start(1, 1, 1, ValueType.BYTES, s -> Handles.assign(ValueType.BYTES, 3))) {
      KvWorker<byte[]> worker = worker(cluster, 0, ValueType.BYTES);
      byte[] out = new byte[3];
      worker.push(new long[] {7}, new byte[] {1, 2, 3});
      worker.waitFor(worker.pull(new long[] {7}, out));
      assertArrayEquals(new byte[] {1, 2, 3}, out);
    }
  }

  @ParameterizedTest
  @CsvSource({"auto, true", "off, false"})
  void bytesOfCalls_goThroughSharedMemory_unlessItIsOff(String memory, boolean isShared)
      throws Exception {
    long[] keys = Acceptance.keys(200_000, 0);
    float[] values = new float[keys.length];
    long payload = keys.length * (long) (Long.BYTES + Float.BYTES);
    try (Cluster cluster =
        Cluster.start(
            1,
            1,
            options -> {
              MessengerOptions messages = options.messenger();
              return options.withMessenger(
                  messages.toBuilder()
                      .device("tcp", messages.deviceOptions().with("memory", memory))
                      .build());
            },
            node -> Acceptance.serve(node, node.role(), 1))) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), Acceptance.APP, ValueType.FLOATS);
      worker.waitFor(worker.pushPull(keys, values, values));
      Map<String, Long> sent = cluster.worker(0).messenger().counts();
      Map<String, Long> received = cluster.server(0).messenger().counts();
      long out = sent.get("bytesOut");
      long in = received.get("bytesIn");
      assertTrue(out >= payload && in >= payload, out + " out, " + in + " in");
      if (isShared) {
        assertEquals(out, sent.get("bytesOutShared"));
        assertEquals(in, received.get("bytesInShared"));
      } else {
        assertEquals(0, sent.get("bytesOutShared") + sent.get("bytesInShared"));
        assertEquals(0, received.get("bytesOutShared") + received.get("bytesInShared"));
      }
    }
  }

  @Test
  void malformedCalls_areRefused_andAnEmptyOneEndsAtOnce() throws Exception {
    try (Cluster cluster =
        start(2, 1, 1, ValueType.FLOATS, s -> Handles.sum(ValueType.FLOATS, 1))) {
      KvWorker<float[]> worker = worker(cluster, 0, ValueType.FLOATS);
      IllegalArgumentException unsorted =
          assertThrows(
              IllegalArgumentException.class,
              () -> worker.push(new long[] {1, -1, 5}, new float[3]));
      assertTrue(unsorted.getMessage().contains("5 after 18446744073709551615"));
      assertThrows(
          IllegalArgumentException.class, () -> worker.push(new long[] {4, 4}, new float[2]));
      assertThrows(
          IllegalArgumentException.class, () -> worker.push(new long[] {4, 5}, new float[3]));
      assertThrows(
          IllegalArgumentException.class, () -> worker.pull(new long[] {4, 5}, new float[3]));
      assertThrows(IllegalArgumentException.class, () -> worker.waitFor(0x7fffffff));
      AtomicInteger callbacks = new AtomicInteger();
      KvCall call = KvCall.DEFAULTS.withCallback(failure -> callbacks.incrementAndGet());
      worker.waitFor(worker.push(new long[0], new float[0], call));
      worker.waitFor(worker.pull(new long[0], new float[0], call));
      assertEquals(2, callbacks.get());
    }
  }

  @Test
  @Timeout(60)
  void anErrorOfUserCode_isNotThatOfTheCall() throws Exception {
    try (Cluster cluster =
        start(1, 1, 1, ValueType.FLOATS, shard -> Handles.sum(ValueType.FLOATS, 1))) {
      KvWorker<float[]> worker = worker(cluster, 0, ValueType.FLOATS);
      KvCall failing =
          KvCall.DEFAULTS.withCallback(
              failure -> {
                throw new AssertionError("a mistake of the callback");
              });
      float[] out = new float[2];
      worker.waitFor(worker.push(new long[] {4, 5}, new float[] {1, 2}, failing));
      worker.waitFor(worker.pull(new long[] {4, 5}, out, failing));
      assertArrayEquals(new float[] {1, 2}, out);
    }
  }

  @Test
  void lensThatDiffer_arePushedAndPulled() throws Exception {
    long before = Memory.allocatedBytes();
    for (Slicer slicer : List.of(Slicer.RANGE, Slicer.HASH)) {
      try (Cluster cluster =
          Cluster.start(
              3,
              1,
              node -> {
                if (node.role() == Role.SERVER) {
                  ServerOptions options = ServerOptions.DEFAULTS.withShards(2).withSlicer(slicer);
                  KvServer.open(
                      node, APP, ValueType.FLOATS, options, s -> Handles.sum(ValueType.FLOATS, 0));
                }
              })) {
        KvWorker<float[]> worker =
            KvWorker.open(cluster.worker(0), APP, 1, ValueType.FLOATS, slicer);
        int count = 3000;
        long[] keys = Acceptance.keys(count, 0);
        int[] lens = IntStream.range(0, count).map(i -> i % 7).toArray();
        float[] values = new float[IntStream.of(lens).sum()];
        IntStream.range(0, values.length).forEach(i -> values[i] = i);
        worker.push(keys, values, KvCall.DEFAULTS.withLens(lens));
        KvResult<float[]> result = worker.pullAsync(keys, KvCall.DEFAULTS).get();
        assertArrayEquals(lens, result.lens());
        assertArrayEquals(values, result.values());
        float[] out = new float[values.length];
        worker.waitFor(worker.pull(keys, out, KvCall.DEFAULTS.withLens(lens)));
        assertArrayEquals(values, out);
        long other = worker.push(new long[] {keys[3]}, new float[2]);
        assertEquals(
            Responder.WRONG_LENGTH,
            assertThrows(ServerErrorException.class, () -> worker.waitFor(other)).code());
      }
    }
    assertEquals(before, Memory.allocatedBytes());
  }

  @Test
  void pullToAResult_makesOneArrayOfTheValues() throws Exception {
    int each = 64;
    try (Cluster cluster =
        start(1, 1, 1, ValueType.FLOATS, s -> Handles.sum(ValueType.FLOATS, each))) {
      KvWorker<float[]> worker = worker(cluster, 0, ValueType.FLOATS);
      long[] keys = LongStream.range(0, 100_000).toArray();
      long before = allocatedOnTheHeap();
      float[] values = worker.pullAsync(keys, KvCall.DEFAULTS).get(60, TimeUnit.SECONDS).values();
      long more = allocatedOnTheHeap() - before;
      long bytes = (long) Float.BYTES * values.length;
      assertEquals(keys.length * each, values.length);
      System.out.println("ps: a pull of " + bytes + " bytes allocates " + more);
      assertTrue(more < bytes * 3 / 2, more + " bytes were allocated for " + bytes);
    }
  }

  /** Bytes that the threads which are there have allocated. */
  private static long allocatedOnTheHeap() {
    var threads = ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class);
    return LongStream.of(threads.getThreadAllocatedBytes(threads.getAllThreadIds())).sum();
  }

  @Test
  void callsWithoutCopy_giveTheSameValues() throws Exception {
    int count = 40_000;
    try (Cluster cluster =
        start(2, 1, 1, ValueType.FLOATS, s -> Handles.sum(ValueType.FLOATS, 2))) {
      KvWorker<float[]> worker = worker(cluster, 0, ValueType.FLOATS);
      ByteBuffer keys = ByteBuffer.allocateDirect(8 * count).order(ByteOrder.LITTLE_ENDIAN);
      ByteBuffer values = ByteBuffer.allocateDirect(8 * count).order(ByteOrder.LITTLE_ENDIAN);
      ByteBuffer outs = ByteBuffer.allocateDirect(8 * count).order(ByteOrder.LITTLE_ENDIAN);
      keys.asLongBuffer().put(Acceptance.keys(count, 0));
      for (int i = 0; i < 2 * count; i++) {
        values.putFloat(4 * i, i);
      }
      worker.waitFor(worker.zPush(keys, values, KvCall.DEFAULTS));
      worker.waitFor(worker.zPushPull(keys, values, outs, KvCall.DEFAULTS));
      for (int i = 0; i < 2 * count; i++) {
        assertEquals(2f * i, outs.getFloat(4 * i));
      }
      worker.waitFor(worker.zPull(keys, values, KvCall.DEFAULTS));
      assertEquals(outs, values);
      assertThrows(
          IllegalArgumentException.class,
          () -> worker.zPush(ByteBuffer.allocate(8), values, KvCall.DEFAULTS));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void ps05_pullAfterPush_seesIt_whateverTheLengths(int shards) throws Exception {
    int times = Boolean.getBoolean("jgloo.test.full") ? 20_000 : 1000;
    try (Cluster cluster =
        start(1, 1, shards, ValueType.LONGS, s -> Handles.assign(ValueType.LONGS, 1))) {
      KvWorker<long[]> worker = worker(cluster, 0, ValueType.LONGS);
      long[] few = {5};
      long[] many = LongStream.range(0, 10_000).toArray(); // goes as blocks, which short ones pass
      long[] out = new long[1];
      for (int i = 1; i <= times; i++) {
        boolean isLong = i % 50 == 0;
        long[] values = new long[isLong ? many.length : 1];
        Arrays.fill(values, i);
        worker.push(isLong ? many : few, values);
        worker.waitFor(worker.pull(few, out));
        assertEquals(i, out[0]);
      }
    }
  }

  @Test
  void ps06_priorities_neverOvertakeACallOnTheSameKeys() throws Exception {
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch go = new CountDownLatch(1);
    RequestHandle<int[]> handle =
        (meta, pairs, responder) -> {
          if (meta.command() == 0) {
            try {
              go.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
          order.add(meta.command());
          responder.ok();
        };
    try (Cluster cluster = start(1, 1, 1, ValueType.INTS, s -> handle)) {
      KvWorker<int[]> worker = worker(cluster, 0, ValueType.INTS);
      int large = 500_000;
      List<Long> calls = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        KvCall low = KvCall.DEFAULTS.withCommand(i).withPriority(Priority.LOW);
        calls.add(worker.push(LongStream.range(0, large).toArray(), new int[large], low));
      }
      KvCall high = KvCall.DEFAULTS.withPriority(Priority.HIGH);
      calls.add(worker.push(new long[] {7}, new int[1], high.withCommand(4)));
      calls.add(worker.push(new long[] {8}, new int[1], high.withCommand(5)));
      go.countDown();
      calls.forEach(worker::waitFor);
      List<Integer> firsts = order.stream().distinct().toList();
      assertEquals(List.of(0, 1, 2, 3, 4, 5), firsts);
    }
  }

  @Test
  void ps15_slowServer_boundsTheMemoryOfTheWorker() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    RequestHandle<byte[]> handle =
        (meta, pairs, responder) -> {
          try {
            go.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          responder.ok();
        };
    long window = 1 << 20;
    try (Cluster cluster =
        Cluster.start(
            1,
            1,
            options -> options.withWindowBytes(window),
            node -> {
              if (node.role() == Role.SERVER) {
                KvServer.open(node, APP, ValueType.BYTES, shard -> handle);
              }
            })) {
      KvWorker<byte[]> worker = worker(cluster, 0, ValueType.BYTES);
      long before = Memory.allocatedBytes();
      byte[] values = new byte[100_000];
      KvCall brief = KvCall.DEFAULTS.withTimeout(Duration.ofMillis(300));
      for (int i = 0; i < 10; i++) {
        worker.push(new long[] {i}, values);
      }
      long late = worker.push(new long[] {10}, values, brief);
      CallTimeoutException full =
          assertThrows(CallTimeoutException.class, () -> worker.waitFor(late));
      assertTrue(full.getMessage().contains("no room"), full.getMessage());
      long held = Memory.allocatedBytes() - before;
      assertTrue(held < 3 * window, held + " bytes are held"); // at both ends
      go.countDown();
      worker.waitFor(worker.push(new long[] {11}, values));
    }
  }

  @Test
  void ps16_handlesThatThrowOrDoNotAnswer_areErrors() throws Exception {
    RequestHandle<int[]> handle =
        (meta, pairs, responder) -> {
          switch (meta.command()) {
            case 1 -> throw new IllegalStateException("broken");
            case 2 -> responder.error(42, "not today");
            case 3 -> assertEquals(1, pairs.size()); // does not answer
            default -> responder.ok();
          }
        };
    try (Cluster cluster = start(1, 1, 1, ValueType.INTS, s -> handle);
        LogRecords log = new LogRecords(Class.forName("io.jgloo.ps.server.ShardResponder"))) {
      KvWorker<int[]> worker = worker(cluster, 0, ValueType.INTS);
      long[] keys = {1};
      long throwing = worker.push(keys, new int[1], KvCall.DEFAULTS.withCommand(1));
      ServerErrorException thrown =
          assertThrows(ServerErrorException.class, () -> worker.waitFor(throwing));
      assertEquals(Responder.HANDLE_FAILED, thrown.code());
      assertTrue(thrown.getMessage().contains("broken"), thrown.getMessage());
      assertEquals(
          List.of("the handle of application " + APP + ", shard 0 failed"), log.warnings());
      long error = worker.push(keys, new int[1], KvCall.DEFAULTS.withCommand(2));
      ServerErrorException own =
          assertThrows(ServerErrorException.class, () -> worker.waitFor(error));
      assertEquals(42, own.code());
      assertEquals(NodeId.server(0), own.server());
      KvCall brief = KvCall.DEFAULTS.withCommand(3).withTimeout(Duration.ofMillis(200));
      long silent = worker.push(keys, new int[1], brief);
      assertThrows(CallTimeoutException.class, () -> worker.waitFor(silent));
      worker.waitFor(worker.push(keys, new int[1]));
    }
    try (Cluster cluster = Cluster.start(1, 1, node -> {})) {
      KvWorker<int[]> worker = worker(cluster, 0, ValueType.INTS);
      long unknown = worker.push(new long[] {1}, new int[1]);
      Exception failure = assertThrows(CallRejectedException.class, () -> worker.waitFor(unknown));
      assertTrue(failure.getMessage().contains("not registered"), failure.getMessage());
    }
  }

  @Test
  void ps17_manyThreadsOfOneWorker_andTwoCustomers() throws Exception {
    int threads = 64;
    int times = 30;
    try (Cluster cluster = start(2, 1, 2, ValueType.LONGS, s -> Handles.sum(ValueType.LONGS, 1))) {
      KvWorker<long[]> one = worker(cluster, 0, ValueType.LONGS);
      KvWorker<long[]> other =
          KvWorker.open(cluster.worker(0), APP, 1, ValueType.LONGS, Slicer.RANGE);
      long[] keys = Acceptance.keys(100, 0);
      List<Cluster.Task> tasks = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        KvWorker<long[]> worker = i % 2 == 0 ? one : other;
        tasks.add(
            () -> {
              for (int j = 0; j < times; j++) {
                long[] values = new long[keys.length];
                Arrays.fill(values, 1);
                worker.waitFor(worker.push(keys, values));
              }
            });
      }
      Cluster.inThreads(tasks);
      long[] out = new long[keys.length];
      one.waitFor(one.pull(keys, out));
      assertArrayEquals(
          LongStream.generate(() -> (long) threads * times).limit(100).toArray(), out);
    }
  }

  @Test
  void denseStore_holdsItsRangeOnly() throws Exception {
    try (Cluster cluster =
        start(
            1,
            1,
            1,
            ValueType.FLOATS,
            s -> Handles.sum(ValueType.FLOATS, 1, new DenseValueStore(100, 50, 4)))) {
      KvWorker<float[]> worker = worker(cluster, 0, ValueType.FLOATS);
      float[] out = new float[2];
      worker.push(new long[] {100, 149}, new float[] {1, 2});
      worker.waitFor(worker.pull(new long[] {100, 149}, out));
      assertArrayEquals(new float[] {1, 2}, out);
      long outside = worker.push(new long[] {100, 150}, new float[2]);
      assertThrows(ServerErrorException.class, () -> worker.waitFor(outside));
    }
  }
}
