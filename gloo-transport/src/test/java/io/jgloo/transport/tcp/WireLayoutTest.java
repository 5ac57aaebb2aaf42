package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.Address;
import io.jgloo.transport.Area;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.tcp.connect.Endpoint;
import io.jgloo.transport.tcp.socket.EpollSockets;
import io.jgloo.transport.tcp.wire.WireVersion;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every byte that a rank puts on the wire, and in which order, as the codecs' Javadoc draws it. */
@Timeout(60)
class WireLayoutTest {

  private static final UUID ROGUE = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  /** A real rank 1 of "wire", epoch 7, whose rank 0 is the rogue. */
  private static final class Dialler {
    final Rank rank;
    final Mesh mesh;
    final CompletionQueue queue;
    RoguePeer rogue;

    Dialler(Rank rank) {
      this.rank = rank;
      mesh = rank.device().newMesh(new Membership("wire", 7, 1, 2));
      queue = mesh.newQueue();
    }

    /** Checks the hello, answers it, and returns when the mesh is connected. */
    Dialler connect() throws Exception {
      try (ServerSocket server = RoguePeer.listen()) {
        Address rogueAddress =
            RoguePeer.address(ROGUE, (InetSocketAddress) server.getLocalSocketAddress());
        Ranks.Fork connecting =
            rank.fork(
                "connect",
                self -> mesh.connect(List.of(rogueAddress, mesh.address()), Ranks.PATIENCE));
        rogue = new RoguePeer(server.accept());
        byte[] hello = rogue.hear(WireBytes.HELLO_BYTES);
        UUID own = Endpoint.decode(mesh.address()).incarnation();
        String incarnation = own.toString().replace("-", "");
        String expected =
            "4a474c4f4f000004" // magic and version
                + HexFormat.of().formatHex(WireBytes.release(WireVersion.RELEASE))
                + " 00000001 00000000" // join, no notice
                + " 00112233445566778899aabbccddeeff "
                + incarnation
                + " 00000001 00000002 00000000 00000000" // rank 1 of 2 means rank 0
                + " 0000000000000007 a67eedf655b14178" // epoch, hash of "wire"
                + " 0000000000400000 0000000000000000"; // 4 MiB
        assertEquals(HexFormat.of().formatHex(hex(expected)), HexFormat.of().formatHex(hello));
        // The rogue's window holds one message of 100 bytes, not two.
        rogue.say(WireBytes.welcome(WireBytes.ACCEPTED, 2, 200, 7));
        assertArrayEquals(hex("4a474c4f4f474f02"), rogue.hear(8)); // the attempt counts
        connecting.join();
        return this;
      }
    }

    Request request(long slot, Area area) {
      return queue
          .newRequest()
          .message(
              slot, mesh.newBuffer().wrap(area.address(), area.length(), null), 0, area.length());
    }

    void complete(Request request) {
      while (!request.isDone()) {
        queue.await(rank.deadline(Ranks.PATIENCE));
        queue.poll();
      }
      assertEquals(Request.State.DONE, request.state());
    }

    void hears(String expected) throws Exception {
      byte[] bytes = hex(expected);
      assertEquals(
          HexFormat.of().formatHex(bytes), HexFormat.of().formatHex(rogue.hear(bytes.length)));
    }
  }

  /** What a header ends with. */
  private static final String REST = "00000000000000000000000000000000";

  private interface Talk {
    void with(Dialler dialler) throws Exception;
  }

  private static void talk(Talk talk) {
    Loopback.ranks(1)
        .run(
            rank -> {
              Dialler dialler = new Dialler(rank).connect();
              try (RoguePeer rogue = dialler.rogue) {
                talk.with(dialler);
                dialler.mesh.close();
                rogue.hearAll();
              }
            });
  }

  @Test
  void anEagerMessageAndOneThatIsAskedFor() {
    talk(
        self -> {
          Area first = self.rank.area(100);
          Area second = self.rank.area(100);
          for (byte i = 0; i < 100; i++) {
            io.jgloo.transport.memory.Memory.putByte(first.address() + i, i);
            io.jgloo.transport.memory.Memory.putByte(second.address() + i, (byte) -i);
          }
          Request eager = self.request(0x0102030405060708L, first);
          eager.fingerprint(0x1112131415161718L, 0x2122232425262728L);
          self.mesh.pair(0).send(eager);
          Request announced = self.request(9, second);
          self.mesh.pair(0).send(announced);
          self.hears(
              "014a4c47 00000000 0807060504030201 6400000000000000"
                  + "1817161514131211 2827262524232221 0000000000000000"
                  + REST);
          assertArrayEquals(first.bytes(0, 100), self.rogue.hear(100));
          self.hears(
              "024a4c47 00000000 0900000000000000 6400000000000000"
                  + "0000000000000000 0000000000000000 0000000000000000"
                  + REST);
          self.complete(eager);
          self.rogue.say(
              hex(
                  "034a4c47 00000000 0900000000000000 0000000000000000"
                      + "0000000000000000 0000000000000000 a400000000000000"
                      + REST));
          self.complete(announced);
          self.hears(
              "044a4c47 00000000 0900000000000000 6400000000000000"
                  + "0000000000000000 0000000000000000 0000000000000000"
                  + REST);
          assertArrayEquals(second.bytes(0, 100), self.rogue.hear(100));
        });
  }

