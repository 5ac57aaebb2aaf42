package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.handle.RequestMeta;
import io.jgloo.ps.handle.Responder;
import io.jgloo.ps.handle.StatefulHandle;
import io.jgloo.ps.kv.CallTimeoutException;
import io.jgloo.ps.kv.Halves;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.KvFilter;
import io.jgloo.ps.kv.KvFilters;
import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.KvResult;
import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.kv.Slicer;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.server.KeyCache;
import io.jgloo.ps.server.RequestOrder;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.ps.wire.ValueCodec;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Block;
import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys by digest, values in fewer bytes, pushes of the greatest values. */
@Timeout(240)
final class FilterTest {

  private static final int APP = 6;

  /** Servers of one application in a cluster with one worker. */
  private static <A> Cluster start(
      List<KvServer<A>> servers,
      int count,
      ValueType<A> type,
      ServerOptions options,
      RequestHandle<A> given)
      throws Exception {
    return Cluster.start(
        count,
        1,
        node -> {
          if (node.role() == Role.SERVER) {
            servers.add(
                KvServer.open(
                    node,
                    APP,
                    type,
                    options,
                    shard -> given == null ? Handles.sum(type, 1) : given));
          }
        });
  }

  private static <A> KvWorker<A> worker(Cluster cluster, ValueType<A> type, KvFilters filters) {
    return KvWorker.open(cluster.worker(0), APP, 0, type, Slicer.RANGE, filters);
  }

  @Test
  void halves_areTheNearestOnes() {
    SplittableRandom random = new SplittableRandom(5);
    for (int bits = 0; bits < 0x10000; bits++) {
      float value = Halves.ofHalf((short) bits);
      short again = Halves.half(value);
      assertTrue(Float.isNaN(value) ? (again & 0x7c00) == 0x7c00 : again == (short) bits);
      if (bits < 0x7bff) { // between two neighbours
        float next = Halves.ofHalf((short) (bits + 1));
        float middle = (value + next) / 2;
        int even = bits + (bits & 1);
        assertEquals((short) even, Halves.half(middle), "middle after " + bits);
        assertEquals((short) bits, Halves.half(Math.nextDown(middle)));
        assertEquals((short) (bits + 1), Halves.half(Math.nextUp(middle)));
      }
    }
    assertEquals((short) 0x7c00, Halves.half(65520));
    assertEquals((short) 0x7bff, Halves.half(Math.nextDown(65520f)));
    for (int i = 0; i < 100_000; i++) {
      float value = Float.intBitsToFloat(random.nextInt());
      float brain = Float.intBitsToFloat(ValueCodec.brain(value) << 16);
      if (Float.isNaN(value)) {
        assertTrue(Float.isNaN(brain));
      } else if (Math.abs(value) < 1e38f && Math.abs(value) > 1e-37f) {
        assertTrue(Math.abs(brain - value) <= Math.abs(value) / 256, value + " is " + brain);
      }
    }
  }

  @Test
  void scaledIntegers_keepTheirBound() {
    long before = Memory.allocatedBytes();
    SplittableRandom random = new SplittableRandom(6);
    for (int count : new int[] {1, 255, 256, 257, 1000}) {
      double[] values = random.doubles(count, -3, 3).toArray();
      try (Block exact = Block.allocate(8L * count)) {
        Memory.copy(values, 0, exact.address(), count);
        int code = ValueCodec.code(KvFilter.INT8);
        try (Block encoded = ValueCodec.encode(code, ValueType.DOUBLES, exact.address(), count);
            Block decoded = ValueCodec.decode(code, ValueType.DOUBLES, encoded.address(), count)) {
          assertEquals(count + 4 * ((count + 255) / 256), encoded.length());
          for (int i = 0; i < count; i++) {
            double error = Memory.getDouble(decoded.address() + 8L * i) - values[i];
            assertTrue(Math.abs(error) <= 3.001 / 254, "error " + error);
          }
        }
        Memory.putDouble(exact.address(), Double.NEGATIVE_INFINITY);
        try (Block encoded = ValueCodec.encode(code, ValueType.DOUBLES, exact.address(), count);
            Block decoded = ValueCodec.decode(code, ValueType.DOUBLES, encoded.address(), count)) {
          assertTrue(Double.isNaN(Memory.getDouble(decoded.address())));
        }
      }
    }
    assertEquals(before, Memory.allocatedBytes());
  }

