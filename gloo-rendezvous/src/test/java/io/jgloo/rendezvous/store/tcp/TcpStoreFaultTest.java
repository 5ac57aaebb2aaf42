package io.jgloo.rendezvous.store.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreCredentials;
import io.jgloo.rendezvous.store.StoreException;
import io.jgloo.rendezvous.store.StoreTimeoutException;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors of a client whose server is late, lost, replaced, silent, old, or not a store. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TcpStoreFaultTest {
  private static final String HOST = "127.0.0.1";
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Duration SHORT = Duration.ofMillis(300);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<AutoCloseable> toClose = new CopyOnWriteArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable one : toClose) {
      one.close();
    }
    threads.shutdownNow();
  }

  private <T extends AutoCloseable> T closed(T later) {
    toClose.add(later);
    return later;
  }

  private StoreServer server(int port) {
    return closed(
        StoreServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TcpStoreLimits.DEFAULT));
  }

  private TcpStoreClient client(int port, Duration timeout) {
    return closed(TcpStoreClient.connect(HOST, port, timeout));
  }

  @Test
  void deadServer_endsWaitsAtOnce() throws Exception {
    StoreServer server = server(0);
    TcpStoreClient store = client(server.port(), LONG);
    List<Future<?>> waiters = new ArrayList<>();
    CountDownLatch started = new CountDownLatch(4);
    for (int i = 0; i < 4; i++) {
      waiters.add(
          threads.submit(
              () -> {
                started.countDown();
                return store.get("k");
              }));
    }
    started.await();
    server.close();
    for (Future<?> waiter : waiters) {
      ExecutionException e = assertThrows(ExecutionException.class, waiter::get);
      assertEquals(StoreUnavailableException.class, e.getCause().getClass());
    }
    assertThrows(StoreUnavailableException.class, () -> store.set("k", new byte[1]));
    assertThrows(StoreUnavailableException.class, () -> store.add("k", 1));
  }

  /** The end of the stream, not a reset as by the kernel of a killed process. */
  @Test
  void serverThatEndsItsStream_endsTheCallAtOnce() throws Exception {
    TcpStoreClient store = client(impostor(null).getLocalPort(), LONG);
    StoreUnavailableException e =
        assertThrows(StoreUnavailableException.class, () -> store.get("k"));
    assertTrue(e.getMessage().contains("the server closed the connection"), e.getMessage());
  }

  @Test
  void newServerAtTheSamePort_isNotUsed() {
    StoreServer first = server(0);
    int port = first.port();
    TcpStoreClient store = client(port, LONG);
    store.set("k", new byte[1]);
    first.close();
    server(port);
    assertThrows(StoreUnavailableException.class, () -> store.get("k", Duration.ZERO));
    assertThrows(StoreUnavailableException.class, () -> store.add("k", 1));
    assertFalse(client(port, LONG).check(List.of("k")));
  }

  @Test
  void clientBeforeTheServer_connectsWhenItStarts() throws Exception {
    int port = FreePort.choose();
    Future<byte[]> early = threads.submit(() -> client(port, LONG).get("k"));
    try (TcpStoreClient store = TcpStoreClient.serve(HOST, port, LONG)) {
      store.set("k", new byte[] {7});
      assertArrayEquals(new byte[] {7}, early.get());
    }
  }

  @Test
  void portWithoutListener_isNamedInTheError() throws Exception {
    int port = FreePort.choose();
    StoreUnavailableException e =
        assertThrows(
            StoreUnavailableException.class, () -> TcpStoreClient.connect(HOST, port, SHORT));
    assertTrue(e.getMessage().contains(HOST + ":" + port), e.getMessage());
    assertTrue(e.getMessage().contains("rank 0 serves the store"), e.getMessage());
    assertFalse(e.getMessage().contains("a server accepted"), e.getMessage());
    StoreUnavailableException unknown =
        assertThrows(
            StoreUnavailableException.class,
            () -> TcpStoreClient.connect("does-not-exist.invalid", 1, SHORT));
    assertTrue(unknown.getMessage().contains("does-not-exist.invalid:1"), unknown.getMessage());
  }

  @Test
  void silentOrForeignServer_isAnErrorAtTheDeadline() throws Exception {
    ServerSocket mute = closed(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    assertThrows(
        StoreUnavailableException.class,
        () -> TcpStoreClient.connect(HOST, mute.getLocalPort(), SHORT));
    ServerSocket web = closed(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    var unused =
        threads.submit(
            () -> {
              while (true) {
                try (Socket socket = web.accept()) {
                  socket
                      .getOutputStream()
                      .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8));
                }
              }
            });
    StoreUnavailableException e =
        assertThrows(
            StoreUnavailableException.class,
            () -> TcpStoreClient.connect(HOST, web.getLocalPort(), SHORT));
    String said = e.getMessage();
    assertTrue(said.contains("a server accepted the connection, but "), said);
    assertTrue(said.contains("rank 0 serves the store"), said);
  }

  /** Answers handshakes, then nothing; or announces what it never sends; or, by null, ends. */
  private ServerSocket impostor(byte[] answer) throws IOException {
    ServerSocket listener = closed(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    var unused =
        threads.submit(
            () -> {
              while (true) {
                Socket socket = closed(listener.accept());
                InputStream in = socket.getInputStream();
                in.readNBytes(6);
                socket.getOutputStream().write(in.readNBytes(4));
                in.readNBytes(1 + Long.BYTES + 1 + 36); // a GET of a random key
                socket.getOutputStream().write(new byte[Long.BYTES]);
                in.read();
                if (answer == null) {
                  socket.shutdownOutput();
                } else {
                  socket.getOutputStream().write(answer);
                }
              }
            });
    return listener;
  }

  @Test
  void serverThatStopsAnswering_endsCallsAtTheirDeadline() throws Exception {
    int port = impostor(new byte[0]).getLocalPort();
    TcpStoreClient store = client(port, SHORT);
    assertThrows(StoreUnavailableException.class, () -> store.set("k", new byte[1]));
    assertThrows(StoreUnavailableException.class, () -> store.add("k", 1));
    assertThrows(
        StoreUnavailableException.class, () -> store.set("k", new byte[Store.MAX_VALUE_BYTES]));
    assertThrows(StoreTimeoutException.class, () -> store.wait(List.of("k"), store.timeout()));
    assertFalse(store.await(List.of("k"), SHORT));
  }

  @Test
  void answerOfAbsurdLength_isNotAllocated() throws Exception {
    byte[] huge = RawStoreClient.bytes("ffffffffffffff7f");
    TcpStoreClient store = client(impostor(huge).getLocalPort(), LONG);
    assertThrows(
        StoreUnavailableException.class, () -> store.compareSet("k", new byte[0], new byte[1]));
  }

  /** PyTorch's server wakes the waiters of a key that was deleted, at times near their deadline. */
  @Test
  void waitWokenTooEarlyNearItsDeadline_namesOnlyTheKeysThatAreMissing() throws Exception {
    int check = 1 + Long.BYTES; // an opcode and a count; each key is a length, a slash, a letter
    int key = Long.BYTES + 2;
    // Time for two exchanges; the late answer must come in the second of grace after them.
    Duration patience = Duration.ofMillis(400);
    ServerSocket listener = closed(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    var unused =
        threads.submit(
            () -> {
              Socket socket = closed(listener.accept());
              InputStream in = socket.getInputStream();
              in.readNBytes(6);
              socket.getOutputStream().write(in.readNBytes(4));
              in.readNBytes(1 + Long.BYTES + 1 + 36); // a GET of a random key
              socket.getOutputStream().write(new byte[Long.BYTES]);
              in.readNBytes(check + 2 * key);
              socket.getOutputStream().write(StoreOpcode.READY);
              in.readNBytes(check + 2 * key);
              Thread.sleep(patience.plusMillis(50).toMillis());
              socket.getOutputStream().write(StoreOpcode.NOT_READY);
              in.readNBytes(2 * (check + key));
              socket.getOutputStream().write(new byte[] {StoreOpcode.READY, StoreOpcode.NOT_READY});
              return null;
            });
    TcpStoreClient store = client(listener.getLocalPort(), LONG);
    StoreTimeoutException e =
        assertThrows(StoreTimeoutException.class, () -> store.wait(List.of("a", "b"), patience));
    assertEquals(List.of("b"), e.keys());
  }

  /** Passes on what a client has sent already, then all bytes both ways. */
  private void pass(Socket client, byte[] start, StoreServer server) throws IOException {
    Socket behind = closed(new Socket(InetAddress.getLoopbackAddress(), server.port()));
    behind.getOutputStream().write(start);
    var unusedUp =
        threads.submit(() -> client.getInputStream().transferTo(behind.getOutputStream()));
    var unusedDown =
        threads.submit(
            () -> {
              try (client) {
                return behind.getInputStream().transferTo(client.getOutputStream());
              }
            });
  }

  /** A join connects again to the server that follows a lost one, and to no other. */
  @Test
  void serverThatRefusesOneMoreConnection_isLost() throws Exception {
    StoreServer server = server(0);
    ServerSocket front = closed(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    var unused =
        threads.submit(
            () -> {
              pass(closed(front.accept()), new byte[0], server);
              return null;
            });
    HostPort address = new HostPort(HOST, front.getLocalPort());
    Deadline deadline = Deadline.after(LONG);
    StoreConnectionPool pool =
        closed(new StoreConnectionPool(address, new StoreGuard(null, null), deadline));
    pool.call(
        "a call",
        deadline,
        inUse -> {
          front.close();
          assertThrows(
              StoreUnavailableException.class,
              () -> pool.call("another call", deadline, more -> null));
          return null;
        });
    assertTrue(pool.isLost());
  }

  /** PyTorch's server closes the connection at an add to text; a busy one accepts the next late. */
  @Test
  void busyServerThatRefusesAnAdd_isNotReportedAsLost() throws Exception {
    StoreServer server = server(0);
    ServerSocket busy = closed(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    var unused =
        threads.submit(
            () -> {
              pass(closed(busy.accept()), new byte[0], server);
              Socket second = closed(busy.accept());
              Thread.sleep(2500);
              pass(second, new byte[0], server);
              return null;
            });
    TcpStoreClient store = client(busy.getLocalPort(), LONG);
    store.set("k", "text".getBytes(UTF_8));
    StoreException e = assertThrows(StoreException.class, () -> store.add("k", 1));
    assertEquals(StoreException.class, e.getClass(), e.toString());
    assertEquals(4, store.get("k").length);
  }

  /** Servers of PyTorch 2.1 to 2.5 close the connection at a PING. */
  @Test
  void serverWithoutPing_isUsedWithoutIt() throws Exception {
    StoreServer server = server(0);
    ServerSocket old = closed(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    var unused =
        threads.submit(
            () -> {
              while (true) {
                Socket client = closed(old.accept());
                byte[] start = client.getInputStream().readNBytes(6);
                if (start[5] == StoreOpcode.PING.code()) {
                  client.close();
                  continue;
                }
                pass(client, start, server);
              }
            });
    TcpStoreClient store = client(old.getLocalPort(), LONG);
    assertEquals(3, store.add("k", 3));
    assertThrows(StoreTimeoutException.class, () -> store.get("none", SHORT));
  }

  @Test
  void advertisedName_isUsedByClients() {
    InetSocketAddress anywhere = new InetSocketAddress(0);
    try (TcpStoreClient store =
            TcpStoreClient.serve("localhost", anywhere, LONG, StoreCredentials.NONE);
        TcpStoreClient other = TcpStoreClient.connect(" " + store.host(), store.port(), LONG);
        TcpStoreClient byAddress = TcpStoreClient.connect(HOST, store.port(), LONG)) {
      assertTrue(store.isServer());
      assertFalse(other.isServer());
      other.set("k", new byte[] {1});
      assertTrue(byAddress.check(List.of("k")));
      assertTrue(store.toString().contains("localhost:" + store.port()), store.toString());
    }
  }
}
