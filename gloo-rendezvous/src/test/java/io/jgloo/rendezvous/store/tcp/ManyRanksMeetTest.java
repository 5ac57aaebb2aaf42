package io.jgloo.rendezvous.store.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.Context;
import io.jgloo.rendezvous.ContextOptions;
import io.jgloo.rendezvous.store.TcpStoreLimits;
import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.Device;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Hundreds of ranks meet through one server, and the test prints what they ask of it. Their meshes
 * are none, so that the store is all there is; {@code -Djgloo.test.full=true} is 1,000 ranks.
 */
@Timeout(value = 200, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ManyRanksMeetTest {
  private static final Duration LONG = Duration.ofSeconds(150);
  private static final int RANKS = Boolean.getBoolean("jgloo.test.full") ? 1000 : 300;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @Test
  void hundredsOfRanks_meetThroughOneServer() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    CountDownLatch connected = new CountDownLatch(RANKS);
    try (StoreServer server = StoreServer.start(any, TcpStoreLimits.DEFAULT)) {
      long start = System.nanoTime();
      List<Future<?>> ranks = new ArrayList<>();
      for (int i = 0; i < RANKS; i++) {
        int rank = i;
        ranks.add(threads.submit(() -> meet(rank, server.port(), connected)));
      }
      assertTrue(connected.await(LONG.toSeconds(), TimeUnit.SECONDS), connected + " have not met");
      System.out.printf(
          "%d ranks met in %.2f s, %.1f requests a rank%n",
          RANKS, (System.nanoTime() - start) / 1e9, (double) server.requests() / RANKS);
      for (Future<?> rank : ranks) {
        rank.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void meet(int rank, int port, CountDownLatch connected) {
    ContextOptions options = ContextOptions.DEFAULT.withTimeout(LONG);
    try (TcpStoreClient store = TcpStoreClient.connect("127.0.0.1", port, LONG);
        Device device = device();
        Context context = new Context(rank, RANKS, options)) {
      assertEquals(RANKS, context.connectFullMesh(store, device).size());
      connected.countDown();
      connected.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Device device() {
    return proxy(
        Device.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "name" -> "none";
              case "clock" -> Clock.SYSTEM;
              case "newMesh" -> mesh((Membership) arguments[0]);
              case "close" -> null;
              default -> InvocationHandler.invokeDefault(self, method, arguments);
            });
  }

  private static Mesh mesh(Membership membership) {
    byte[] own = ("address of rank " + membership.rank()).getBytes(UTF_8);
    return proxy(
        Mesh.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "membership" -> membership;
              case "clock" -> Clock.SYSTEM;
              case "address" -> new Address("none", "host", "none:" + membership.rank(), own);
              case "failure" -> Optional.empty();
              case "connect", "close" -> null;
              default -> InvocationHandler.invokeDefault(self, method, arguments);
            });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
