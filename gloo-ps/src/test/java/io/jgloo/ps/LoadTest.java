package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.ps.handle.Handles;
import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many systems, long requests, and many requests. Ten minutes of requests: {@code mvn -pl gloo-ps
 * -am test -Dtest=LoadTest -Dsurefire.failIfNoSpecifiedTests=false -Djgloo.ps.soak.seconds=600}.
 */
final class LoadTest {

  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");
  private static final int SOAK = Integer.getInteger("jgloo.ps.soak.seconds", FULL ? 30 : 2);
  private static final int APP = 8;

  @TempDir private Path folder;

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("jgloo"))
        .collect(Collectors.toSet());
  }

  private static long files() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }

  private static void cycle(int servers, int workers) throws Exception {
    try (Cluster cluster =
        Cluster.start(servers, workers, node -> Acceptance.serve(node, node.role(), 1))) {
      cluster.atWorkers(
          node -> {
            KvWorker<float[]> worker = KvWorker.open(node, Acceptance.APP, ValueType.FLOATS);
            worker.waitFor(worker.push(new long[] {5, -5}, new float[2]));
          });
      cluster.finish();
    }
  }

  @Test
  @Timeout(1000)
  void ps01_systemsThatStartAndEnd_leaveNothing() throws Exception {
    boolean countsFiles = Files.isDirectory(Path.of("/proc/self/fd"));
    cycle(1, 1);
    final long memory = Memory.allocatedBytes();
    final Set<Thread> threads = threads();
    final long files = countsFiles ? files() : 0;
    for (int size = 1; size <= (FULL ? 8 : 2); size++) {
      cycle(size, size);
    }
    for (int i = 0; i < (FULL ? 300 : 5); i++) {
      cycle(1, 1);
    }
    assertEquals(memory, Memory.allocatedBytes(), "bytes of memory");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!threads.containsAll(threads()) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(10_000_000); // some end by themselves
    }
    assertTrue(threads.containsAll(threads()), () -> threads() + " are threads, not " + threads);
    if (countsFiles) { // some are the JVM's
      assertTrue(files() <= files + 4, "open files were " + files + " and are " + files());
    }
  }

  /** Makes keys, and writes to the file the first bytes of the values of each. */
  private static ByteBuffer marked(FileChannel channel, int keys, int each) throws IOException {
    ByteBuffer all = ByteBuffer.allocateDirect(8 * keys).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer mark = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    for (long key = 0; key < keys; key++) {
      all.putLong((int) (8 * key), key);
      mark.putLong(0, ~key);
      int written = channel.write(mark.clear(), key * each);
      assertEquals(8, written);
    }
    return all;
  }

  @Test
  @Timeout(300)
  void ps14_longCall_isManyRequests() throws Exception {
    int keys = 1000;
    int each = FULL ? (Integer.MAX_VALUE - 8) / keys : 65_536;
    AtomicInteger requests = new AtomicInteger();
    AtomicLong wrong = new AtomicLong();
    RequestHandle<byte[]> handle =
        (meta, pairs, responder) -> {
          requests.incrementAndGet();
          for (int i = 0; i < pairs.size(); i++) {
            boolean isRight =
                pairs.length(i) == each && Memory.getLong(pairs.valueAddress(i)) == ~pairs.key(i);
            wrong.addAndGet(isRight ? 0 : 1);
          }
          responder.ok();
        };
    Path file = folder.resolve("values"); // with holes; mapped, it is no memory of the JVM
    try (FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        Cluster cluster =
            Cluster.start(
                1,
                1,
                node -> {
                  if (node.role() == Role.SERVER) {
                    KvServer.open(node, APP, ValueType.BYTES, shard -> handle);
                  }
                })) {
      ByteBuffer keysOf = marked(channel, keys, each);
      ByteBuffer values = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) keys * each);
      values.order(ByteOrder.LITTLE_ENDIAN);
      KvWorker<byte[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.BYTES);
      KvCall call = KvCall.DEFAULTS.withTimeout(Duration.ofMinutes(4));
      worker.waitFor(worker.zPush(keysOf, values, call));
      long bytes = (long) keys * (each + 8);
      assertTrue(!FULL || bytes > 1L << 31, bytes + " bytes");
      assertEquals(0, wrong.get(), "wrong values");
      assertTrue(requests.get() >= bytes / (4 << 20), requests + " requests");
    }
  }

  @Test
  @Timeout(1000)
  void ps20_manyRequests_areExact_andMemoryStaysFlat() throws Exception {
    assumeTrue(SOAK > 0, "jgloo.ps.soak.seconds is 0");
    int workers = 2;
    AtomicLong requests = new AtomicLong();
    try (Cluster cluster =
        Cluster.start(
            2,
            workers,
            node -> {
              if (node.role() == Role.SERVER) {
                KvServer.open(
                    node,
                    APP,
                    ValueType.LONGS,
                    ServerOptions.DEFAULTS.withShards(0),
                    shard -> Handles.sum(ValueType.LONGS, 1));
              }
            })) {
      long begin = System.nanoTime();
      long end = begin + TimeUnit.SECONDS.toNanos(SOAK);
      long[] heap = new long[1];
      long[] memory = new long[1];
      cluster.atWorkers(
          TimeUnit.SECONDS.toMillis(SOAK) + 60_000,
          node -> {
            boolean isFirst = node.id().rank() == 0;
            Soak soak = new Soak(node);
            soak.run(begin + (end - begin) / 5);
            node.barrier(Topology.WORKERS, Cluster.PATIENCE);
            if (isFirst) {
              heap[0] = usedHeap();
              memory[0] = Memory.allocatedBytes();
            }
            node.barrier(Topology.WORKERS, Cluster.PATIENCE);
            soak.run(end);
            node.barrier(Topology.WORKERS, Cluster.PATIENCE);
            requests.addAndGet(soak.requests);
          });
      long more = usedHeap() - heap[0];
      System.out.printf(
          "ps soak: %d requests in %d s, %d bytes more on the heap%n", requests.get(), SOAK, more);
      assertTrue(more < 16 << 20, more + " bytes more on the heap");
      assertTrue(Memory.allocatedBytes() - memory[0] < 1 << 20, "memory off the heap");
    }
  }

  private static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Pushes to keys of its own, many at a time, and compares what it pulls. */
  private static final class Soak {
    private static final int KEYS = 5000;
    private static final int OUTSTANDING = 128;

    private final KvWorker<long[]> worker;
    private final SplittableRandom random;
    private final long[] keys;
    private final long[] sums = new long[KEYS];
    long requests;

    Soak(PsNode node) {
      worker = KvWorker.open(node, APP, ValueType.LONGS);
      random = new SplittableRandom(node.id().rank());
      keys = Acceptance.keys(KEYS, node.id().rank());
    }

    void run(long end) {
      ArrayDeque<Long> outstanding = new ArrayDeque<>();
      do {
        for (int i = 0; i < 2000; i++) {
          int key = random.nextInt(KEYS);
          long value = random.nextInt(1000);
          sums[key] += value;
          outstanding.add(worker.push(new long[] {keys[key]}, new long[] {value}));
          if (outstanding.size() > OUTSTANDING) {
            worker.waitFor(outstanding.poll());
          }
        }
        long[] out = new long[KEYS];
        worker.waitFor(worker.pull(keys, out));
        for (int i = 0; i < KEYS; i++) {
          assertEquals(sums[i], out[i], "value of key " + i);
        }
        requests += 2001;
      } while (System.nanoTime() < end);
      outstanding.forEach(worker::waitFor);
    }
  }
}
