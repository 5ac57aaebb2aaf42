package io.jgloo.rendezvous.store.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.Context;
import io.jgloo.rendezvous.RendezvousTimeoutException;
import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.PeerLostException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Hundreds of ranks meet through one server, one of ten so late that the others' first wait has
 * ended, and the requests of a rank do not grow with their number, though its first attempt to
 * connect reaches no other one. Their meshes are none, so that the store is all there is; {@code
 * -Djgloo.test.full=true} is 500 ranks, whose records take 120 MB of this one process.
 */
@Timeout(value = 200, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ManyRanksMeetTest {
  private static final Duration LONG = Duration.ofSeconds(150);
  private static final int RANKS = Boolean.getBoolean("jgloo.test.full") ? 500 : 150;

  /** How long a wait lasts, but for the last one. */
  private static final Duration WAIT = Duration.ofMillis(50 + Math.min(10 * RANKS, 5000));

  /** How often a rank increments its lease. */
  private static final Duration LEASE = Duration.ofMillis(Math.min(2 * RANKS, 2000));

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @Test
  void hundredsOfRanks_meetThroughOneServer() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    CountDownLatch connected = new CountDownLatch(RANKS);
    try (StoreServer server = StoreServer.start(any, TcpStoreLimits.DEFAULT)) {
      long start = System.nanoTime();
      List<Future<?>> ranks = new ArrayList<>();
      CountDownLatch firstWaitsHaveEnded = new CountDownLatch(1);
      for (int i = 0; i < RANKS; i++) {
        int rank = i;
        ranks.add(
            threads.submit(
                () -> {
                  if (rank % 10 == 0) {
                    firstWaitsHaveEnded.await();
                  }
                  meet(rank, server.port(), connected);
                  return null;
                }));
      }
      Thread.sleep(WAIT.multipliedBy(3).dividedBy(2).toMillis());
      firstWaitsHaveEnded.countDown();
      while (!connected.await(1, TimeUnit.SECONDS)) {
        for (Future<?> rank : ranks) {
          if (rank.isDone()) {
            rank.get(); // it has failed, and the others wait for it
          }
        }
      }
      long taken = System.nanoTime() - start;
      double requests = (double) server.requests() / RANKS;
      System.out.printf(
          "%d ranks met in %.2f s, %.1f requests a rank%n", RANKS, taken / 1e9, requests);
      // A wait that ends early: itself, its end, all keys, 16 keys, their records, three looks.
      long early = taken / WAIT.toNanos();
      // An attempt to connect that fails: what exists, the records, a look for other failures.
      long most = 26 + 24 * early + taken / LEASE.toNanos();
      assertTrue(requests <= most, requests + " requests a rank, " + early + " waits");
      for (Future<?> rank : ranks) {
        rank.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** All ranks give up at the same time, and remove their records. */
  @Test
  void missingRank_isTheOnlyOneThatIsNamed() throws Exception {
    int size = RANKS / 2;
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    CyclicBarrier begin = new CyclicBarrier(size - 1);
    try (StoreServer server = StoreServer.start(any, TcpStoreLimits.DEFAULT)) {
      List<Future<List<Integer>>> ranks = new ArrayList<>();
      for (int i = 1; i < size; i++) {
        int rank = i;
        ranks.add(threads.submit(() -> missing(rank, size, server.port(), begin)));
      }
      for (Future<List<Integer>> rank : ranks) {
        assertEquals(List.of(0), rank.get());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<Integer> missing(int rank, int size, int port, CyclicBarrier begin)
      throws Exception {
    Membership membership = new Membership("world", 0, rank, size);
    try (TcpStoreClient store = TcpStoreClient.connect("127.0.0.1", port, LONG);
        Device device = device();
        Context context = new Context(membership, Duration.ofSeconds(10))) {
      begin.await();
      return assertThrows(
              RendezvousTimeoutException.class, () -> context.connectFullMesh(store, device))
          .missingRanks();
    }
  }

  private static void meet(int rank, int port, CountDownLatch connected) {
    try (TcpStoreClient store = TcpStoreClient.connect("127.0.0.1", port, LONG);
        Device device = device();
        Context context = new Context(new Membership("world", 0, rank, RANKS), LONG)) {
      assertEquals(RANKS, context.connectFullMesh(store, device).membership().size());
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
              case "liveness" -> Liveness.ALIVE;
              case "clock" -> Clock.SYSTEM;
              case "newMesh" -> mesh((Membership) arguments[0]);
              case "close" -> null;
              default -> InvocationHandler.invokeDefault(self, method, arguments);
            });
  }

  private static Mesh mesh(Membership membership) {
    AtomicBoolean failed = new AtomicBoolean();
    byte[] own = ("address of rank " + membership.rank()).getBytes(UTF_8);
    return proxy(
        Mesh.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "membership" -> membership;
              case "clock" -> Clock.SYSTEM;
              case "address" -> new Address("none", "host", "none:" + membership.rank(), own);
              case "failure" -> Optional.empty();
              case "connect" -> connect(membership, failed);
              case "close" -> null;
              default -> InvocationHandler.invokeDefault(self, method, arguments);
            });
  }

  /** Reaches no other rank the first time. */
  private static Void connect(Membership membership, AtomicBoolean failed) {
    if (failed.getAndSet(true)) {
      return null;
    }
    Map<Integer, JGlooException> causes = new TreeMap<>();
    for (int peer = 0; peer < membership.size(); peer++) {
      if (peer != membership.rank()) {
        causes.put(peer, new PeerLostException(peer, "not reached", null));
      }
    }
    throw new MeshConnectException("not reached", causes);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