  @Test
  void encodedValues_arriveAsTheyAreRounded() throws Exception {
    long before = Memory.allocatedBytes();
    for (KvFilter encoding : EnumSet.of(KvFilter.FLOAT16, KvFilter.BFLOAT16, KvFilter.INT8)) {
      KvFilters filters = KvFilters.NONE.withPushed(encoding).withPulled(encoding).withKeyCache();
      for (int count : new int[] {1, 40, 50_000}) { // in the message, and as blocks
        try (Cluster cluster =
            start(
                new ArrayList<>(),
                2,
                ValueType.FLOATS,
                ServerOptions.DEFAULTS.withShards(2),
                null)) {
          KvWorker<float[]> worker = worker(cluster, ValueType.FLOATS, filters);
          assertEquals(filters, worker.filters(1));
          long[] keys = Acceptance.keys(count, 0);
          float[] values = new float[count];
          Arrays.fill(values, 127); // exact in all of them
          float[] out = new float[count];
          worker.push(keys, values);
          worker.waitFor(worker.pushPull(keys, values, out));
          Arrays.fill(values, 254);
          assertArrayEquals(values, out, 1);
          KvResult<float[]> result = worker.pullAsync(keys, KvCall.DEFAULTS).get();
          assertArrayEquals(values, result.values(), 1);
        }
      }
    }
    assertEquals(before, Memory.allocatedBytes());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void ps18_keysByDigest_hitMissAndEviction_areExact(int shards) throws Exception {
    long before = Memory.allocatedBytes();
    int lists = 8;
    int rounds = 1500;
    ServerOptions options =
        ServerOptions.DEFAULTS.withShards(shards).withKeyCacheBytes(5 * 8 * 50); // five lists
    List<KvServer<long[]>> servers = new ArrayList<>();
    try (Cluster cluster = start(servers, 1, ValueType.LONGS, options, null)) {
      KvWorker<long[]> worker = worker(cluster, ValueType.LONGS, KvFilters.NONE.withKeyCache());
      SplittableRandom random = new SplittableRandom(7);
      List<CompletableFuture<KvResult<long[]>>> pulls = new ArrayList<>();
      List<long[]> expected = new ArrayList<>();
      long[][] sums = new long[lists][50];
      for (int round = 0; round < rounds; round++) {
        int list = random.nextInt(lists);
        long[] keys = IntStream.range(0, 50).mapToLong(i -> 100L * i + list).toArray();
        long[] values = random.longs(50, 0, 1000).toArray();
        Arrays.setAll(sums[list], i -> sums[list][i] + values[i]);
        KvCall call =
            KvCall.DEFAULTS.withPriority(random.nextBoolean() ? Priority.HIGH : Priority.LOW);
        worker.push(keys, values, call);
        pulls.add(worker.pullAsync(keys, KvCall.DEFAULTS)); // without a wait: in order
        expected.add(sums[list].clone());
      }
      for (int i = 0; i < pulls.size(); i++) {
        assertArrayEquals(expected.get(i), pulls.get(i).get(40, TimeUnit.SECONDS).values());
      }
      KeyCache cache = servers.get(0).keyLists();
      System.out.printf("ps: %d hits, %d misses%n", cache.hits(), cache.misses());
      assertTrue(cache.hits() > rounds / 4, cache.hits() + " hits");
      assertTrue(cache.misses() > rounds / 20, cache.misses() + " misses");
      long[] few = {1, 2, 3};
      worker.waitFor(worker.push(few, new long[3]));
    }
    assertEquals(before, Memory.allocatedBytes());
  }

  @Test
  void requestWithoutItsKeys_holdsTheLaterOnes_untilItComesOrIsGivenUp() {
    for (boolean comes : new boolean[] {true, false}) {
      RequestOrder order = new RequestOrder();
      order.add(head(1), null);
      order.add(head(2), null);
      order.repeat(order.poll().head());
      assertNull(order.poll());
      assertTrue(order.add(head(1), null), "it comes again");
      assertEquals(1, order.poll().head().order().number());
      order.repeat(head(1));
      if (comes) {
        order.add(head(1), null);
        assertEquals(1, order.poll().head().order().number());
      } else {
        order.skip(1, 1);
      }
      assertEquals(2, order.poll().head().order().number());
      assertNull(order.poll());
    }
  }

  @Test
  void callsThatAreGivenUp_doNotHoldLaterOnes() throws Exception {
    ServerOptions options = ServerOptions.DEFAULTS.withKeyCacheBytes(0); // has no list, ever
    try (Cluster cluster = start(new ArrayList<>(), 1, ValueType.LONGS, options, null)) {
      KvWorker<long[]> worker = worker(cluster, ValueType.LONGS, KvFilters.NONE.withKeyCache());
      long[] keys = Acceptance.keys(100, 0);
      long[] ones = LongStream.generate(() -> 1).limit(100).toArray();
      for (int i = 0; i < 50; i++) { // until the code is loaded
        worker.waitFor(worker.push(keys, new long[100]));
      }
      int succeeded = 0;
      int failed = 0;
      List<CompletableFuture<Void>> calls = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        Duration brief = Duration.ofNanos(1_000_000L * (1 + i % 200)); // up to 200 ms
        calls.add(worker.pushAsync(keys, ones, KvCall.DEFAULTS.withTimeout(brief)));
      }
      for (CompletableFuture<Void> call : calls) {
        try {
          call.get(40, TimeUnit.SECONDS);
          succeeded++;
        } catch (ExecutionException e) {
          assertInstanceOf(CallTimeoutException.class, e.getCause());
          failed++;
        }
      }
      long[] out = new long[100];
      worker.waitFor(worker.pull(keys, out));
      System.out.printf("ps: %d calls, %d given up, %d applied%n", 400, failed, out[0]);
      assertTrue(out[0] >= succeeded && out[0] <= 400, out[0] + " of " + succeeded);
      for (long each : out) {
        assertEquals(out[0], each);
      }
    }
  }

