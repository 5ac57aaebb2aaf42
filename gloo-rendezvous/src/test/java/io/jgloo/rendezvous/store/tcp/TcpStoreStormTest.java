package io.jgloo.rendezvous.store.tcp;

import static io.jgloo.rendezvous.store.tcp.RawStoreClient.VALIDATE;
import static io.jgloo.rendezvous.store.tcp.RawStoreClient.field;
import static io.jgloo.rendezvous.store.tcp.RawStoreClient.u64;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.TcpStoreLimits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many clients and many invalid clients at one server, with one client that must be served
 * meanwhile.
 *
 * <p>A short form runs by default; {@code -Djgloo.storm=full} is 2,000 clients and 10,000 invalid
 * clients.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TcpStoreStormTest {
  private static final Duration LONG = Duration.ofSeconds(200);
  private static final boolean FULL = "full".equals(System.getProperty("jgloo.storm"));
  private static final int CLIENTS = FULL ? 2000 : 300;
  private static final int INVALID_CLIENTS = FULL ? 10_000 : 1000;
  private static final long HEAP_SLACK_BYTES = 16L << 20;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean over = new AtomicBoolean();
  private int refused;
  private final StoreServer server =
      StoreServer.start(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TcpStoreLimits.DEFAULT);

  @AfterEach
  void stop() {
    over.set(true);
    threads.shutdownNow();
    server.close();
  }

  /** Sets and reads until the test stops it; returns how often. */
  private Future<Integer> checked() {
    TcpStoreClient store = TcpStoreClient.connect("127.0.0.1", server.port(), LONG);
    return threads.submit(
        () -> {
          try (store) {
            int served = 0;
            while (!over.get()) {
              byte[] value = Integer.toString(served++).getBytes(UTF_8);
              store.set("checked", value);
              assertArrayEquals(value, store.get("checked"));
            }
            return served;
          }
        });
  }

  /** All connect, set, and wait for all; in one thread, so that it is the server that is many. */
  @Test
  void manyClientsAtOnce_allMeet() throws Exception {
    Future<Integer> checked = checked();
    StringBuilder allRanks = new StringBuilder("06" + u64(CLIENTS));
    for (int i = 0; i < CLIENTS; i++) {
      allRanks.append(field("/rank/" + i));
    }
    byte[] waitForAll = RawStoreClient.bytes(allRanks.toString());
    List<RawStoreClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        RawStoreClient client = new RawStoreClient(server.port());
        clients.add(client);
        client.send(VALIDATE + "0d" + String.format("%08x", i));
        client.expect(String.format("%08x", i));
      }
      for (RawStoreClient client : clients) {
        client.send(waitForAll);
      }
      for (int i = 0; i < CLIENTS; i++) {
        clients.get(i).send("01" + field("/rank/" + i) + field("here"));
      }
      for (RawStoreClient client : clients) {
        client.expect("00");
        client.send("03" + field("/rank/" + (CLIENTS - 1)));
        client.expect(field("here"));
      }
    } finally {
      for (RawStoreClient client : clients) {
        client.close();
      }
    }
    over.set(true);
    assertTrue(checked.get() > 0);
    assertEquals(0, server.rejected());
  }

  @Test
  void manyClientsOfAnotherProtocol_doNotStopTheServer() throws Exception {
    Future<Integer> checked = checked();
    Random random = new Random(5);
    invalidClients(random, INVALID_CLIENTS / 10); // objects that are made once are made now
    long before = heapBytes();
    invalidClients(random, INVALID_CLIENTS);
    long grown = heapBytes() - before;
    assertTrue(
        grown < HEAP_SLACK_BYTES,
        INVALID_CLIENTS + " invalid clients have left " + grown + " bytes");
    over.set(true);
    assertTrue(checked.get() > 0);
    assertTrue(server.rejected() >= refused);
    try (TcpStoreClient store = TcpStoreClient.connect("127.0.0.1", server.port(), LONG)) {
      assertEquals(List.of("checked"), store.listKeys());
    }
  }

  /** Garbage, broken requests, announced values that are not sent, and silence. */
  private void invalidClients(Random random, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      byte[] garbage = new byte[random.nextInt(200)];
      random.nextBytes(garbage);
      try (RawStoreClient client = new RawStoreClient(server.port())) {
        if (i % 3 == 0) {
          client.send(VALIDATE + "0e" + field("/garbage") + u64(1 << 20));
        } else if (i % 3 == 1) {
          client.send(VALIDATE + "06" + u64(100_000));
        }
        client.send(garbage);
      } catch (SocketException e) {
        refused++; // the server was faster
      }
    }
  }

  private static long heapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