  @Test
  void aGrantCarriesTheCreditOfWhatCameBefore() {
    talk(
        self -> {
          Area area = self.rank.area(8);
          Request eager = self.request(1, area);
          self.mesh.pair(0).recv(eager);
          self.rogue.say(
              hex(
                  "014a4c47 00000000 0100000000000000 0800000000000000"
                      + "0000000000000000 0000000000000000 0000000000000000"
                      + REST
                      + "0001020304050607"));
          self.complete(eager);
          assertArrayEquals(new byte[] {0, 1, 2, 3, 4, 5, 6, 7}, area.bytes(0, 8));
          Request granted = self.request(2, area);
          self.mesh.pair(0).recv(granted);
          self.rogue.say(WireBytes.header(WireBytes.ANNOUNCE, 2, 8));
          Ranks.Fork waiting = self.rank.fork("waiting", rank -> self.complete(granted));
          // 8 bytes and 64 for the bookkeeping of one message: 0x48.
          self.hears(
              "034a4c47 00000000 0200000000000000 0000000000000000"
                  + "0000000000000000 0000000000000000 4800000000000000"
                  + REST);
          self.rogue.say(WireBytes.frame(WireBytes.DATA, 2, new byte[] {7, 6, 5, 4, 3, 2, 1, 0}));
          waiting.join();
          assertArrayEquals(new byte[] {7, 6, 5, 4, 3, 2, 1, 0}, area.bytes(0, 8));
        });
  }

  @Test
  void creditComesByItselfWhenHalfOfTheWindowIsTaken() {
    talk(
        self -> {
          int bytes = (1 << 20) - 64;
          Area area = self.rank.area(bytes);
          for (int i = 0; i < 2; i++) {
            Request recv = self.request(1, area);
            self.mesh.pair(0).recv(recv);
            self.rogue.say(WireBytes.frame(WireBytes.EAGER, 1, new byte[bytes]));
            self.complete(recv);
          }
          self.hears(
              "054a4c47 00000000 0000000000000000 0000000000000000"
                  + "0000000000000000 0000000000000000 0000200000000000"
                  + REST);
        });
  }

  /** Bytes of a page from which the kernel would copy slowly right behind a header. */
  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "16, 1", "63, 1", "64, 0", "127, 0", "4080, 0", "4095, 0"})
  void aFillerPrecedesAPayloadThatWouldBeCopiedSlowly(int inPage, int fillers) {
    Throwable missing = EpollSockets.unavailability();
    assumeTrue(missing == null, () -> "no epoll: " + missing);
    talk(
        self -> {
          int bytes = 20_000;
          Area area = self.rank.area(bytes + 2 * 4096).fill(7);
          long from = (area.address() + 4095) / 4096 * 4096 + inPage;
          Request large =
              self.queue
                  .newRequest()
                  .message(3, self.mesh.newBuffer().wrap(from, bytes, null), 0, bytes);
          self.mesh.pair(0).send(large);
          self.rogue.hear(WireBytes.HEADER_BYTES); // its announcement
          self.rogue.say(WireBytes.header(WireBytes.GRANT, 3, 0));
          self.complete(large);
          for (int i = 0; i < fillers; i++) {
            self.hears(
                "054a4c47 00000000 0000000000000000 0000000000000000"
                    + "0000000000000000 0000000000000000 0000000000000000"
                    + REST);
          }
          self.hears(
              "044a4c47 00000000 0300000000000000 204e000000000000"
                  + "0000000000000000 0000000000000000 0000000000000000"
                  + REST);
          byte[] payload = area.bytes((int) (from - area.address()), bytes);
          assertArrayEquals(payload, self.rogue.hear(bytes));
        });
  }

  @Test
  void aWithdrawnMessage() {
    talk(
        self -> {
          self.mesh.pair(0).send(self.request(1, self.rank.area(100)));
          Request announced = self.request(5, self.rank.area(100));
          self.mesh.pair(0).send(announced);
          self.rogue.hear(164);
          self.rogue.hear(64);
          announced.cancel();
          self.rogue.say(WireBytes.header(WireBytes.GRANT, 5, 0));
          Area area = self.rank.area(1);
          Request waiting = self.request(6, area);
          self.mesh.pair(0).recv(waiting);
          self.rogue.say(WireBytes.frame(WireBytes.EAGER, 6, new byte[1]));
          self.complete(waiting);
          self.hears(
              "084a4c47 00000000 0500000000000000 0000000000000000"
                  + "0000000000000000 0000000000000000 0000000000000000"
                  + REST);
        });
  }

  @Test
  void goodbye() {
    talk(
        self -> {
          self.mesh.close();
          self.hears(
              "074a4c47 00000000 0000000000000000 0000000000000000"
                  + "0000000000000000 0000000000000000 0000000000000000"
                  + REST);
          assertEquals(true, self.rogue.hearsTheEnd());
        });
  }

  @Test
  void anAbortWithItsNotice() {
    talk(
        self -> {
          self.mesh.abort(new UnavailableException("why"));
          byte[] why = "why".getBytes(StandardCharsets.UTF_8);
          byte[] notice =
              ByteBuffer.allocate(12)
                  .putInt(1) // the origin
                  .put((byte) 4) // kind: other
                  .putShort((short) 0) // no rank is named
                  .putShort((short) 3)
                  .put(why)
                  .array();
          self.hears(
              "064a4c47 00000000 0000000000000000 0c00000000000000"
                  + "0000000000000000 0000000000000000 0000000000000000"
                  + REST
                  + HexFormat.of().formatHex(notice));
        });
  }
}
