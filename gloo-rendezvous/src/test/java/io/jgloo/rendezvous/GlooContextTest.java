package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Buffer;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Memory;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Request;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks meet by Gloo's keys, in files that C++ Gloo reads, on each wire and in each mode. */
@Timeout(60)
final class GlooContextTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path directory;

  private interface Task {
    void run(int rank, Store store) throws Exception;
  }

  private void ranks(int size, Task task) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(size);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        int own = rank;
        Callable<Void> body =
            () -> {
              try (Store store = FileStore.inGlooFormat(directory, LONG)) {
                task.run(own, new PrefixStore("job", store));
              }
              return null;
            };
        ends.add(threads.submit(body));
      }
      for (Future<?> end : ends) {
        end.get(50, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Device open(String attributes) {
    DeviceOptions options = DeviceOptions.DEFAULTS;
    for (String attribute : attributes.split(" ")) {
      String[] parts = attribute.split("=");
      options = options.with(parts[0], parts[1]);
    }
    return Devices.open("tcp", options);
  }

  @ParameterizedTest(name = "{0} ranks, {1}")
  @CsvSource({
    "1, wire=gloo bind=127.0.0.1",
    "2, wire=gloo bind=127.0.0.1",
    "5, wire=gloo bind=127.0.0.1",
    "3, wire=gloo bind=::1",
    "3, wire=gloo bind=127.0.0.1 sequence=rank",
    "4, wire=gloo bind=127.0.0.1 connecting=lazy",
    "3, wire=gloo bind=127.0.0.1 sockets=nio connecting=lazy",
    "1, wire=gloo-classic bind=127.0.0.1",
    "2, wire=gloo-classic bind=127.0.0.1",
    "5, wire=gloo-classic bind=127.0.0.1",
    "3, wire=gloo-classic bind=::1",
    "3, wire=gloo-classic bind=127.0.0.1 sockets=nio",
  })
  void ranksMeetAndTalk(int size, String attributes) throws Exception {
    ranks(
        size,
        (rank, store) -> {
          try (Device device = open(attributes);
              Context context = new Context(rank, size)) {
            Mesh mesh = context.connectFullMesh(store, device);
            assertEquals(size, mesh.localSize());
            exchange(mesh, 7);
            exchange(mesh, 7);
            exchange(mesh, 8);
          }
        });
  }

  @ParameterizedTest(name = "{0} ranks, {1}")
  @CsvSource({"3, wire=gloo bind=127.0.0.1", "3, wire=gloo-classic bind=127.0.0.1"})
  void meshesAreMadeOverMeshes(int size, String attributes) throws Exception {
    ranks(
        size,
        (rank, store) -> {
          try (Device device = open(attributes);
              Context context = new Context(rank, size)) {
            Mesh backing = context.connectFullMesh(store, device);
            ContextFactory factory = new ContextFactory(backing, 0);
            try (Mesh first = factory.makeMesh(device, LONG);
                Mesh second = factory.makeMesh(device, LONG)) {
              exchange(first, 1);
              exchange(second, 1);
              exchange(backing, 1);
            }
          }
        });
  }

  /** Each rank tells each other its rank, and hears theirs. */
  static void exchange(Mesh mesh, long slot) {
    CompletionQueue queue = mesh.newQueue();
    ByteBuffer memory =
        ByteBuffer.allocateDirect(4 * (mesh.size() + 1)).order(ByteOrder.nativeOrder());
    memory.putInt(0, mesh.rank());
    Buffer buffer = mesh.newBuffer().wrap(Memory.addressOf(memory), memory.capacity(), memory);
    int open = 0;
    for (int peer = 0; peer < mesh.size(); peer++) {
      if (peer != mesh.rank()) {
        mesh.pair(peer).recv(queue.newRequest().message(slot, buffer, 4 + 4 * peer, 4));
        mesh.pair(peer).send(queue.newRequest().message(slot, buffer, 0, 4));
        open += 2;
      }
    }
    long deadline = mesh.clock().nanoTime() + LONG.toNanos();
    while (open > 0) {
      assertTrue(queue.await(deadline), "messages did not come");
      for (Request done = queue.poll(); done != null; done = queue.poll()) {
        assertEquals(Request.State.DONE, done.state(), String.valueOf(done.failure()));
        open--;
      }
    }
    for (int peer = 0; peer < mesh.size(); peer++) {
      assertEquals(peer == mesh.rank() ? 0 : peer, memory.getInt(4 + 4 * peer));
    }
  }
}
