package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.tcp.stream.Connecting;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a rank does when something else answers where it looks for a peer. */
@Timeout(60)
class ForeignListenerTest {

  private static final Duration SHORT = Duration.ofMillis(300);

  private interface Connecting {
    void to(Mesh mesh, List<io.jgloo.transport.Address> addresses);
  }

  /** Rank 1 of 2 connects to a listener that answers its attempts in turn, the last for ever. */
  private static void dial(List<RoguePeer.Answer> answers, Connecting connecting) {
    Loopback.ranks(1, Loopback.OPTIONS.with("hello", 100))
        .run(
            rank -> {
              ServerSocket server = RoguePeer.listen();
              Ranks.Fork answering =
                  rank.fork("listener", self -> RoguePeer.answer(server, answers));
              Mesh mesh = rank.device().newMesh(new Membership("dial", 0, 1, 2));
              connecting.to(
                  mesh,
                  List.of(
                      RoguePeer.address(
                          UUID.randomUUID(), (InetSocketAddress) server.getLocalSocketAddress()),
                      mesh.address()));
              mesh.close();
              server.close();
              answering.join();
            });
  }

  /** Answers the hello, behind which nothing comes. */
  private static RoguePeer.Answer welcome(byte[] bytes) {
    return dialler -> {
      dialler.hear(WireBytes.HELLO_BYTES);
      dialler.say(bytes);
      assertTrue(dialler.hearsTheEnd(), "bytes behind the hello");
    };
  }

  static Stream<Arguments> foreigners() {
    RoguePeer.Answer nothing =
        dialler -> {
          int bytes = dialler.hearRest().length;
          assertTrue(bytes <= WireBytes.HELLO_BYTES, bytes + " bytes");
        };
    RoguePeer.Answer halfAndClose =
        dialler -> {
          dialler.hear(WireBytes.HELLO_BYTES);
          dialler.say(new byte[] {'J', 'G', 'L'});
        };
    return Stream.of(
        Arguments.of("resets", (RoguePeer.Answer) RoguePeer::reset),
        Arguments.of("says nothing", nothing),
        Arguments.of("half a welcome", halfAndClose),
        Arguments.of(
            "http",
            welcome("HTTP/1.1 400 Bad Request\r\n\r\n....".getBytes(StandardCharsets.ISO_8859_1))),
        Arguments.of("not yet", welcome(WireBytes.welcome(WireBytes.NOT_YET, 2, 0, 0))),
        Arguments.of("notice of -1 bytes", welcome(WireBytes.welcome(WireBytes.FAILED, 0, -1, 0))),
        Arguments.of("half a notice", welcome(WireBytes.welcome(WireBytes.FAILED, 0, 8192, 0))),
        Arguments.of("status -1", welcome(WireBytes.welcome(-1, 2, 0, 0))),
        Arguments.of("unknown", welcome(WireBytes.welcome(WireBytes.UNKNOWN, 0, 0, 0))),
        Arguments.of("duplicate", welcome(WireBytes.welcome(WireBytes.DUPLICATE, 2, 0, 0))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("foreigners")
  void thePeerIsMissingAtTheDeadline(String what, RoguePeer.Answer answer) {
    dial(
        List.of(answer),
        (mesh, addresses) -> {
          long start = System.nanoTime();
          MeshConnectException failure =
              assertThrows(MeshConnectException.class, () -> mesh.connect(addresses, SHORT));
          assertTrue(System.nanoTime() - start >= SHORT.toNanos(), "gave up too early");
          assertEquals(Set.of(0), failure.causes().keySet());
          JGlooException cause = failure.causes().get(0);
          assertTrue(
              cause instanceof UnavailableException || cause instanceof ProtocolException,
              cause::toString);
          assertTrue(cause.getMessage().startsWith("rank 0 at "), cause.getMessage());
          assertTrue(cause.getMessage().contains("127.0.0.1:"), cause.getMessage());
          assertTrue(mesh.failure().isEmpty());
        });
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        Arguments.of(WireBytes.WRONG_SIZE, "size 7, but this rank in one of 2"),
        Arguments.of(WireBytes.WRONG_GROUP, "another group or epoch (5)"),
        Arguments.of(
            WireBytes.WRONG_RANK,
            "refused the connection: the rank numbers of the two sides differ"));
  }

  /** Well before the deadline, for to wait does not help. */
  @ParameterizedTest(name = "status {0}")
  @MethodSource("refusals")
  void finalRefusalIsReportedAtOnce(int status, String expected) {
    dial(
        List.of(welcome(WireBytes.welcome(status, 7, 0, 5))),
        (mesh, addresses) -> {
          MeshConnectException failure =
              assertThrows(
                  MeshConnectException.class, () -> mesh.connect(addresses, Duration.ofMinutes(1)));
          JGlooException cause = failure.causes().get(0);
          assertInstanceOf(ProtocolException.class, cause);
          assertTrue(cause.getMessage().contains(expected), cause.getMessage());
        });
  }

  @Test
  void attemptsThatFailAreRepeatedUntilOneSucceeds() {
    dial(
        List.of(
            dialler -> {},
            RoguePeer::reset,
            dialler -> dialler.hear(50),
            welcome("no, this is not it, but it will be.".getBytes(StandardCharsets.ISO_8859_1)),
            RoguePeer::hearAll,
            welcome(WireBytes.welcome(WireBytes.UNKNOWN, 0, 0, 0)),
            dialler -> {
              dialler.hear(WireBytes.HELLO_BYTES);
              dialler.say(WireBytes.welcome(WireBytes.ACCEPTED, 2, 1 << 20, 0));
              dialler.hearAll();
            }),
        (mesh, addresses) -> {
          mesh.connect(addresses, Ranks.PATIENCE);
          assertEquals(2, mesh.hosts().size());
        });
  }
}
