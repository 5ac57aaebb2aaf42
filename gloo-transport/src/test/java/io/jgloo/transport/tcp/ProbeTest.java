package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.Liveness;
import io.jgloo.transport.Ranks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that may only be slow is not reported as gone. */
@Timeout(60)
class ProbeTest {

  private static final Duration SHORT = Duration.ofMillis(300);

  private interface Answer {
    void to(RoguePeer asker) throws IOException;
  }

  /** Asks a listener that answers in turn like this, the last answer for ever. */
  private static void expect(Liveness expected, Duration timeout, List<Answer> answers) {
    Loopback.ranks(1)
        .run(
            rank -> {
              ServerSocket server = RoguePeer.listen();
              Ranks.Fork answering = rank.fork("listener", self -> answer(server, answers));
              assertEquals(
                  expected,
                  rank.device()
                      .liveness(
                          RoguePeer.address(
                              UUID.randomUUID(),
                              (InetSocketAddress) server.getLocalSocketAddress()),
                          timeout));
              server.close();
              answering.join();
            });
  }

  private static void answer(ServerSocket server, List<Answer> answers) throws IOException {
    for (int attempt = 0; ; attempt++) {
      try (RoguePeer asker = new RoguePeer(server.accept())) {
        answers.get(Math.min(attempt, answers.size() - 1)).to(asker);
      } catch (SocketException e) {
        if (server.isClosed()) {
          return;
        }
      }
    }
  }

  @Test
  void aListenerThatSaysNothing() {
    expect(Liveness.UNKNOWN, SHORT, List.of(RoguePeer::hearAll));
  }

  /** So does a device with too many incoming connections. */
  @Test
  void aListenerThatHangsUp() {
    expect(Liveness.UNKNOWN, SHORT, List.of(asker -> {}));
    expect(Liveness.UNKNOWN, SHORT, List.of(RoguePeer::reset));
  }

  @Test
  void aListenerOfAnotherService() {
    expect(
        Liveness.GONE,
        Ranks.PATIENCE,
        List.of(
            asker ->
                asker.say(
                    "SSH-2.0-OpenSSH_9.2p1 Debian-2+deb\r\n"
                        .getBytes(StandardCharsets.ISO_8859_1))));
  }

  @Test
  void noListener() throws IOException {
    ServerSocket server = RoguePeer.listen();
    InetSocketAddress closed = (InetSocketAddress) server.getLocalSocketAddress();
    server.close();
    Loopback.ranks(1)
        .run(
            rank ->
                assertEquals(
                    Liveness.GONE,
                    rank.device()
                        .liveness(RoguePeer.address(UUID.randomUUID(), closed), Ranks.PATIENCE)));
  }
}
