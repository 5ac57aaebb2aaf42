package io.jgloo.ps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ps.handle.RequestMeta;
import io.jgloo.ps.handle.Responder;
import io.jgloo.ps.handle.StatefulHandle;
import io.jgloo.ps.kv.CallTimeoutException;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.server.Shard;
import io.jgloo.ps.store.HashValueStore;
import io.jgloo.ps.store.ValueStore;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Handles that do not end: what waits for them is answered, and snapshots fail. */
@Timeout(240)
final class ShardTest {

  private static final int APP = 4;
  private static final Duration SOON = Duration.ofMillis(200);

  @TempDir private Path folder;

  /** A handle with a store whose requests wait until the test lets them go on. */
  private static final class Slow implements StatefulHandle<float[]> {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch go = new CountDownLatch(1);
    private final HashValueStore store = new HashValueStore(4, 0);

    @Override
    public void handle(RequestMeta meta, KvPairs<float[]> pairs, Responder<float[]> responder) {
      if (meta.command() == 1) {
        begun.countDown();
        boolean interrupted = false;
        while (go.getCount() > 0) {
          try {
            go.await();
          } catch (InterruptedException e) { // as code that goes on
            interrupted = true;
          }
        }
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
      responder.ok();
    }

    @Override
    public ValueStore store() {
      return store;
    }

    @Override
    public void close() {
      store.close();
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void closedShard_dropsWhatWaits_andSaysSo() throws Exception {
    Shard<float[]> shard = new Shard<>("test", (meta, pairs, responder) -> {}, "test-shard", this);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger interruptions = new AtomicInteger();
    shard.run(
        () -> {
          begun.countDown();
          while (go.getCount() > 0) {
            try {
              go.await();
            } catch (InterruptedException e) {
              interruptions.incrementAndGet(); // as code that does not end
            }
          }
        },
        cause -> {});
    begun.await();
    AtomicReference<Throwable> dropped = new AtomicReference<>();
    shard.run(() -> dropped.set(new AssertionError("it ran")), dropped::set);
    shard.close(SOON);
    assertEquals(RejectedExecutionException.class, dropped.get().getClass());
    AtomicReference<Throwable> late = new AtomicReference<>();
    shard.run(() -> late.set(new AssertionError("it ran")), late::set);
    assertEquals(RejectedExecutionException.class, late.get().getClass());
    go.countDown();
  }

  private static Cluster start(Slow slow, AtomicReference<KvServer<float[]>> server)
      throws Exception {
    return Cluster.start(
        1,
        1,
        node -> {
          if (node.role() == Role.SERVER) {
            server.set(KvServer.open(node, APP, ValueType.FLOATS, shard -> slow));
          }
        });
  }

  @Test
  void closedServer_answersWhatWaits_andRefusesTheRest() throws Exception {
    long before = Memory.allocatedBytes();
    Slow slow = new Slow();
    AtomicReference<KvServer<float[]>> server = new AtomicReference<>();
    try (Cluster cluster = start(slow, server)) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      final CompletableFuture<Void> first =
          worker.pushAsync(new long[] {1}, new float[1], KvCall.DEFAULTS.withCommand(1));
      slow.begun.await();
      final long waits = worker.push(new long[] {2}, new float[1]);
      Thread closing = new Thread(server.get()::close, "test-close");
      closing.start();
      closing.interrupt(); // it does not wait for the handle then
      closing.join();
      JGlooException ended = assertThrows(JGlooException.class, () -> worker.waitFor(waits));
      assertTrue(ended.getMessage().contains("closed"), ended.getMessage());
      long late = worker.push(new long[] {2}, new float[1]);
      CallTimeoutException refused =
          assertThrows(CallTimeoutException.class, () -> worker.waitFor(late));
      assertTrue(refused.getMessage().contains("closed"), refused.getMessage());
      slow.go.countDown();
      first.get(30, TimeUnit.SECONDS);
      assertThrows(
          IllegalStateException.class, () -> server.get().snapshot(folder.resolve("snapshot")));
      assertEquals(List.of(), files());
    }
    slow.close();
    assertEquals(before, Memory.allocatedBytes());
  }

  @Test
  void snapshotThatDoesNotEnd_failsByItsDeadline_andLeavesTheFile() throws Exception {
    Path file = folder.resolve("snapshot");
    byte[] old = {1, 2, 3};
    Files.write(file, old);
    Slow slow = new Slow();
    AtomicReference<KvServer<float[]>> server = new AtomicReference<>();
    try (Cluster cluster = start(slow, server)) {
      KvWorker<float[]> worker = KvWorker.open(cluster.worker(0), APP, ValueType.FLOATS);
      long first = worker.push(new long[] {1}, new float[1], KvCall.DEFAULTS.withCommand(1));
      slow.begun.await();
      IOException late = assertThrows(IOException.class, () -> server.get().snapshot(file, SOON));
      assertTrue(late.getMessage().contains("0.2"), late.getMessage());
      assertEquals(List.of("snapshot"), files());
      assertArrayEquals(old, Files.readAllBytes(file));
      slow.go.countDown();
      worker.waitFor(first);
      server.get().snapshot(file);
      assertTrue(Files.size(file) > old.length);
    }
  }
}
