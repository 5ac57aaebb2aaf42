package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.socket.EpollSockets;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.socket.NioSockets;
import io.jgloo.transport.tcp.socket.Sockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection that its peer has reset can still be closed, by any thread. */
@Timeout(60)
class ResetLinkTest {

  @Test
  void epoll() throws IOException {
    Throwable missing = EpollSockets.unavailability();
    assumeTrue(missing == null, () -> "no epoll: " + missing);
    endsAfterReset(new EpollSockets());
  }

  @Test
  void nio() throws IOException {
    endsAfterReset(new NioSockets());
  }

  private static void endsAfterReset(Sockets sockets) throws IOException {
    long buffer = Memory.allocate(8, Memory.CACHE_LINE);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, loopback)) {
      Link link = sockets.dial(new InetSocketAddress(loopback, server.getLocalPort()), null);
      try (Socket peer = server.accept()) {
        while (!link.finishConnect()) {
          Thread.onSpinWait();
        }
        peer.setSoLinger(true, 0);
      }
      assertTrue(isReset(link, buffer));
      assertDoesNotThrow(() -> ended(link));
      link.close();
    } finally {
      Memory.free(buffer);
    }
  }

  private static boolean isReset(Link link, long buffer) {
    while (true) {
      try {
        if (link.read(buffer, 8) < 0) {
          return false;
        }
      } catch (IOException e) {
        return true;
      }
      Thread.onSpinWait();
    }
  }

  /** An I/O error is in order; nothing else is. */
  private static void ended(Link link) {
    try {
      link.shutdownOutput();
      link.shutdown();
    } catch (IOException e) {
      // It is down already.
    }
  }
}
