package io.jgloo.bench.ps;

import io.jgloo.bench.Stopwatch;
import io.jgloo.ps.KvServer;
import io.jgloo.ps.KvWorker;
import io.jgloo.ps.PsNode;
import io.jgloo.ps.ServerOptions;
import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.rpc.codec.Block;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/** Times of calls: one key with values of several sizes, many in a row, and 10 million keys. */
final class PsBench {

  private static final int BYTES = 0;
  private static final int NOTHING = 1;
  private static final int SUM = 2;
  private static final int[] SIZES = {4, 64 << 10, 1 << 20, 16 << 20};
  private static final int MANY = 10_000_000;
  private static final int PIPELINED = 200_000;
  private static final int OUTSTANDING = 256;
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final KvCall CALL = KvCall.DEFAULTS.withTimeout(TIMEOUT);

  private PsBench() {}

  /**
   * @param isReplicated whether servers have replicas, which need handles with stores
   */
  static void serve(PsNode node, boolean isReplicated) {
    ServerOptions direct = ServerOptions.DEFAULTS.withShards(0);
    RequestHandle<float[]> nothing = // as the server of ps-lite's benchmark
        (meta, pairs, responder) -> {
          if (meta.isPull()) {
            responder.ok(Block.allocate(4L * pairs.size()), null);
          } else {
            responder.ok();
          }
        };
    KvServer.open(
        node, BYTES, ValueType.BYTES, direct, shard -> Handles.assign(ValueType.BYTES, 0));
    if (!isReplicated) {
      KvServer.open(node, NOTHING, ValueType.FLOATS, direct, shard -> nothing);
    }
    KvServer.open(node, SUM, ValueType.FLOATS, shard -> Handles.sum(ValueType.FLOATS, 1));
  }

  static void work(PsNode node, boolean isReplicated) {
    KvWorker<byte[]> bytes = KvWorker.open(node, BYTES, ValueType.BYTES);
    for (int size : SIZES) {
      ByteBuffer key = ByteBuffer.allocateDirect(8).order(ByteOrder.LITTLE_ENDIAN);
      key.putLong(0, size);
      ByteBuffer value = ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
      int times = Math.max(30, Math.min(20_000, (256 << 20) / size));
      time(node, "push " + size + " B", times, () -> bytes.zPush(key, value, CALL), bytes);
      time(node, "pull " + size + " B", times, () -> bytes.zPull(key, value, CALL), bytes);
    }
    for (int round = 0; round < 3; round++) {
      pipelined(node, bytes);
    }
    if (!isReplicated) {
      many(node, "empty handle", KvWorker.open(node, NOTHING, ValueType.FLOATS));
    }
    many(node, "sum", KvWorker.open(node, SUM, ValueType.FLOATS));
    bytes(node);
  }

  /** How the bytes of all messages have travelled. */
  private static void bytes(PsNode node) {
    Map<String, Long> counts = node.counts();
    long shared = counts.get("bytesInShared") + counts.get("bytesOutShared");
    long all = counts.get("bytesIn") + counts.get("bytesOut");
    print(
        node,
        "%.1f MB through shared memory, %.1f MB through sockets",
        shared / 1e6,
        (all - shared) / 1e6);
  }

  private static void print(PsNode node, String format, Object... figures) {
    System.out.println(node.id() + ": " + String.format(Locale.ROOT, format, figures));
  }

  private static void time(
      PsNode node, String name, int times, LongSupplier call, KvWorker<?> worker) {
    Stopwatch stopwatch = new Stopwatch(Duration.ofMinutes(1));
    Runnable task = () -> worker.waitFor(call.getAsLong());
    stopwatch.time(task, times / 4 + 1, 1); // these are not counted
    stopwatch.time(task, times, 1);
    long[] nanos = stopwatch.nanos();
    print(node, "%s p50 %.1f us, p99 %.1f us", name, nanos[0] / 1e3, nanos[1] / 1e3);
  }

  private static void pipelined(PsNode node, KvWorker<byte[]> worker) {
    long[] key = {1};
    byte[] value = new byte[4];
    ArrayDeque<Long> outstanding = new ArrayDeque<>();
    long begin = System.nanoTime();
    for (int i = 0; i < PIPELINED; i++) {
      outstanding.add(worker.push(key, value, CALL));
      if (outstanding.size() > OUTSTANDING) {
        worker.waitFor(outstanding.poll());
      }
    }
    outstanding.forEach(worker::waitFor);
    double seconds = (System.nanoTime() - begin) / 1e9;
    print(node, "%.0f pushes of 4 B per second", PIPELINED / seconds);
  }

  private static void many(PsNode node, String handle, KvWorker<float[]> worker) {
    ByteBuffer keys = ByteBuffer.allocateDirect(8 * MANY).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer values = ByteBuffer.allocateDirect(4 * MANY).order(ByteOrder.LITTLE_ENDIAN);
    long step = Long.divideUnsigned(-1L, MANY);
    for (int i = 0; i < MANY; i++) {
      keys.putLong(8 * i, step * i);
    }
    for (int round = 0; round < 5; round++) {
      long begin = System.nanoTime();
      worker.waitFor(worker.zPush(keys, values, CALL));
      long pushed = System.nanoTime();
      worker.waitFor(worker.zPull(keys, values, CALL));
      long pulled = System.nanoTime();
      double push = (pushed - begin) / 1e6;
      double pull = (pulled - pushed) / 1e6;
      print(node, "%d keys, %s: push %.0f ms, pull %.0f ms", MANY, handle, push, pull);
    }
  }
}
