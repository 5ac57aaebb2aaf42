package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Address;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.shm.MemorySettings;
import io.jgloo.transport.tcp.connect.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory that a peer cannot prove to have opened is not used, and the pair uses its socket. */
@Timeout(60)
class MemoryHandshakeTest {

  private static final DeviceOptions AUTO =
      DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("memory", "auto").with("host", "here");

  /** What the peer of a real rank 1 sees of one attempt. */
  private record Seen(RoguePeer peer, String path) {}

  private static Seen accept(ServerSocket server) throws IOException {
    RoguePeer peer = new RoguePeer(server.accept());
    ByteBuffer hello = ByteBuffer.wrap(peer.hear(WireBytes.HELLO_BYTES));
    int length = hello.getInt(28);
    byte[] offer = peer.hear(length);
    String path = length == 0 ? "" : new String(offer, 17, length - 17, StandardCharsets.UTF_8);
    return new Seen(peer, path);
  }

  private static byte[] answer(UUID token, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    return WireBytes.join(
        WireBytes.welcome(WireBytes.ACCEPTED, 2, 4 << 20, 0),
        ByteBuffer.allocate(20)
            .putLong(token.getMostSignificantBits())
            .putLong(token.getLeastSignificantBits())
            .putInt(text.length)
            .array(),
        text);
  }

  private static Address here(UUID incarnation, InetSocketAddress listener) {
    byte[] payload = new Endpoint(incarnation, listener).encode();
    return new Address("tcp", "here", listener.toString(), payload);
  }

  /** A real rank 1 dials a rank 0 that is not in the memory it offers. */
  @Test
  void wrongTokenThenReason_pairUsesItsSocket() throws Exception {
    try (Device device = Devices.open("tcp", AUTO);
        ServerSocket server = RoguePeer.listen()) {
      Mesh mesh = device.newMesh(new Membership("memory", 0, 1, 2));
      UUID rogue = UUID.randomUUID();
      List<Address> addresses =
          List.of(here(rogue, (InetSocketAddress) server.getLocalSocketAddress()), mesh.address());
      CompletableFuture<Void> connected =
          CompletableFuture.runAsync(() -> mesh.connect(addresses, Ranks.PATIENCE));

      Seen first = accept(server);
      assertTrue(first.path.matches("/proc/[0-9]+/fd/[0-9]+"), first.path);
      first.peer.say(answer(UUID.randomUUID(), ""));
      assertTrue(first.peer.hearsTheEnd());

      Seen second = accept(server);
      assertTrue(second.path.startsWith("/dev/shm/jgloo-"), second.path);
      second.peer.say(answer(new UUID(0, 0), "no such file"));
      assertTrue(second.peer.hearsTheEnd());

      Seen third = accept(server);
      assertEquals("", third.path);
      third.peer.say(WireBytes.welcome(WireBytes.ACCEPTED, 2, 4 << 20, 0));
      assertArrayEquals(WireBytes.confirmation(), third.peer.hear(WireBytes.CONFIRMATION_BYTES));
      connected.get(Ranks.PATIENCE.toSeconds(), TimeUnit.SECONDS);

      assertEquals("tcp", mesh.pair(0).medium());
      assertTrue(Files.notExists(Path.of(second.path)));
      assertEquals(0, openSegments());
      third.peer.close();
      first.peer.close();
      second.peer.close();
    }
  }

  private static long openSegments() throws IOException {
    try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.filter(MemoryHandshakeTest::isSegment).count();
    }
  }

  private static boolean isSegment(Path descriptor) {
    try {
      String target = Files.readSymbolicLink(descriptor).toString();
      return target.startsWith("/memfd:jgloo") || target.startsWith("/dev/shm/jgloo-");
    } catch (IOException e) {
      return false; // closed since
    }
  }

  private static DeviceOptions memory(String use) {
    return AUTO.with("memory", use);
  }

  private static Ranks ranks(String first, String second) {
    return new ThreadRanks(2, rank -> Devices.open("tcp", memory(rank == 0 ? first : second)));
  }

  @Test
  void oneSideOff_pairUsesItsSocket() {
    for (String[] uses : new String[][] {{"off", "auto"}, {"auto", "off"}, {"off", "off"}}) {
      ranks(uses[0], uses[1])
          .run(rank -> assertEquals("tcp", rank.mesh().pair(1 - rank.rank()).medium()));
    }
  }

  @Test
  void requiredAndOff_isAnError() {
    for (String[] uses : new String[][] {{"off", "require"}, {"require", "off"}}) {
      AssertionError failed =
          assertThrows(AssertionError.class, () -> ranks(uses[0], uses[1]).run(rank -> {}));
      assertTrue(
          String.valueOf(failed.getCause() == null ? failed : failed.getCause())
              .contains(UnavailableException.class.getSimpleName()),
          failed.toString());
    }
  }

  @Test
  void ringsShrinkWithTheRanksOfTheHost() {
    MemorySettings settings = new MemorySettings(MemorySettings.Use.AUTO, false, 0);
    int[] ranks = {1, 2, 3, 4, 17, 18, 34, 66, 200};
    int[] kilobytes = {2048, 2048, 1024, 512, 512, 256, 128, 64, 64};
    for (int i = 0; i < ranks.length; i++) {
      assertEquals(kilobytes[i] << 10, settings.ringBytes(ranks[i], false), ranks[i] + " ranks");
      int ofFile = Math.min(512, kilobytes[i]);
      assertEquals(ofFile << 10, settings.ringBytes(ranks[i], true), ranks[i] + " ranks, files");
    }
    MemorySettings given = new MemorySettings(MemorySettings.Use.AUTO, false, 4096);
    assertEquals(4096, given.ringBytes(2, false));
  }

  @Test
  void badAttributes_areRefused() {
    for (String[] bad :
        new String[][] {
          {"memory", "yes"}, {"segment", "disk"}, {"ring", "5000"}, {"ring", "2048"}
        }) {
      assertThrows(
          IllegalArgumentException.class,
          () -> Devices.open("tcp", DeviceOptions.DEFAULTS.with(bad[0], bad[1])));
    }
    assertThrows(
        IllegalArgumentException.class, () -> Devices.open("tcp", AUTO.with("wire", "gloo")));
  }
}