  @Test
  void filtersThatAServerDeclines_areNotUsed() throws Exception {
    List<KvServer<float[]>> servers = new ArrayList<>();
    ServerOptions options = ServerOptions.DEFAULTS.withFilters(Set.of(KvFilter.BFLOAT16));
    try (Cluster cluster = start(servers, 2, ValueType.FLOATS, options, null)) {
      KvFilters wanted =
          KvFilters.NONE.withKeyCache().withPushed(KvFilter.INT8).withPulled(KvFilter.BFLOAT16);
      KvWorker<float[]> worker = worker(cluster, ValueType.FLOATS, wanted);
      assertEquals(KvFilters.NONE.withPulled(KvFilter.BFLOAT16), worker.filters(0));
      long[] keys = Acceptance.keys(100, 0);
      float[] values = new float[100];
      IntStream.range(0, 100).forEach(i -> values[i] = i + 0.001f);
      worker.push(keys, values);
      for (int i = 0; i < 3; i++) {
        worker.waitFor(worker.push(keys, new float[100]));
      }
      float[] out = new float[100];
      worker.waitFor(worker.pull(keys, out));
      assertArrayEquals(values, out, 0.25f);
      assertEquals(0, servers.get(0).keyLists().hits());
    }
    try (Cluster cluster =
        start(new ArrayList<>(), 1, ValueType.INTS, ServerOptions.DEFAULTS, null)) {
      KvFilters floating = KvFilters.NONE.withPushed(KvFilter.FLOAT16);
      assertThrows(IllegalArgumentException.class, () -> worker(cluster, ValueType.INTS, floating));
      assertEquals(
          KvFilters.NONE.withKeyCache(),
          worker(cluster, ValueType.INTS, KvFilters.NONE.withKeyCache()).filters(0));
    }
    assertThrows(
        IllegalArgumentException.class, () -> KvFilters.NONE.withPushed(KvFilter.KEY_CACHE));
  }

