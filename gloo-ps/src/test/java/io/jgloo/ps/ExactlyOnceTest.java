package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.kv.CallTimeoutException;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.NodeLostException;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.wire.KvProtocol;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pushes that are repeated: applied once, also by handles that answer later. */
@Timeout(240)
final class ExactlyOnceTest {

  private static final int APP = 6;
  private static final long[] KEY = {1};
  private static final KvCall BRIEF = KvCall.DEFAULTS.withTimeout(Duration.ofMillis(300));

  private static void serve(PsNode node, int shards, IntFunction<RequestHandle<float[]>> handles) {
    if (node.role() == Role.SERVER) {
      ServerOptions options = ServerOptions.DEFAULTS.withShards(shards);
      KvServer.open(node, APP, ValueType.FLOATS, options, handles);
    }
  }

  private static KvWorker<float[]> worker(Cluster cluster, int rank) {
    return KvWorker.open(cluster.worker(rank), APP, ValueType.FLOATS);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void repeatedPushOfASynchronousHandle_joinsTheFirst(int shards) throws Exception {
    try (Cluster cluster =
        Cluster.start(
            1,
            2,
            node ->
                serve(
                    node,
                    shards,
                    s ->
                        Handles.synchronous(
                            ValueType.FLOATS, Handles.sum(ValueType.FLOATS, 1), 2)))) {
      KvWorker<float[]> first = worker(cluster, 0);
      long[] keys = {1, -1};
      var alone = first.push(keys, new float[] {1, 2}, BRIEF);
      assertThrows(CallTimeoutException.class, () -> first.waitFor(alone));
      CompletableFuture<Void> again =
          first.pushAsync(keys, new float[] {1, 2}, KvCall.DEFAULTS.repeating(alone));
      float[] out = new float[2];
      first.waitFor(first.pull(keys, out)); // comes after it
      assertFalse(again.isDone(), "answered although nothing was summed");
      KvWorker<float[]> second = worker(cluster, 1);
      second.waitFor(second.push(keys, new float[] {10, 20}));
      again.get(30, TimeUnit.SECONDS);
      first.waitFor(first.pull(keys, out));
      assertArrayEquals(new float[] {11, 22}, out);
    }
  }

  @Test
  void retryLoop_countsOnce_howeverOftenItRepeats() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger applied = new AtomicInteger();
    RequestHandle<float[]> handle =
        (meta, pairs, responder) -> {
          try {
            go.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          applied.incrementAndGet();
          responder.ok();
        };
    try (Cluster cluster = Cluster.start(1, 1, node -> serve(node, 1, s -> handle))) {
      KvWorker<float[]> worker = worker(cluster, 0);
      var call = worker.push(KEY, new float[1], BRIEF);
      for (int i = 0; i < 3; i++) {
        var failed = call;
        assertThrows(CallTimeoutException.class, () -> worker.waitFor(failed));
        call = worker.push(KEY, new float[1], (i < 2 ? BRIEF : KvCall.DEFAULTS).repeating(failed));
      }
      go.countDown();
      worker.waitFor(call);
      assertEquals(1, applied.get());
    }
  }

  @Test
  void callsThatCannotBeRepeated_areRefused() throws Exception {
    try (Cluster cluster =
        Cluster.start(1, 1, node -> serve(node, 1, s -> Handles.sum(ValueType.FLOATS, 1)))) {
      KvWorker<float[]> worker = worker(cluster, 0);
      var failed = worker.push(KEY, new float[2]);
      assertThrows(ServerErrorException.class, () -> worker.waitFor(failed));
      var good = worker.push(KEY, new float[] {1}, KvCall.DEFAULTS.repeating(failed));
      worker.waitFor(good);
      float[] once = new float[1];
      worker.waitFor(worker.push(KEY, new float[] {1}, KvCall.DEFAULTS.repeating(good)));
      worker.waitFor(worker.pushPull(KEY, new float[] {1}, once, KvCall.DEFAULTS.repeating(good)));
      assertEquals(1, once[0]);
      for (long unknown : new long[] {good + 9, 1L << 40}) {
        IllegalArgumentException refused =
            assertThrows(
                IllegalArgumentException.class,
                () -> worker.push(KEY, new float[1], KvCall.DEFAULTS.repeating(unknown)));
        assertTrue(refused.getMessage().contains("call " + unknown), refused.getMessage());
      }
      long last = 0;
      for (int i = 0; i < 4200; i++) {
        last = worker.push(KEY, new float[1]);
      }
      worker.waitFor(last);
      IllegalArgumentException old =
          assertThrows(
              IllegalArgumentException.class,
              () -> worker.push(KEY, new float[] {1}, KvCall.DEFAULTS.repeating(failed)));
      assertTrue(old.getMessage().contains("4096"), old.getMessage());
      float[] out = new float[1];
      worker.waitFor(worker.pull(KEY, out));
      assertEquals(1, out[0]);
    }
  }

  @Test
  void killedServer_keepsWhatASynchronousHandleHasNotAnswered() throws Exception {
    Consumer<PsNode> serve =
        node ->
            serve(
                node,
                1,
                s -> Handles.synchronous(ValueType.FLOATS, Handles.sum(ValueType.FLOATS, 1), 2));
    try (Cluster cluster = Cluster.start(2, 2, options -> options.withReplicas(1), serve)) {
      KvWorker<float[]> first = worker(cluster, 0);
      KvWorker<float[]> second = worker(cluster, 1);
      for (int round = 1; round <= 2; round++) {
        var alone = first.push(KEY, new float[] {1});
        first.waitFor(first.remove(new long[] {2}, KvCall.DEFAULTS)); // the replica has both
        float[] out = new float[1];
        first.waitFor(first.pull(KEY, out));
        assertEquals(11 * (round - 1), out[0]);
        cluster.replace(0, serve);
        assertThrows(NodeLostException.class, () -> first.waitFor(alone));
        assertTrue(first.node().awaitUp(NodeId.server(0), Cluster.PATIENCE));
        assertTrue(second.node().awaitUp(NodeId.server(0), Cluster.PATIENCE));
        boolean isRepeated = round < 2; // the last one counts all the same
        CompletableFuture<Void> again =
            isRepeated
                ? first.pushAsync(KEY, new float[] {1}, KvCall.DEFAULTS.repeating(alone))
                : CompletableFuture.completedFuture(null);
        second.waitFor(second.push(KEY, new float[] {10}));
        again.get(30, TimeUnit.SECONDS);
        first.waitFor(first.pull(KEY, out));
        assertEquals(11 * round, out[0]);
      }
    }
  }

  @Test
  void headOfARequest_keepsNumbersOf64Bits() {
    long large = 1L << 33;
    KvProtocol.Head head =
        new KvProtocol.Head(
            KvProtocol.PUSH,
            new KvProtocol.Origin(1, 2, 3, large + 1, large + 2, large + 3, large + 4),
            new KvProtocol.Order(1, large + 5, large + 6, large + 7, large + 8),
            new KvProtocol.Content(1, 2, 3, 4, large + 9, large + 10),
            large + 11);
    ByteBuffer out = KvProtocol.allocate(KvProtocol.REQUEST_BYTES);
    head.write(out);
    assertEquals(head, KvProtocol.Head.read(KvProtocol.message(out, List.of())));
  }

  @Test
  void pushThatOneShardRefuses_isExecutedByNone() throws Exception {
    try (Cluster cluster =
        Cluster.start(1, 1, node -> serve(node, 3, s -> Handles.sum(ValueType.FLOATS, 0)))) {
      KvWorker<float[]> worker = worker(cluster, 0);
      long[] keys = {1, 1L << 62, -1};
      worker.waitFor(worker.push(new long[] {-1}, new float[] {7, 7}));
      var refused = worker.push(keys, new float[] {1, 1, 1});
      assertThrows(ServerErrorException.class, () -> worker.waitFor(refused));
      for (int i = 0; i < 2; i++) {
        var again = worker.push(keys, new float[] {1, 1, 1}, KvCall.DEFAULTS.repeating(refused));
        assertThrows(ServerErrorException.class, () -> worker.waitFor(again));
      }
      float[] out =
          worker
              .pullAsync(new long[] {1, 1L << 62}, KvCall.DEFAULTS)
              .get(30, TimeUnit.SECONDS)
              .values();
      assertArrayEquals(new float[0], out);
    }
  }

  @Test
  void keyThatWasPushedWithoutValues_canGetSome() throws Exception {
    try (Cluster cluster =
        Cluster.start(1, 1, node -> serve(node, 1, s -> Handles.sum(ValueType.FLOATS, 0)))) {
      KvWorker<float[]> worker = worker(cluster, 0);
      worker.waitFor(worker.push(KEY, new float[0], KvCall.DEFAULTS.withLens(0)));
      worker.waitFor(worker.push(KEY, new float[] {1, 2}));
      float[] out = new float[2];
      worker.waitFor(worker.pull(KEY, out));
      assertArrayEquals(new float[] {1, 2}, out);
    }
  }
}
