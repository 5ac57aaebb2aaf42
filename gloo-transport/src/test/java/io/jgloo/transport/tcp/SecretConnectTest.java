package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Address;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.capability.Diagnosis;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks that do not have the same job secret do not connect, and both report that. */
@Timeout(60)
class SecretConnectTest {

  private static final Duration LIMIT = Duration.ofMillis(100);

  private static DeviceOptions options(String secret) {
    return secret.equals("none")
        ? Loopback.OPTIONS
        : Loopback.OPTIONS.withSecret(Secrets.secret("the secret is " + secret));
  }

  @ParameterizedTest
  @CsvSource({
    "red, blue, has another job secret, did not prove to have the job secret",
    "none, blue, has no job secret, 'has a job secret, this device has none'",
    "red, none, requires a job secret, has no job secret"
  })
  void otherSecretIsReportedAtBothEnds(
      String listening, String dialling, String atDialler, String atListener) {
    Ranks ranks =
        new ThreadRanks(2, rank -> Devices.open("tcp", options(rank == 0 ? listening : dialling)));
    ranks.runUnconnected(
        rank -> {
          List<Address> addresses = rank.addresses("world");
          if (rank.rank() == 0) { // it cannot know who it was, and reports that at its deadline
            rank.until("refused", () -> Diagnosis.of(rank.mesh()).counters().get("refused") > 0);
          }
          Duration limit = rank.rank() == 0 ? LIMIT : Duration.ofMinutes(1);
          JGlooException cause =
              RefusedRank.cause(dialling + " dials " + listening, rank.mesh(), addresses, limit);
          assertInstanceOf(AuthenticationException.class, cause);
          String expected = rank.rank() == 0 ? atListener : atDialler;
          assertTrue(cause.getMessage().contains(expected), cause.getMessage());
          rank.meet();
          if (!(rank.rank() == 0 ? dialling : listening).equals("none")) {
            Address peer = addresses.get(1 - rank.rank());
            assertEquals(Liveness.UNKNOWN, rank.device().liveness(peer, Ranks.PATIENCE));
          }
          rank.meet();
        });
  }

  @Test
  void otherGroupOfTheDevice_isUnharmed() {
    Loopback.ranks(2, options("red"))
        .run(
            rank -> {
              if (rank.rank() == 0) {
                try (Device other = Devices.open("tcp", options("blue"))) {
                  Mesh mesh = other.newMesh(new Membership("world", 0, 1, 2));
                  List<Address> addresses = List.of(rank.mesh().address(), mesh.address());
                  JGlooException cause =
                      RefusedRank.cause("another job's listener", mesh, addresses, Ranks.PATIENCE);
                  assertInstanceOf(AuthenticationException.class, cause);
                }
                rank.tell(1, 5);
              } else {
                rank.hear(0, 5);
              }
              rank.meet();
              assertTrue(rank.mesh().failure().isEmpty());
            });
  }

  /** Runs a listener, and rank 1 that dials it until it is refused. */
  private static void dial(Listener listener) {
    Loopback.ranks(1, Secrets.OPTIONS)
        .run(
            rank -> {
              try (ServerSocket server = RoguePeer.listen()) {
                Mesh mesh = rank.device().newMesh(new Membership("dial", 0, 1, 2));
                InetSocketAddress at = (InetSocketAddress) server.getLocalSocketAddress();
                Address address = RoguePeer.address(UUID.randomUUID(), at);
                Ranks.Fork answering =
                    rank.fork(
                        "listener",
                        self -> {
                          try (RoguePeer dialler = new RoguePeer(server.accept())) {
                            listener.meets(dialler, dialler.hear(Secrets.CHALLENGE_BYTES));
                          }
                        });
                JGlooException cause =
                    RefusedRank.cause(
                        "listener without proof",
                        mesh,
                        List.of(address, mesh.address()),
                        Duration.ofMinutes(1));
                assertInstanceOf(AuthenticationException.class, cause);
                answering.join();
                mesh.close();
              }
            });
  }

  private interface Listener {
    void meets(RoguePeer dialler, byte[] challenge) throws IOException;
  }

  /** A listener that cannot have read the hello, as it has no secret, and answers it. */
  @Test
  void welcomeWithoutItsMac_isRefused() {
    dial(
        (dialler, challenge) -> {
          byte[] nonce = Secrets.nonce(3);
          dialler.say(Secrets.answer(Secrets.SECRET, Secrets.nonceOf(challenge), nonce));
          dialler.hear(WireBytes.HELLO_BYTES + Secrets.MAC_BYTES);
          dialler.say(
              WireBytes.welcome(WireBytes.ACCEPTED, 2, 4 << 20, 0), new byte[Secrets.MAC_BYTES]);
          dialler.hearAll();
        });
  }

  @Test
  void listenerWithoutTheSecret_learnsNothingAboutTheJob() {
    JobSecret wrong = Secrets.secret("a wrong secret, long");
    dial(
        (dialler, challenge) -> {
          byte[] nonce = Secrets.nonceOf(challenge);
          assertArrayEquals(Secrets.challenge(nonce), challenge);
          dialler.say(Secrets.answer(wrong, nonce, Secrets.nonce(3)));
          assertArrayEquals(new byte[0], dialler.hearRest());
        });
  }
}
