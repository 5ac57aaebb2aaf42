package io.jgloo.rendezvous.store.tcp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.LogRecords;
import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.store.StoreCredentials;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.Certificates;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.TlsOptions;
import io.jgloo.transport.UnavailableException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A store server with TLS serves the processes of its job, and no others. */
@Timeout(90)
final class StoreTlsTest {
  private static final Duration LONG = Duration.ofSeconds(80);
  private static final Duration SHORT = Duration.ofSeconds(3);
  private static final Duration BRIEF = Duration.ofSeconds(15);
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final String JOB = "jgloo://" + Certificates.JOB;

  /** So that a busy machine's server refuses a client for its credentials, not for its pace. */
  private static final TcpStoreLimits PATIENT = TcpStoreLimits.DEFAULT.withTimeouts(LONG, LONG);

  private final LogRecords log = new LogRecords(StoreServer.class);
  private StoreServer server = start(PATIENT);

  private static StoreServer start(TcpStoreLimits limits) {
    return StoreServer.start(List.of(ANY), limits, StoreGuard.of(tls(Certificates.of(0))));
  }

  private static StoreCredentials tls(TlsOptions files) {
    return new StoreCredentials(Optional.empty(), Optional.of(files));
  }

  private static Instant daysFromNow(int days) {
    return Instant.now().plus(Duration.ofDays(days));
  }

  @AfterEach
  void close() {
    server.close();
    log.close();
  }

  private static TcpStoreClient client(int port, StoreCredentials credentials, Duration timeout) {
    return TcpStoreClient.connect("127.0.0.1", port, timeout, credentials);
  }

  private static void refused(
      int port, StoreCredentials credentials, Duration timeout, String reason) {
    AuthenticationException failure =
        assertThrows(AuthenticationException.class, () -> client(port, credentials, timeout));
    assertTrue(failure.getMessage().contains(reason), failure::getMessage);
  }

  /** A client that the server must admit. */
  private static TcpStoreClient admitted(StoreServer server, int port, StoreCredentials own) {
    return refusing(server, 0, () -> client(port, own, LONG));
  }

  /**
   * Connects, and is interrupted when the server has refused more connections than it may: who is
   * refused without a reason would try again until the deadline.
   */
  private static <T> T refusing(StoreServer server, int most, Supplier<T> connecting) {
    long limit = server.unauthenticatedClients() + most;
    Thread caller = Thread.currentThread();
    AtomicBoolean done = new AtomicBoolean();
    Thread watcher =
        new Thread(
            () -> {
              while (!done.get() && server.unauthenticatedClients() <= limit) {
                LockSupport.parkNanos(1_000_000);
              }
              if (!done.get()) {
                caller.interrupt();
              }
            });
    watcher.start();
    try {
      return connecting.get();
    } finally {
      done.set(true);
      watcherEnds(watcher);
    }
  }

