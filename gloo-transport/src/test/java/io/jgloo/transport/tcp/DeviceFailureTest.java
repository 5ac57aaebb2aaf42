package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.Address;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.engine.Platform;
import io.jgloo.transport.leaks.Leaks;
import io.jgloo.transport.tcp.connect.OpenFiles;
import io.jgloo.transport.tcp.socket.NioSockets;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a device leaves behind, and goes on with, when one of its parts fails. */
@Timeout(90)
class DeviceFailureTest {

  @BeforeAll
  static void useSocketsOnce() {
    Ranks.useSocketsOnce();
  }

  @Test
  void advertisedNameThatCannotBeResolved_leavesNothingOpen() {
    DeviceOptions options = Loopback.OPTIONS.with("advertise", "no-such-host.invalid");
    Leaks leaks = Leaks.before();
    for (int i = 0; i < 3; i++) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> Devices.open("tcp", options))
              .getMessage();
      assertTrue(message.contains("no-such-host.invalid"), message);
    }
    leaks.check();
  }

  /** As when the user's limit of processes is reached. */
  @Test
  void threadThatCannotBeStarted_leavesNothingOpen() {
    Platform noThreads =
        (Platform)
            Proxy.newProxyInstance(
                Platform.class.getClassLoader(),
                new Class<?>[] {Platform.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("newThread")) {
                    throw new OutOfMemoryError("unable to create native thread");
                  }
                  return method.invoke(Platform.SYSTEM, arguments);
                });
    TcpAttributes attributes = TcpAttributes.parse(Loopback.OPTIONS);
    Leaks leaks = Leaks.before();
    for (int i = 0; i < 3; i++) {
      assertThrows(
          OutOfMemoryError.class,
          () -> new TcpDevice("tcp", attributes, noThreads, new NioSockets()));
    }
    leaks.check();
  }

  /** With connecting=lazy the handshake of a second mesh cannot begin. */
  @Test
  void meshWhoseHandshakeFails_leavesNothingOpen() {
    DeviceOptions options = Loopback.OPTIONS.with("wire", "gloo").with("connecting", "lazy");
    Loopback.ranks(1, Loopback.OPTIONS)
        .run(
            rank -> {
              try (TcpDevice device = (TcpDevice) Devices.open("tcp", options)) {
                Mesh first = device.newMesh(new Membership("first", 0, 0, 2));
                Leaks leaks = Leaks.before();
                for (int i = 0; i < 3; i++) {
                  Membership second = new Membership("second", 0, 0, 2);
                  assertThrows(IllegalStateException.class, () -> device.newMesh(second));
                }
                leaks.check();
                first.close();
                device.newMesh(new Membership("third", 0, 0, 2)).close();
              }
            });
  }

  @Test
  void errorInATaskOfTheDevice_endsOneMeshOnly() {
    Loopback.ranks(2)
        .run(
            rank -> {
              TcpMesh mesh = (TcpMesh) rank.newMesh("victim");
              TcpDevice device = (TcpDevice) rank.device();
              mesh.broke(new StackOverflowError("from a task"));
              AbortedException cause =
                  assertInstanceOf(AbortedException.class, mesh.failure().orElseThrow());
              assertEquals(rank.rank(), cause.origin());
              assertInstanceOf(StackOverflowError.class, cause.getCause());
              for (int i = 0; i < 3; i++) {
                device.attend(null, mesh, link -> true); // throws in the device's thread
              }
              rank.meet();
              assertEquals(2, rank.connectAnother("later").hosts().size());
              rank.meet();
            });
  }

  /** Each of the silent ones takes the whole time that a notice is given. */
  @Test
  void abortNotice_reachesAPeerBehindManyThatDoNotAnswer() {
    int silent = 15;
    Loopback.ranks(1, TcpLazyDeviceTest.LAZY)
        .run(
            rank -> {
              List<ServerSocket> servers = new ArrayList<>();
              List<Address> addresses = new ArrayList<>();
              Mesh mesh = rank.device().newMesh(new Membership("many", 0, 0, silent + 2));
              addresses.add(mesh.address());
              for (int i = 0; i <= silent; i++) {
                ServerSocket server = RoguePeer.listen();
                InetSocketAddress listener = (InetSocketAddress) server.getLocalSocketAddress();
                servers.add(server);
                addresses.add(RoguePeer.address(UUID.randomUUID(), listener));
              }
              mesh.connect(addresses, Ranks.PATIENCE);
              mesh.abort(new AbortedException(0, "enough"));
              try (RoguePeer last = new RoguePeer(servers.get(silent).accept())) {
                last.hear(WireBytes.HELLO_BYTES);
              }
              for (ServerSocket server : servers) {
                server.close();
              }
              mesh.close();
            });
  }

  @Test
  void meshOfMoreRanksThanOpenFiles_isRefused() {
    OpenFiles.check("it", 900, 100, 0, 1024);
    String message =
        assertThrows(UnavailableException.class, () -> OpenFiles.check("it", 500, 100, 500, 1024))
            .getMessage();
    assertTrue(message.contains("ulimit -n"), message);
    OpenFiles.check("on an unknown system", 2000, -1, 0, -1);
    OpenFiles.checkHeap("it", 16_384, 64 << 20);
    assertThrows(UnavailableException.class, () -> OpenFiles.checkHeap("it", 16_385, 64 << 20));
  }
}
