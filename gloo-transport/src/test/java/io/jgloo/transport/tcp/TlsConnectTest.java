package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Address;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.Certificates;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.TlsOptions;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.tcp.connect.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes whose certificates are not as they must be do not connect, and both report that. */
@Timeout(60)
class TlsConnectTest {

  private static final Duration LIMIT = Duration.ofMillis(100);
  private static final int ALERT_MILLIS = 10_000;

  private static Instant yesterday() {
    return Instant.now().minus(Duration.ofDays(1));
  }

  private static Instant nextWeek() {
    return Instant.now().plus(Duration.ofDays(8));
  }

  /** The options of a rank that is wrong in one way. */
  private static DeviceOptions wrong(String how, int rank) {
    String own = "jgloo://" + Certificates.JOB + "/" + rank;
    return switch (how) {
      case "plaintext" -> Loopback.OPTIONS;
      case "plaintext with secret" -> Secrets.OPTIONS;
      case "unknown CA" -> Certificates.ofAnother().named(rank, own).addTo(Loopback.OPTIONS);
      case "another job" ->
          Certificates.of("jgloo://other/" + rank, nextWeek(), true).addTo(Loopback.OPTIONS);
      case "another rank" ->
          Certificates.of("jgloo://" + Certificates.JOB + "/7", nextWeek(), false)
              .addTo(Loopback.OPTIONS);
      default -> throw new IllegalArgumentException(how);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "plaintext, requires TLS, does not use TLS",
    "plaintext with secret, requires TLS, does not use TLS",
    "unknown CA, TLS: , TLS: ",
    "another job, certificate of jgloo://tests/0, certificate of jgloo://other/1",
    "another rank, names another rank than 1, 'its certificate is of jgloo://tests/7, but it claims"
        + " to be rank 1'"
  })
  void wrongDialler_isReportedAtBothEnds(String how, String atDialler, String atListener) {
    refuse(how + " dials", rank -> rank == 1 ? wrong(how, 1) : right(0), atDialler, atListener);
  }

  @ParameterizedTest
  @CsvSource({
    "plaintext, does not use TLS, 'uses TLS, this device does not'",
    "unknown CA, TLS: , TLS: ",
  })
  void wrongListener_isReportedAtBothEnds(String how, String atDialler, String atListener) {
    refuse(how + " listens", rank -> rank == 0 ? wrong(how, 0) : right(1), atDialler, atListener);
  }

  /**
   * The listener asks for a certificate: its alert comes at once, not the silence of a deadline.
   */
  @Test
  void clientWithoutCertificate_isRefusedByAnAlert() {
    TcpTlsDeviceTest.ranks(1, Loopback.OPTIONS)
        .runUnconnected(
            rank -> {
              SSLContext context = SSLContext.getInstance("TLSv1.3");
              context.init(null, new TrustManager[] {new TrustsAll()}, null);
              InetSocketAddress listener = Endpoint.decode(rank.mesh().address()).listener();
              try (Socket client = context.getSocketFactory().createSocket()) {
                client.connect(listener, ALERT_MILLIS);
                client.setSoTimeout(ALERT_MILLIS);
                SSLException alert =
                    assertThrows(SSLException.class, () -> client.getInputStream().read());
                assertTrue(alert.getMessage().contains("certificate"), alert.getMessage());
              }
              rank.until("refused", () -> Diagnosis.of(rank.mesh()).counters().get("refused") > 0);
            });
  }

  /** What the listener shows is not what is tested. */
  private static final class TrustsAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private static DeviceOptions right(int rank) {
    return Certificates.of(rank).addTo(Loopback.OPTIONS);
  }

  private static void refuse(
      String what, IntFunction<DeviceOptions> options, String atDialler, String atListener) {
    new ThreadRanks(2, rank -> Devices.open("tcp", options.apply(rank)))
        .runUnconnected(
            rank -> {
              List<Address> addresses = rank.addresses("world");
              if (rank.rank() == 0) { // it cannot know who it was, and reports that at its deadline
                rank.until(
                    "refused", () -> Diagnosis.of(rank.mesh()).counters().get("refused") > 0);
              }
              Duration limit = rank.rank() == 0 ? LIMIT : Duration.ofMinutes(1);
              JGlooException cause = RefusedRank.cause(what, rank.mesh(), addresses, limit);
              assertInstanceOf(AuthenticationException.class, cause, cause.getMessage());
              String expected = rank.rank() == 0 ? atListener : atDialler;
              assertTrue(cause.getMessage().contains(expected), cause.getMessage());
              rank.meet();
            });
  }

  /** The listener of a rank is another rank's: the store was changed, say. */
  @Test
  void listenerOfAnotherRank_isRefused() {
    DeviceOptions seven =
        Certificates.of("jgloo://" + Certificates.JOB + "/7", nextWeek(), false)
            .addTo(Loopback.OPTIONS);
    new ThreadRanks(2, rank -> Devices.open("tcp", rank == 0 ? seven : right(1)))
        .runUnconnected(
            rank -> {
              List<Address> addresses = rank.addresses("world");
              if (rank.rank() == 1) {
                JGlooException cause =
                    RefusedRank.cause(
                        "listener of another rank", rank.mesh(), addresses, Duration.ofMinutes(1));
                assertInstanceOf(AuthenticationException.class, cause);
                String message = cause.getMessage();
                assertTrue(message.contains("its certificate is of jgloo://tests/7"), message);
              }
              rank.meet();
            });
  }

