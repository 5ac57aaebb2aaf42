package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.file.FileStore;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Request;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
final class CppGlooContextTest {
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
    for (String attribute : attributes.split(" ", -1)) {
      String[] parts = attribute.split("=", -1);
      options = options.with(parts[0], parts[1]);
    }
    return Devices.open("tcp", options);
  }

  @ParameterizedTest(name = "{0} ranks, {1}")
  @CsvSource({
    "1, wire=gloo bind=127.0.0.1",
    "5, wire=gloo bind=127.0.0.1",
    "3, wire=gloo bind=::1 connecting=lazy",
    "3, wire=gloo bind=127.0.0.1 sockets=nio connecting=lazy",
    "1, wire=gloo-classic bind=127.0.0.1",
    "5, wire=gloo-classic bind=127.0.0.1",
    "3, wire=gloo-classic bind=::1 sockets=nio",
  })
  void ranksWithGlooKeys_exchangeMessages(int size, String attributes) throws Exception {
    ranks(
        size,
        (rank, store) -> {
          try (Device device = open(attributes);
              Context context = new Context(rank, size)) {
            Mesh mesh = context.connectFullMesh(store, device);
            assertEquals(size, mesh.hosts().size());
            exchange(mesh);
          }
        });
  }

  @ParameterizedTest(name = "{0} ranks, {1}")
  @CsvSource({"3, wire=gloo bind=127.0.0.1", "3, wire=gloo-classic bind=127.0.0.1"})
  void factory_makesMeshesOverAMesh(int size, String attributes) throws Exception {
    ranks(
        size,
        (rank, store) -> {
          try (Device device = open(attributes);
              Context context = new Context(rank, size)) {
            Mesh backing = context.connectFullMesh(store, device);
            ContextFactory factory = new ContextFactory(backing, 0);
            try (Mesh first = factory.makeMesh(device, LONG);
                Mesh second = factory.makeMesh(device, LONG)) {
              exchange(first);
              exchange(second);
              exchange(backing);
            }
          }
        });
  }

  /** Every rank sends its number to every other one, twice: with a slot, and to any receiver. */
  private static void exchange(Mesh mesh) {
    CompletionQueue queue = mesh.newQueue();
    BitSet others = new BitSet();
    others.set(0, mesh.membership().size());
    others.clear(mesh.membership().rank());
    ByteBuffer memory = ByteBuffer.allocateDirect(8 * (mesh.membership().size() + 1));
    Buffer buffer = mesh.newBuffer().wrap(Memory.addressOf(memory), memory.capacity(), memory);
    memory.putInt(8 * mesh.membership().size(), mesh.membership().rank());
    Set<Request> open = new HashSet<>();
    for (int peer : others.stream().toArray()) {
      for (int slot : new int[] {7, 10}) {
        Request send = queue.newRequest().message(slot, buffer, 8L * mesh.membership().size(), 4);
        open.add(send);
        mesh.pair(peer).send(send);
      }
      Request recv = queue.newRequest().message(7, buffer, 8L * peer, 4);
      open.add(recv);
      mesh.pair(peer).recv(recv);
    }
    int[] peers = others.stream().toArray();
    for (int i = 0; i < peers.length; i++) {
      Request any = queue.newRequest().message(10, buffer, 8L * peers[i] + 4, 4);
      open.add(any);
      mesh.recvAny(any, others);
    }
    long deadline = mesh.clock().nanoTime() + LONG.toNanos();
    while (!open.isEmpty()) {
      assertTrue(queue.await(deadline), "messages are missing");
      for (Request done = queue.poll(); done != null; done = queue.poll()) {
        assertEquals(Request.State.DONE, done.state(), String.valueOf(done.failure()));
        open.remove(done);
      }
    }
    BitSet heard = new BitSet();
    for (int peer : peers) {
      assertEquals(peer, memory.getInt(8 * peer));
      heard.set(memory.getInt(8 * peer + 4));
    }
    assertEquals(others, heard);
  }
}
