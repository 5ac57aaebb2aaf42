package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.transport.Device;
import io.jgloo.transport.FreePort;
import io.jgloo.transport.Membership;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A join whose store server goes away: the next server at the address is used, or none. */
@Timeout(120)
final class StoreJoinTest {
  private static final Duration LONG = Duration.ofSeconds(100);
  private static final Duration SHORT = Duration.ofMillis(500);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private int port;
  private String url;

  @BeforeEach
  void choosePort() throws IOException {
    port = FreePort.choose();
    url = "tcp://127.0.0.1:" + port;
  }

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  private static int join(Store store, int rank, Duration timeout) {
    try (Device device = ContextTest.tcp();
        Context context = new Context(new Membership("world", 0, rank, 2), timeout)) {
      int size = context.connectFullMesh(store, device).membership().size();
      if (rank == 1) {
        store.set("met", new byte[1]);
      } else {
        store.get("met", LONG);
      }
      return size;
    }
  }

  @Test
  void serverThatEndsDuringAJoin_isFollowedByTheNext() throws Exception {
    Future<Integer> one;
    try (TcpStore earlier = Stores.serve("127.0.0.1", port, LONG)) {
      one =
          threads.submit(
              () -> {
                try (Store store = Stores.open(url, 1, 2, LONG)) {
                  return join(store, 1, LONG);
                }
              });
      earlier.wait(List.of("world@0/rank/1"), LONG);
    }
    try (Store store = Stores.open(url, 0, 2, LONG)) {
      assertEquals(2, join(store, 0, LONG));
      assertEquals(2, one.get());
    }
  }

  /** The store has what the program has written, so another server cannot take its place. */
  @Test
  void serverThatEndsAfterTheProgramHasUsedIt_isReportedAtOnce() throws Exception {
    CountDownLatch used = new CountDownLatch(1);
    Future<?> one;
    try (TcpStore earlier = Stores.serve("127.0.0.1", port, LONG)) {
      one =
          threads.submit(
              () -> {
                try (Store store = Stores.open(url, 1, 2, LONG)) {
                  store.set("configuration", new byte[1]);
                  used.countDown();
                  return assertThrows(StoreUnavailableException.class, () -> join(store, 1, LONG));
                }
              });
      used.await();
      earlier.wait(List.of("world@0/rank/1"), LONG);
    }
    try (TcpStore next = Stores.serve("127.0.0.1", port, LONG)) {
      String message = ((Exception) one.get()).getMessage();
      assertTrue(message.contains("was lost during"), message);
      assertEquals(false, next.check(List.of("world@0/rank/1")));
    }
  }

  @Test
  void serverThatDoesNotComeBack_isReportedAtTheDeadlineWithBothReasons() {
    StoreUnavailableException e;
    try (Store store = storeThatEnds()) {
      e = assertThrows(StoreUnavailableException.class, () -> join(store, 1, SHORT));
    }
    assertTrue(e.getMessage().contains("was lost during"), e.getMessage());
    assertTrue(e.getMessage().contains("no store at 127.0.0.1:" + port), e.getMessage());
  }

  private Store storeThatEnds() {
    TcpStore earlier = Stores.serve("127.0.0.1", port, LONG);
    try {
      return Stores.open(url, 1, 2, LONG);
    } finally {
      earlier.close();
    }
  }
}
