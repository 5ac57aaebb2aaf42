package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Membership;
import io.jgloo.transport.cppgloo.CppGlooAddress;
import io.jgloo.transport.leaks.Leaks;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.socket.Acceptor;
import io.jgloo.transport.tcp.socket.EpollSockets;
import io.jgloo.transport.tcp.socket.Link;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is given to the thread of a device that closes at the same time is closed as well. */
@Timeout(60)
class DeviceCloseTest {

  private static void assumeEpoll() {
    Throwable missing = EpollSockets.unavailability();
    assumeTrue(missing == null, () -> "no epoll: " + missing);
  }

  private static TcpDevice open(String sockets) {
    if (sockets.equals("epoll")) {
      assumeEpoll();
    }
    return (TcpDevice) Devices.open("tcp", Loopback.OPTIONS.with("sockets", sockets));
  }

  /** As a mesh does that could not close before its device, because a reduction was running. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"epoll", "nio"})
  void connectionGivenBackAfterTheEnd_isClosed(String sockets) throws Exception {
    try (ServerSocket server = RoguePeer.listen()) {
      InetSocketAddress listener = (InetSocketAddress) server.getLocalSocketAddress();
      open(sockets).close();
      Leaks leaks = Leaks.before();
      TcpDevice device = open(sockets);
      Link link = device.sockets().dial(listener, null);
      device.close();
      device.closeDelayed(link, new byte[0], null);
      leaks.check();
    }
  }

  /** As a mesh does that is made while its device closes. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"epoll", "nio"})
  void listenerDismissedAfterTheEnd_isClosed(String sockets) throws Exception {
    open(sockets).close();
    Leaks leaks = Leaks.before();
    TcpDevice device = open(sockets);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Acceptor acceptor = device.sockets().listen(any, 1, null);
    device.close();
    device.attend(acceptor, null, link -> false);
    device.dismiss(acceptor);
    leaks.check();
  }

  /** On Gloo's classic wire a connection is accepted before its mesh's lock can be taken. */
  @Test
  void connectionThatWaitsForTheLockOfItsMesh_isClosedAtTheEnd() throws Exception {
    assumeEpoll(); // its memory shows when the connection is accepted
    DeviceOptions options = Loopback.OPTIONS.with("wire", "gloo-classic");
    Devices.open("tcp", options).close();
    Leaks leaks = Leaks.before();
    TcpDevice device = (TcpDevice) Devices.open("tcp", options);
    TcpMesh mesh = (TcpMesh) device.newMesh(new Membership("late", 0, 0, 2));
    InetSocketAddress listener =
        CppGlooAddress.ofPair(mesh.wire(), mesh.address().payload(), 0, 1, 2).listener();
    long before = Memory.allocatedBytes();
    mesh.lock();
    try (RoguePeer peer = new RoguePeer(new Socket(listener.getAddress(), listener.getPort()))) {
      while (Memory.allocatedBytes() == before) {
        LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
      }
      device.close();
      assertTrue(peer.hearsTheEnd());
    } finally {
      mesh.unlock();
    }
    leaks.check();
  }
}