  @Test
  void pushesOfTheGreatestValues_addUpToAll() throws Exception {
    long before = Memory.allocatedBytes();
    AtomicInteger most = new AtomicInteger();
    StatefulHandle<double[]> sum = Handles.sum(ValueType.DOUBLES, 2);
    RequestHandle<double[]> handle =
        new RequestHandle<>() {
          @Override
          public void handle(
              RequestMeta meta, KvPairs<double[]> pairs, Responder<double[]> responder) {
            if (meta.isPush()) {
              most.accumulateAndGet(pairs.size(), Math::max);
            }
            sum.handle(meta, pairs, responder);
          }

          @Override
          public void close() {
            sum.close();
          }
        };
    ServerOptions options = ServerOptions.DEFAULTS;
    try (Cluster cluster = start(new ArrayList<>(), 1, ValueType.DOUBLES, options, handle)) {
      KvWorker<double[]> worker = worker(cluster, ValueType.DOUBLES, KvFilters.NONE);
      TopKeys<double[]> top = new TopKeys<>(worker, 0.25);
      assertThrows(IllegalArgumentException.class, () -> new TopKeys<>(worker, 0));
      long[] keys = Acceptance.keys(100, 0);
      double[] values = new double[200];
      Arrays.setAll(values, i -> i % 7 - 3);
      for (int round = 0; round < 40; round++) {
        worker.waitFor(top.push(keys, values, KvCall.DEFAULTS));
      }
      for (int round = 0; round < 8; round++) { // what is kept
        top.pushAsync(keys, new double[200], KvCall.DEFAULTS).get(40, TimeUnit.SECONDS);
      }
      double[] out = new double[200];
      worker.waitFor(worker.pull(keys, out));
      Arrays.setAll(values, i -> 40 * values[i]);
      assertArrayEquals(values, out);
      assertEquals(25, most.get());
      assertThrows(
          IllegalArgumentException.class,
          () -> top.push(keys, values, KvCall.DEFAULTS.repeating(0)));
    }
    assertEquals(before, Memory.allocatedBytes());
  }

  @Test
  void repeatedPushOfTheGreatestValues_sendsTheSameOnes() throws Exception {
    long[] keys = {1, 2};
    AtomicBoolean isRefused = new AtomicBoolean(true);
    StatefulHandle<float[]> sum = Handles.sum(ValueType.FLOATS, 1);
    RequestHandle<float[]> handle =
        (meta, pairs, responder) -> {
          if (meta.isPush() && isRefused.getAndSet(false)) {
            responder.error(1, "not yet");
          } else {
            sum.handle(meta, pairs, responder);
          }
        };
    try (sum;
        Cluster cluster =
            start(new ArrayList<>(), 1, ValueType.FLOATS, ServerOptions.DEFAULTS, handle)) {
      KvWorker<float[]> worker = worker(cluster, ValueType.FLOATS, KvFilters.NONE);
      TopKeys<float[]> top = new TopKeys<>(worker, 0.5);
      long refused = top.push(keys, new float[] {3, 2}, KvCall.DEFAULTS);
      assertThrows(ServerErrorException.class, () -> worker.waitFor(refused));
      float[] out = new float[2];
      worker.waitFor(top.push(keys, new float[] {3, 2}, KvCall.DEFAULTS.repeating(refused)));
      worker.waitFor(worker.pull(keys, out));
      assertArrayEquals(new float[] {3, 0}, out);
      worker.waitFor(top.push(keys, new float[2], KvCall.DEFAULTS)); // what is kept
      worker.waitFor(worker.pull(keys, out));
      assertArrayEquals(new float[] {3, 2}, out);
    }
  }

  @Test
  void roundedPart_isSentLater() throws Exception {
    long before = Memory.allocatedBytes();
    long[] keys = {1, 2};
    double sent = 0;
    try (Cluster cluster =
        start(new ArrayList<>(), 1, ValueType.FLOATS, ServerOptions.DEFAULTS, null)) {
      TopKeys<float[]> top = new TopKeys<>(worker(cluster, ValueType.FLOATS, KvFilters.NONE), 0.5);
      for (int round = 0; round < 20; round++) {
        float[] values = round < 14 ? new float[] {10, 0.1f} : new float[2];
        TopKeys.Selection<float[]> selection = top.select(keys, values, null);
        assertEquals(1, selection.keys().length);
        sent += selection.keys()[0] == 2 ? selection.values()[0] : 0;
      }
    }
    assertEquals(14.0 * 0.1f, sent, 1e-12);
    assertEquals(before, Memory.allocatedBytes());
  }

  private static KvProtocol.Head head(long number) {
    return new KvProtocol.Head(
        KvProtocol.PUSH,
        new KvProtocol.Origin(APP, 0, 0, 0, 0, 0, 0),
        new KvProtocol.Order(1, number, 0, 0, 0),
        new KvProtocol.Content(0, 0, 0, 1, 1, 0),
        1);
  }
}