  private static void watcherEnds(Thread watcher) {
    boolean interrupted = Thread.interrupted();
    while (watcher.isAlive()) {
      try {
        watcher.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    assertFalse(interrupted, "the server refused more connections than it may");
  }

  /** The server has refused so many, says so, and serves others. */
  private void assertServes(int refused, String reason) {
    while (server.unauthenticatedClients() < refused || log.warnings().isEmpty()) {
      LockSupport.parkNanos(1_000_000);
    }
    String warning = log.warnings().get(0);
    assertTrue(warning.contains("refused") && warning.contains(reason), warning);
    try (TcpStoreClient good = admitted(server, server.port(), tls(Certificates.of(1)))) {
      good.set("key", new byte[] {7});
      assertArrayEquals(new byte[] {7}, good.get("key", LONG));
    }
    assertEquals(refused, server.unauthenticatedClients());
  }

  /** Credentials that are wrong in one way. */
  private static StoreCredentials wrong(String how) {
    JobSecret secret = JobSecret.of("the secret of this job".getBytes(US_ASCII));
    return switch (how) {
      case "plaintext" -> StoreCredentials.NONE;
      case "plaintext with secret" -> new StoreCredentials(Optional.of(secret), Optional.empty());
      case "unknown CA" -> tls(Certificates.ofAnother().named(1, JOB + "/1"));
      case "another job" -> tls(Certificates.of("jgloo://other/1", daysFromNow(8), true));
      default -> throw new IllegalArgumentException(how);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "plaintext, requires TLS, does not use TLS",
    "plaintext with secret, requires TLS, does not use TLS",
    "unknown CA, the server of the store: , TLS: ",
    "another job, 'a certificate of jgloo://tests/0, this process of jgloo://other/1',",
  })
  void wrongClient_isRefusedAtBothEndsAndOthersAreServed(
      String how, String atClient, String atServer) {
    refusing(
        server,
        1,
        () -> {
          refused(server.port(), wrong(how), LONG, atClient);
          return null;
        });
    assertServes(1, atServer == null ? "" : atServer);
  }

  /** Clients of another kind, by the JDK's sockets: ours would not send these certificates. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "expired", "another job", "of no job"})
  void certificateOfAForeignClient_isRefused(String which) throws Exception {
    Instant next = daysFromNow(8);
    TlsOptions files =
        switch (which) {
          case "expired" -> Certificates.of(JOB + "/1", daysFromNow(-1), true);
          case "another job" -> Certificates.of("jgloo://other/1", next, true);
          case "of no job" -> Certificates.of(null, next, true);
          default -> Certificates.of(1);
        };
    SslContextBuilder builder =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3")
            .endpointIdentificationAlgorithm(null)
            .trustManager(files.authority().toFile());
    if (!which.equals("none")) {
      builder.keyManager(files.certificate().toFile(), files.key().toFile());
    }
    JdkSslContext context = (JdkSslContext) builder.build();
    try (Socket socket =
        context.context().getSocketFactory().createSocket("127.0.0.1", server.port())) {
      socket.setSoTimeout((int) BRIEF.toMillis());
      socket.getOutputStream().write(RawStoreClient.bytes("00 cef7853c 01" + SET));
      assertEquals(-1, socket.getInputStream().read());
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the connection is open " + BRIEF + " after it was refused", e);
    } catch (IOException e) {
      // an alert, or a reset of what the client sends after the end
    }
    assertServes(1, "");
    try (TcpStoreClient good = admitted(server, server.port(), tls(Certificates.of(1)))) {
      assertFalse(good.check(List.of("planted")));
    }
  }

  private static final String SET =
      RawStoreClient.field("/planted") + RawStoreClient.field("by another job");

  @Test
  void serverWithoutTls_isNamedAtOnce() {
    try (StoreServer open = StoreServer.start(ANY, TcpStoreLimits.DEFAULT)) {
      refused(open.port(), tls(Certificates.of(1)), BRIEF, "does not use TLS");
      JobSecret secret = JobSecret.of("the secret of this job".getBytes(US_ASCII));
      StoreCredentials both =
          new StoreCredentials(Optional.of(secret), Optional.of(Certificates.of(1)));
      refused(open.port(), both, BRIEF, "does not use TLS");
      refused(server.port(), both, BRIEF, "has no job secret");
    }
  }

  @Test
  void expiredServer_isRefusedByTheClient() throws Exception {
    TlsOptions files = Certificates.of(JOB + "/0", daysFromNow(-1), true);
    JdkSslContext context =
        (JdkSslContext)
            SslContextBuilder.forServer(files.certificate().toFile(), files.key().toFile())
                .sslProvider(SslProvider.JDK)
                .build();
    try (ServerSocket expired =
        context.context().getServerSocketFactory().createServerSocket(0, 50, ANY.getAddress())) {
      Thread serving =
          new Thread(
              () -> {
                try (Socket socket = expired.accept()) {
                  int unused = socket.getInputStream().read();
                } catch (IOException e) {
                  // the client's alert
                }
              });
      serving.start();
      refused(expired.getLocalPort(), tls(Certificates.of(1)), LONG, "the server of the store: ");
      serving.join(LONG.toMillis());
    }
  }

  /** A certificate that expires while its process runs is an error of its next connection. */
  @Test
  void expiryOfOwnCertificate_isNamedByItsDate() throws IOException {
    TlsOptions files = Certificates.of(1);
    StoreConnector connector =
        new StoreConnector(
            new HostPort("127.0.0.1", server.port()),
            new CountDownLatch(1),
            StoreGuard.of(tls(files)));
    connector.connect(Deadline.after(BRIEF)).close();
    Instant expiry = daysFromNow(-1);
    Certificates.renew(files, JOB + "/1", expiry);
    String date = expiry.toString().substring(0, 10);
    AuthenticationException later =
        assertThrows(AuthenticationException.class, () -> connector.connect(Deadline.after(LONG)));
    assertTrue(later.getMessage().contains("expired at " + date), later::getMessage);
    UnavailableException first =
        assertThrows(UnavailableException.class, () -> client(server.port(), tls(files), LONG));
    assertTrue(first.getMessage().contains("expired at " + date), first::getMessage);
  }

  /**
   * The server's own, while it runs: clients learn it in time, and it serves again once renewed.
   */
  @Test
  void expiryOfTheServersCertificate_endsWithItsRenewal() {
    TlsOptions files = Certificates.of(0);
    try (StoreServer aging =
        StoreServer.start(List.of(ANY), TcpStoreLimits.DEFAULT, StoreGuard.of(tls(files)))) {
      Certificates.renew(files, JOB + "/0", daysFromNow(-1));
      refused(aging.port(), tls(Certificates.of(1)), SHORT, "instead of a handshake of TLS");
      assertTrue(log.warnings().get(0).contains("expired at"), () -> log.warnings().get(0));
      Certificates.renew(files, JOB + "/0", daysFromNow(8));
      admitted(aging, aging.port(), tls(Certificates.of(1))).close();
    }
  }

  @Test
  void secretWithinTls_isProvedToo() {
    JobSecret secret = JobSecret.of("the secret of this job".getBytes(US_ASCII));
    JobSecret other = JobSecret.of("the secret of another job".getBytes(US_ASCII));
    Optional<TlsOptions> files = Optional.of(Certificates.of(1));
    StoreCredentials both = new StoreCredentials(Optional.of(secret), files);
    try (StoreServer strict =
        StoreServer.start(List.of(ANY), TcpStoreLimits.DEFAULT, StoreGuard.of(both))) {
      admitted(strict, strict.port(), both).close();
      StoreCredentials wrong = new StoreCredentials(Optional.of(other), files);
      refused(strict.port(), wrong, LONG, "another job secret");
      refused(strict.port(), tls(files.get()), LONG, "requires a job secret");
    }
  }

  /**
   * Replies longer than the client's buffer, in few records: what is decrypted and not read yet
   * does not make the socket readable.
   */
  @Test
  void decryptedBytes_areNotMissedByAClientThatWaits() {
    try (TcpStoreClient store = admitted(server, server.port(), tls(Certificates.of(1)))) {
      for (int length : new int[] {8184, 8185, 16_376, 40_000}) {
        byte[] value = new byte[length];
        new Random(length).nextBytes(value);
        store.set("key", value);
        assertArrayEquals(value, store.get("key", LONG), () -> length + " bytes");
      }
    }
  }

  /** One byte in each record, of a handshake that would be longer than any. */
  @Test
  void endlessHandshake_isCutOff() throws IOException {
    byte[] piece = {22, 3, 1, 0, 1, 0};
    try (Socket socket = new Socket(ANY.getAddress(), server.port())) {
      byte[] header = {1, 0, 62, (byte) 128}; // a client hello of 16,000 bytes
      for (int i = 0; i < 16_000; i++) {
        piece[5] = i < header.length ? header[i] : 0;
        socket.getOutputStream().write(piece);
      }
    } catch (IOException e) {
      // the server has closed the connection
    }
    assertServes(1, "more than 65536 bytes before");
  }

  @Test
  void foreignConnections_leaveNothingBehind() throws Exception {
    server.close();
    server = start(TcpStoreLimits.DEFAULT); // those that send nothing more end by its timeout
    try (TcpStoreClient good = admitted(server, server.port(), tls(Certificates.of(1)))) {
      good.set("key", new byte[100_000]);
      visit(100);
      awaitClients(1);
      long files = openFiles();
      long memory = directMemory();
      visit(300);
      assertEquals(100_000, good.get("key", LONG).length);
      awaitClients(1);
      assertTrue(openFiles() <= files, () -> openFiles() + " files, " + files + " before");
      long more = directMemory() - memory;
      assertTrue(more < 4 << 20, () -> more + " bytes of direct memory more");
    }
    assertTrue(server.unauthenticatedClients() > 0);
  }

  private void awaitClients(int count) {
    while (server.clients() > count) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static long openFiles() {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.filter(file -> Files.exists(file) || Files.isSymbolicLink(file)).count();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static long directMemory() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }

  /** Half of them send a record of TLS, or its beginning; some end at once, some wait. */
  private void visit(int count) throws IOException {
    List<Socket> waiting = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[1 + i * 37 % 4096];
      new Random(i).nextBytes(bytes);
      if (i % 2 == 0) {
        System.arraycopy(new byte[] {22, 3, 1, 8, 0}, 0, bytes, 0, Math.min(5, bytes.length));
      }
      Socket socket = new Socket(ANY.getAddress(), server.port());
      socket.getOutputStream().write(i % 10 == 9 ? Arrays.copyOf(bytes, 0) : bytes);
      if (i % 3 == 0) {
        socket.close();
      } else {
        waiting.add(socket);
      }
    }
    for (Socket socket : waiting) {
      socket.setSoTimeout((int) LONG.toMillis());
      try {
        socket.getInputStream().readAllBytes(); // until the server ends it
      } catch (IOException e) {
        // by a reset
      }
      socket.close();
    }
  }
}
