package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.tcp.socket.EpollSockets;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.socket.NioSockets;
import io.jgloo.transport.tcp.socket.Poller;
import io.jgloo.transport.tcp.socket.Sockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection that goes from one poller to another while it has news is reported by the other. */
@Timeout(60)
class PollerTest {

  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(20);

  @Test
  void epoll_reportsAConnectionWithNewsOfAnotherPoller() throws IOException {
    Throwable missing = EpollSockets.unavailability();
    assumeTrue(missing == null, () -> "no epoll: " + missing);
    reportsAConnectionWithNewsOfAnother(new EpollSockets());
  }

  @Test
  void nio_reportsAConnectionWithNewsOfAnotherPoller() throws IOException {
    reportsAConnectionWithNewsOfAnother(new NioSockets());
  }

  private static void reportsAConnectionWithNewsOfAnother(Sockets sockets) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, loopback);
        Poller first = sockets.newPoller();
        Poller second = sockets.newPoller()) {
      Link link = sockets.dial(new InetSocketAddress(loopback, server.getLocalPort()), null);
      try (Socket peer = server.accept()) {
        while (!link.finishConnect()) {
          Thread.onSpinWait();
        }
        peer.getOutputStream().write(1);
        first.add(link);
        awaitNews(first);
        first.remove(link);
        assertNull(first.next(), "the first reports what it does not poll any more");
        second.add(link);
        awaitNews(second);
        assertSame(link, second.next());
        second.remove(link);
      } finally {
        link.close();
      }
    }
  }

  private static void awaitNews(Poller poller) {
    long start = System.nanoTime();
    while (!poller.hasNext() && System.nanoTime() - start < LONG_NANOS) {
      poller.poll(TimeUnit.MILLISECONDS.toNanos(10));
    }
    assertTrue(poller.hasNext(), "no news");
  }
}
