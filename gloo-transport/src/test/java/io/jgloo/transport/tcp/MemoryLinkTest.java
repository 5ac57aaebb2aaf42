package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.shm.MemoryLink;
import io.jgloo.transport.shm.Segment;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.socket.NioSockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MemoryLinkTest {

  private static final int TIMES = 500;

  /** The mesh ends while the device's thread closes the connection: its memory is freed once. */
  @Test
  void closeWhileTheMeshEnds_unmapsOnce() throws Exception {
    long before = Memory.allocatedBytes();
    ExecutorService device = Executors.newSingleThreadExecutor();
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, loopback)) {
      InetSocketAddress address = new InetSocketAddress(loopback, server.getLocalPort());
      for (int i = 0; i < TIMES; i++) {
        Link socket = new NioSockets().dial(address, null);
        server.accept().close();
        MemoryLink link = new MemoryLink(socket, segment());
        link.keepMapped(true);
        AtomicInteger there = new AtomicInteger();
        Future<?> closed =
            device.submit(
                () -> {
                  meet(there);
                  link.release();
                });
        meet(there);
        link.keepMapped(false);
        closed.get();
        socket.close();
        assertEquals(before, Memory.allocatedBytes(), "time " + i);
      }
    } finally {
      device.shutdown();
    }
  }

  private static Segment segment() throws IOException {
    try (Segment made = Segment.create(true, 4096, true, new UUID(1, 2), new UUID(3, 4))) {
      Segment attached = Segment.attach(made.offer(), new UUID(1, 2), new UUID(3, 4));
      made.unlink();
      return attached;
    }
  }

  private static void meet(AtomicInteger there) {
    there.incrementAndGet();
    while (there.get() < 2) {
      Thread.onSpinWait();
    }
  }
}
