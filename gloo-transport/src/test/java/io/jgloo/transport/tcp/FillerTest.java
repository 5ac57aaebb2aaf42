package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.Request;
import io.jgloo.transport.tcp.socket.EpollSockets;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A credit of nothing precedes a payload that the kernel would copy slowly behind a header. */
@Timeout(60)
class FillerTest {

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "63, 1", "64, 0", "4095, 0"})
  void placeInThePage_decides(int inPage, int fillers) {
    Throwable missing = EpollSockets.unavailability();
    assumeTrue(missing == null, () -> "no epoll: " + missing);
    Loopback.ranks(1)
        .run(
            rank -> {
              try (Victim victim = new Victim(rank)) {
                WireBytes.RawHello hello = victim.hello();
                hello.window = 200; // no room for the message before it is asked for
                try (RoguePeer peer = victim.welcome(hello).say(WireBytes.confirmation())) {
                  victim.connect();
                  int bytes = 20_000;
                  Area area = rank.area(bytes + 2 * 4096).fill(7);
                  int at = (int) ((area.address() + 4095) / 4096 * 4096 - area.address()) + inPage;
                  Request large = victim.request(3, area);
                  victim.send(large.message(3, large.buffer(), at, bytes));
                  assertArrayEquals(
                      WireBytes.header(WireBytes.ANNOUNCE, 3, bytes),
                      peer.hear(WireBytes.HEADER_BYTES));
                  peer.say(WireBytes.header(WireBytes.GRANT, 3, 0));
                  victim.complete(large);
                  for (int i = 0; i < fillers; i++) {
                    assertArrayEquals(
                        WireBytes.header(WireBytes.CREDIT, 0, 0),
                        peer.hear(WireBytes.HEADER_BYTES));
                  }
                  assertArrayEquals(
                      WireBytes.header(WireBytes.DATA, 3, bytes),
                      peer.hear(WireBytes.HEADER_BYTES));
                  assertArrayEquals(area.bytes(at, bytes), peer.hear(bytes));
                }
              }
            });
  }
}