  /** A certificate that was valid when its device was opened: the error has its date. */
  @Test
  void expiredCertificate_isNamedWithItsDate() {
    TlsOptions files = Certificates.of(0);
    DeviceOptions options = files.addTo(Loopback.OPTIONS);
    try (Device device = Devices.open("tcp", options)) {
      assertEquals("tcp", device.name());
    }
    Instant expiry = yesterday();
    Certificates.renew(files, "jgloo://tests/0", expiry);
    UnavailableException refused =
        assertThrows(UnavailableException.class, () -> Devices.open("tcp", options));
    String date = expiry.toString().substring(0, 10);
    assertTrue(refused.getMessage().contains("expired at " + date), refused.getMessage());
  }

  /** Connections made after the files were replaced use the new ones; those before stay. */
  @Test
  void renewedCertificate_isUsedByNewConnections() {
    TlsOptions[] files = {Certificates.of(0), Certificates.of(1)};
    new ThreadRanks(2, rank -> Devices.open("tcp", files[rank].addTo(Loopback.OPTIONS)))
        .run(
            rank -> {
              rank.meet();
              if (rank.rank() == 1) {
                Certificates.renew(files[1], "jgloo://tests/1", yesterday());
              }
              rank.meet();
              Mesh second = rank.newMesh("second");
              MeshConnectException failure =
                  assertThrows(
                      MeshConnectException.class,
                      () ->
                          second.connect(
                              rank.addresses("second"), rank.rank() == 0 ? LIMIT : Ranks.PATIENCE));
              if (rank.rank() == 1) {
                String message = failure.getMessage();
                assertTrue(message.contains("this process expired at "), message);
              }
              second.close();
              rank.meet();
              if (rank.rank() == 1) {
                Certificates.renew(files[1], "jgloo://tests/1", nextWeek());
              }
              rank.meet();
              rank.connectAnother("third").close();
              rank.tell(1 - rank.rank(), 5);
              rank.hear(1 - rank.rank(), 5);
              rank.meet();
            });
  }

  @Test
  void unusableFiles_leaveTheOldOnesInUse() {
    TlsOptions[] files = {Certificates.of(0), Certificates.of(1)};
    new ThreadRanks(2, rank -> Devices.open("tcp", files[rank].addTo(Loopback.OPTIONS)))
        .run(
            rank -> {
              Files.writeString(files[rank.rank()].certificate(), "half a certificate");
              rank.meet();
              rank.connectAnother("second").close();
              rank.meet();
            });
  }

  @Test
  void foreignConnections_doNotHarmTheGroup() {
    TcpTlsDeviceTest.ranks(2, Loopback.OPTIONS)
        .run(
            rank -> {
              for (int i = 0; i < 20; i++) {
                byte[] bytes = new byte[4096];
                new Random(i).nextBytes(bytes);
                bytes[0] = i % 2 == 0 ? 22 : bytes[0]; // a record of TLS, or anything
                try (RoguePeer rogue = RoguePeer.dial(rank.mesh().address())) {
                  if (rogue.sayIfHeard(bytes)) {
                    rogue.hearAll();
                  }
                }
                rank.tell(1 - rank.rank(), i);
                rank.hear(1 - rank.rank(), i);
              }
              rank.until(
                  "refused", () -> Diagnosis.of(rank.mesh()).counters().get("refused") >= 20);
              assertTrue(rank.mesh().failure().isEmpty());
              rank.meet();
            });
  }

  @Test
  void otherDevice_isAlive() {
    TcpTlsDeviceTest.ranks(2, Loopback.OPTIONS)
        .run(
            rank -> {
              Address peer = rank.addresses("world").get(1 - rank.rank());
              assertEquals(Liveness.ALIVE, rank.device().liveness(peer, Ranks.PATIENCE));
              rank.meet();
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"gloo", "gloo-classic"})
  void wiresOfGloo_refuseIt(String wire) {
    DeviceOptions options = right(0).with("wire", wire);
    assertRefused(options, "TLS is not supported with wire=" + wire);
  }

  private static void assertRefused(DeviceOptions options, String expected) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Devices.open("tcp", options));
    assertTrue(refused.getMessage().contains(expected), refused.getMessage());
  }

  @Test
  void incompleteOptions_areRefused() throws IOException {
    assertRefused(Loopback.OPTIONS.with("tls-key", "key.pem"), "tls-certificate is not set");
    assertRefused(right(0).with("tls-rank", "some"), "must be own or any, is 'some'");
    String job = "jgloo://" + Certificates.JOB;
    assertRefused(Certificates.of(job, nextWeek(), true).addTo(Loopback.OPTIONS), "names no rank");
    assertRefused(
        Certificates.of("jgloo:/1", nextWeek(), true).addTo(Loopback.OPTIONS), "jgloo:/1");
    assertRefused(
        Certificates.of(null, nextWeek(), true).addTo(Loopback.OPTIONS), "jgloo://JOB/RANK");
    TlsOptions open = Certificates.of(0);
    Files.setPosixFilePermissions(open.key(), PosixFilePermissions.fromString("rw-r--r--"));
    assertRefused(open.addTo(Loopback.OPTIONS), "must not be accessible by others");
  }

  @Test
  void groupRankOtherThanTheCertificates_isRefusedUnlessAllowed() {
    try (Device device = Devices.open("tcp", right(1))) {
      Membership other = new Membership("other", 0, 0, 1);
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> device.newMesh(other));
      assertTrue(refused.getMessage().contains("jgloo://tests/1"), refused.getMessage());
    }
    try (Device device = Devices.open("tcp", right(1).with("tls-rank", "any"))) {
      device.newMesh(new Membership("other", 0, 0, 1)).close();
    }
  }
}
