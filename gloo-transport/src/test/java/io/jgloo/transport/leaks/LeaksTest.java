package io.jgloo.transport.leaks;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Each kind of thing that may leak is found, and named. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class LeaksTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  /** Loads the classes whose first use opens something. */
  @BeforeAll
  static void openEachKindOnce() throws IOException {
    Selector.open().close();
    DatagramChannel.open().close();
    new ServerSocket(0, 1, LOOPBACK).close();
  }

  private static void assertReported(Leaks leaks, String... parts) {
    AssertionError error = assertThrows(AssertionError.class, () -> leaks.check(Duration.ZERO));
    for (String part : parts) {
      assertTrue(error.getMessage().contains(part), error.getMessage());
    }
  }

  @Test
  void connection_isReportedWithBothAddresses() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, LOOPBACK)) {
      Leaks leaks = Leaks.before();
      try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
        String local = LOOPBACK.getHostAddress() + ":" + socket.getLocalPort();
        assertReported(
            leaks, "ESTABLISHED", local, LOOPBACK.getHostAddress() + ":" + server.getLocalPort());
      }
      leaks.check();
    }
  }

  /** The number of descriptors is the same before and after. */
  @Test
  void socketOpenedInPlaceOfAnother_isReported() throws IOException {
    ServerSocket first = new ServerSocket(0, 1, LOOPBACK);
    Leaks leaks = Leaks.before();
    first.close();
    try (ServerSocket second = new ServerSocket(0, 1, LOOPBACK)) {
      assertReported(leaks, "LISTEN", ":" + second.getLocalPort());
    }
  }

  @Test
  void poll_isReportedWithWhatItWatches() throws IOException {
    try (Selector earlier = Selector.open();
        ServerSocketChannel channel = ServerSocketChannel.open()) {
      assertTrue(earlier.isOpen());
      Leaks leaks = Leaks.before();
      try (Selector selector = Selector.open()) {
        channel.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        selector.selectNow();
        assertReported(leaks, "epoll", "watches", "socket:[", "more were open before", "eventfd");
      }
      leaks.check();
    }
  }

  /** The JVM opens such sockets for itself, at times that no test chooses. */
  @Test
  void unixSocket_isNotReported() throws IOException {
    Leaks leaks = Leaks.before();
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      assertTrue(channel.isOpen());
      leaks.check(Duration.ZERO);
    }
  }

  @Test
  void thread_isReportedWithItsName() throws InterruptedException {
    Leaks leaks = Leaks.before();
    Thread thread =
        new Thread(
            () -> {
              try {
                Thread.sleep(Long.MAX_VALUE);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // its end
              }
            },
            "left-behind");
    thread.start();
    assertReported(leaks, "thread left-behind");
    thread.interrupt();
    thread.join();
    leaks.check();
  }

  @Test
  void memory_isReported() {
    Leaks leaks = Leaks.before();
    long address = Memory.allocate(64, 8);
    assertReported(leaks, "64 bytes of memory");
    Memory.free(address);
    leaks.check();
  }
}
