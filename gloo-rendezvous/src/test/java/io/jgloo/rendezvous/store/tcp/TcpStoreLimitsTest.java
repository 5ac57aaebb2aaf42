package io.jgloo.rendezvous.store.tcp;

import static io.jgloo.rendezvous.store.tcp.RawStoreClient.VALIDATE;
import static io.jgloo.rendezvous.store.tcp.RawStoreClient.field;
import static io.jgloo.rendezvous.store.tcp.RawStoreClient.u64;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server disconnects clients that exceed a limit, and serves the others. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TcpStoreLimitsTest {
  /** Long enough for a client that is not late, on a busy machine. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private StoreServer server;

  private void start(TcpStoreLimits limits) {
    server = StoreServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), limits);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private RawStoreClient raw() throws IOException {
    return new RawStoreClient(server.port());
  }

  private RawStoreClient client() throws IOException {
    return RawStoreClient.validated(server.port());
  }

  @Test
  void slowHandshake_endsAtItsDeadline() throws IOException {
    start(TcpStoreLimits.DEFAULT.withTimeouts(SOON, Duration.ofHours(1)));
    try (RawStoreClient silent = raw();
        RawStoreClient half = raw();
        RawStoreClient idle = client()) {
      half.send("00");
      half.send("ce");
      silent.expectClosed();
      half.expectClosed();
      idle.send("07");
      idle.expect(u64(0));
    }
  }

  @Test
  void idleClientsAreNotLookedAt_andAStallAfterwardsIsSeen() throws IOException {
    start(TcpStoreLimits.DEFAULT.withTimeouts(Duration.ofHours(1), SOON));
    try (RawStoreClient idle = client();
        RawStoreClient waiter = client();
        RawStoreClient later = client()) {
      waiter.send("06" + u64(1) + field("/k"));
      awaitWatched(0);
      later.send("01" + field("/k") + u64(100) + "'half'");
      later.expectClosed();
      awaitWatched(0);
      idle.send("01" + field("/k") + field("v"));
      waiter.expect("00");
    }
  }

  private void awaitWatched(int clients) {
    while (server.watched() != clients) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void clientThatReadsNoReplies_isNotReadFromAndThenDisconnected() throws Exception {
    start(TcpStoreLimits.DEFAULT.withTimeouts(Duration.ofHours(1), SOON));
    try (RawStoreClient slow = client();
        RawStoreClient other = client()) {
      other.send("01" + field("/k") + u64(1 << 20));
      other.send(new byte[1 << 20]);
      other.send("0d 11111111");
      other.expect("11111111");
      // 64 KiB of pipelined requests for 5 GiB of answers; the heap of this JVM is smaller.
      StringBuilder requests = new StringBuilder();
      for (int i = 0; i < 5000; i++) {
        requests.append("03").append(field("/k"));
      }
      slow.send(requests.toString());
      for (int i = 0; i < 200; i++) {
        other.send("0d 22222222");
        other.expect("22222222");
      }
      while (server.rejected() == 0) {
        LockSupport.parkNanos(1_000_000);
      }
      assertEquals(1, server.rejected());
    }
  }

  @Test
  void memoryOfOneRequestAndOfAll_isBounded() throws IOException {
    start(TcpStoreLimits.DEFAULT.withMemory(100_000, 150_000, 1 << 20));
    String begun = "01" + field("/k") + u64(90_000);
    try (RawStoreClient tooBig = client();
        RawStoreClient first = client();
        RawStoreClient second = client();
        RawStoreClient other = client()) {
      tooBig.send("0b" + u64(2) + field("/a") + u64(60_000));
      tooBig.send(new byte[60_000]);
      tooBig.send(field("/b") + u64(60_000));
      tooBig.expectClosed();
      first.send(begun);
      first.send(new byte[89_000]);
      for (int i = 0; i < 20; i++) {
        other.send("07"); // when it is answered, the bytes before it have been read
        other.expect(u64(0));
      }
      second.send(begun);
      second.sendRefused(new byte[89_000]);
      first.send(new byte[1000]);
      first.send("07");
      first.expect(u64(1));
    }
  }

  /** The second large one would leave no room. */
  @Test
  void largeRequestsBeingReceived_leaveRoomForSmallOnes() throws IOException {
    start(TcpStoreLimits.DEFAULT.withMemory(1 << 20, 1 << 20, 1 << 20));
    try (RawStoreClient first = client();
        RawStoreClient second = client();
        RawStoreClient small = client()) {
      first.send("01" + field("/k") + u64(600_000));
      first.send(new byte[500_000]);
      small.send("01" + field("/small") + u64(60_000));
      small.send(new byte[30_000]);
      for (int i = 0; i < 20; i++) {
        try (RawStoreClient other = client()) {
          other.send("07"); // when it is answered, the bytes before it have been read
          other.expect(u64(0));
        }
      }
      second.send("01" + field("/k") + u64(300_000));
      second.sendRefused(new byte[200_000]);
      small.send(new byte[30_000]);
      small.send("07");
      small.expect(u64(1));
      first.send(new byte[100_000]);
      first.send("07");
      first.expect(u64(2));
    }
  }

  @Test
  void announcedLength_occupiesNoMemory() throws IOException {
    start(TcpStoreLimits.DEFAULT.withMemory(10 << 20, 10 << 20, 1 << 20));
    List<RawStoreClient> announcers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      RawStoreClient client = client();
      announcers.add(client);
      client.send("0d 11111111 01" + field("/k") + u64(8 << 20) + "'x'");
      client.expect("11111111");
    }
    try (RawStoreClient client = client()) {
      client.send("01" + field("/k") + field("v") + "07");
      client.expect(u64(1));
    }
    assertEquals(0, server.rejected());
    for (RawStoreClient announcer : announcers) {
      announcer.close();
    }
  }

  @Test
  void storedBytes_areBounded() throws IOException {
    start(TcpStoreLimits.DEFAULT.withMemory(1 << 20, 1 << 20, 10_000));
    try (RawStoreClient greedy = client();
        RawStoreClient other = client()) {
      greedy.send("01" + field("/a") + u64(9000));
      greedy.send(new byte[9000]);
      greedy.send("0d 11111111");
      greedy.expect("11111111");
      greedy.send("0e" + field("/q") + u64(2000));
      greedy.send(new byte[2000]);
      greedy.expectClosed();
      other.send("08" + field("/a") + "01" + field("/b") + field("v") + "07");
      other.expect(u64(1) + u64(1));
    }
  }

  @Test
  void clientBeyondTheLimit_isDisconnected() throws IOException {
    start(TcpStoreLimits.DEFAULT.withClients(3, 100));
    try (RawStoreClient a = client();
        RawStoreClient b = client();
        RawStoreClient c = client()) {
      for (RawStoreClient client : List.of(a, b, c)) {
        client.send("0d 11111111");
        client.expect("11111111");
      }
      try (RawStoreClient d = raw()) {
        d.sendRefused(RawStoreClient.bytes(VALIDATE + "0d 22222222"));
      }
      assertEquals(1, server.rejected());
      a.send("07");
      a.expect(u64(0));
    }
  }

  @Test
  void clientsWithoutHandshake_doNotBlockOthers() throws IOException {
    start(TcpStoreLimits.DEFAULT.withClients(1000, 8));
    List<RawStoreClient> silentClients = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      silentClients.add(raw());
    }
    try (RawStoreClient client = raw()) {
      client.send(VALIDATE + "0d 11111111");
      client.expect("11111111");
      silentClients.get(0).expectClosed(); // the oldest is disconnected first
    }
    for (RawStoreClient client : silentClients) {
      client.close();
    }
  }
}
