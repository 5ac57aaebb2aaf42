package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.tcp.StoreServer;
import io.jgloo.rendezvous.store.tcp.TcpStoreClient;
import io.jgloo.rendezvous.store.tcp.TcpStoreLimits;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store that is lost before, while or after the ranks meet. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ContextFaultTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<AutoCloseable> toClose = new ArrayList<>();
  private StoreServer server;

  @BeforeEach
  void start() {
    server = start(0);
  }

  private StoreServer start(int port) {
    return closed(
        StoreServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TcpStoreLimits.DEFAULT));
  }

  @AfterEach
  void closeAll() throws Exception {
    for (int i = toClose.size() - 1; i >= 0; i--) {
      toClose.get(i).close();
    }
    threads.shutdownNow();
  }

  private <T extends AutoCloseable> T closed(T later) {
    toClose.add(later);
    return later;
  }

  private Store store() {
    return closed(TcpStoreClient.connect("127.0.0.1", server.port(), LONG));
  }

  private Device device() {
    return closed(Devices.open("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1")));
  }

  private Context context(int rank, int size, Duration timeout) {
    return closed(new Context(new Membership("world", 0, rank, size), timeout));
  }

  @Test
  void storeLostBeforeRanksMeet_isReported() {
    Store store = store();
    Device device = device();
    server.close();
    StoreUnavailableException e =
        assertThrows(
            StoreUnavailableException.class,
            () -> context(1, 2, Duration.ofMillis(300)).connectFullMesh(store, device));
    assertTrue(e.getMessage().contains("rank 1 of 2"), e.getMessage());
  }

  @Test
  void storeLostWhileRanksWait_theyMeetInTheNext() throws Exception {
    List<Future<Mesh>> ranks = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      Context context = context(rank, 4, LONG);
      Store store = store();
      Device device = device();
      ranks.add(threads.submit(() -> context.connectFullMesh(store, device)));
    }
    store().wait(List.of("world@0/rank/0", "world@0/rank/1", "world@0/rank/2"), store().timeout());
    server.close();
    start(server.port()); // empty
    assertEquals(4, context(3, 4, LONG).connectFullMesh(store(), device()).membership().size());
    for (Future<Mesh> rank : ranks) {
      assertEquals(4, rank.get().membership().size());
    }
  }

  @Test
  void storeLostAfterRanksMet_isNotNoticed() throws Exception {
    List<Context> contexts = new ArrayList<>();
    List<Future<Mesh>> ranks = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      Context context = context(rank, 2, LONG);
      contexts.add(context);
      Store store = store();
      Device device = device();
      ranks.add(threads.submit(() -> context.connectFullMesh(store, device)));
    }
    for (Future<Mesh> rank : ranks) {
      rank.get();
    }
    server.close();
    for (Future<Mesh> rank : ranks) {
      assertTrue(rank.get().failure().isEmpty());
    }
    contexts.forEach(Context::close);
  }

  /** A store that never answers, whatever it is asked and however its thread is interrupted. */
  private static Store mute() {
    CountDownLatch closed = new CountDownLatch(1);
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (self, method, arguments) -> {
              if (method.getName().equals("toString")) {
                return "mute";
              } else if (method.getName().equals("close")) {
                closed.countDown();
              }
              while (closed.getCount() > 0) {
                try {
                  closed.await();
                } catch (InterruptedException deaf) {
                  // waits on
                }
              }
              return null;
            });
  }

  @Test
  void storeThatDoesNotAnswer_endsAtTheDeadline() {
    Store mute = closed(mute());
    Device device = device();
    StoreUnavailableException e =
        assertThrows(
            StoreUnavailableException.class,
            () -> context(0, 2, Duration.ofMillis(300)).connectFullMesh(mute, device));
    assertTrue(e.getMessage().contains("does not answer"), e.getMessage());
    assertEquals(0, server.rejected());
  }

  /** The store is slow, not silent: the missing ranks are reported, not the store. */
  @Test
  void slowStore_isNotReportedForMissingRanks() {
    Store real = closed(new HashStore(LONG));
    Store slow =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (self, method, arguments) -> {
                  if (!method.getName().equals("toString")) {
                    Thread.sleep(400);
                  }
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    RendezvousTimeoutException e =
        assertThrows(
            RendezvousTimeoutException.class,
            () -> context(0, 3, Duration.ofMillis(500)).connectFullMesh(slow, device()));
    assertEquals(List.of(1, 2), e.missingRanks());
  }
}
