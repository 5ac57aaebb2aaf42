package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.Ranks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
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

  /** Asks a listener that answers in turn like this, the last answer for ever. */
  private static void expect(Liveness expected, Duration timeout, List<RoguePeer.Answer> answers) {
    Loopback.ranks(1)
        .run(
            rank -> {
              ServerSocket server = RoguePeer.listen();
              Ranks.Fork answering =
                  rank.fork("listener", self -> RoguePeer.answer(server, answers));
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
