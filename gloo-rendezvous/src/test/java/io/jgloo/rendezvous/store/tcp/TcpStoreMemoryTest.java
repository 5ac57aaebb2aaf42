package io.jgloo.rendezvous.store.tcp;

import static io.jgloo.rendezvous.store.tcp.RawStoreClient.field;
import static io.jgloo.rendezvous.store.tcp.RawStoreClient.u64;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.jgloo.rendezvous.ChildJvm;
import io.jgloo.rendezvous.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server in a JVM with a heap of 128 MiB keeps serving while clients ask for far more than that
 * and read none of it.
 */
@Timeout(value = 110, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TcpStoreMemoryTest {
  private static final int MIB = 1 << 20;

  private final List<RawStoreClient> open = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private ChildJvm child;
  private int port;

  /** The child: a server that stores, receives and owes at most 16 MiB each. */
  static final class Server {
    private Server() {}

    public static void main(String[] unusedArguments) throws IOException {
      TcpStoreLimits limits =
          TcpStoreLimits.DEFAULT
              .withMemory(16 * MIB, 16 * MIB, 16 * MIB)
              .withTimeouts(Duration.ofHours(1), Duration.ofHours(1));
      InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      StoreServer server = StoreServer.start(any, limits);
      System.out.println(server.port());
      int unused = System.in.read();
    }
  }

  @BeforeEach
  void start() throws IOException {
    child = ChildJvm.start(Server.class);
    String line = child.line();
    assertNotNull(line);
    port = Integer.parseInt(line);
  }

  @AfterEach
  void stop() throws IOException {
    for (RawStoreClient client : open) {
      client.close();
    }
    child.close();
    threads.shutdownNow();
  }

  private RawStoreClient client() throws IOException {
    RawStoreClient client = RawStoreClient.validated(port);
    open.add(client);
    return client;
  }

  private static void set(RawStoreClient client, String key, int bytes) throws IOException {
    client.send("01" + field(key) + u64(bytes));
    client.send(new byte[bytes]);
    client.send("0d 11111111");
    client.expect("11111111");
  }

  private static String multiGet(int keys) {
    StringBuilder request = new StringBuilder("0a" + u64(keys));
    for (int i = 0; i < keys; i++) {
      request.append(field("/" + i));
    }
    return request.toString();
  }

  /** Each reply holds values that are replaced afterwards: 60 times 8 MiB if all were held. */
  @Test
  void repliesThatAreNotRead_areBoundedInAll() throws IOException {
    RawStoreClient writer = client();
    RawStoreClient first = null;
    for (int i = 0; i < 60; i++) {
      for (int key = 0; key < 8; key++) {
        set(writer, "/" + key, MIB);
      }
      RawStoreClient reader = client();
      first = first == null ? reader : first;
      reader.send("0d 22222222" + multiGet(8));
      reader.expect("22222222");
    }
    for (int i = 0; i < 20; i++) {
      set(writer, "/served", 100);
    }
    writer.send("03" + field("/none"));
    writer.expect(u64(0));
    RawStoreClient late = client();
    late.send("07");
    late.expect(u64(9));
  }

  /** Values on their way, of clients that stay below the mark at which one is not writable. */
  @Test
  void manySingleRepliesThatAreNotRead_areBoundedInAll() throws IOException {
    RawStoreClient writer = client();
    set(writer, "/k", 7 * MIB);
    for (int i = 0; i < 60; i++) {
      RawStoreClient reader = client();
      reader.send("0d 22222222 03" + field("/k"));
      reader.expect("22222222");
    }
    set(writer, "/served", 100);
  }

  @Test
  void manyRepliesOfManyMissingKeys_leaveTheServerAlive() throws IOException {
    RawStoreClient writer = client();
    set(writer, "/big", 7 * MIB); // first in each reply, so that the rest of it has to wait
    StringBuilder request = new StringBuilder("0a" + u64(Store.MAX_KEYS) + field("/big"));
    request.append((u64(1) + "'/'").repeat(Store.MAX_KEYS - 1));
    byte[] missing = RawStoreClient.bytes(request.toString());
    for (int i = 0; i < 200; i++) {
      RawStoreClient reader = client();
      try {
        reader.send(missing);
      } catch (SocketException refused) {
        continue; // the server may refuse what is too much for it
      }
      set(writer, "/k", 100);
    }
    RawStoreClient late = client();
    late.send("03" + field("/k"));
    late.expect(u64(100) + "00".repeat(100));
  }

  /** A reply that waits for room is sent once other clients have read or are disconnected. */
  @Test
  void aReplyThatWaitsForRoom_comesWhenThereIsRoom() throws IOException {
    RawStoreClient writer = client();
    for (int key = 0; key < 8; key++) {
      set(writer, "/" + key, MIB);
    }
    for (int i = 0; i < 4; i++) {
      client().send(multiGet(8));
    }
    RawStoreClient reader = client();
    reader.send(multiGet(8) + "07");
    for (int key = 0; key < 8; key++) {
      reader.expect(u64(MIB));
      assertEquals(MIB, reader.skip(MIB));
    }
    reader.expect(u64(8));
  }

  /** 160 MiB of replies, of which there is room for one at a time. */
  @Test
  void clientsThatReadTheirReplies_areAllServed() throws Exception {
    RawStoreClient writer = client();
    for (int key = 0; key < 8; key++) {
      set(writer, "/" + key, MIB);
    }
    List<CompletableFuture<Void>> readers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      RawStoreClient reader = client();
      readers.add(CompletableFuture.runAsync(() -> readAll(reader), threads));
    }
    for (CompletableFuture<Void> reader : readers) {
      reader.join();
    }
  }

  private static void readAll(RawStoreClient reader) {
    try {
      reader.send(multiGet(8));
      for (int key = 0; key < 8; key++) {
        reader.expect(u64(MIB));
        assertEquals(MIB, reader.skip(MIB));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
