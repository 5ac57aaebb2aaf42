package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Membership;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of the store by the rank that comes last, however many ranks there are. */
@Timeout(value = 100, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LastRankTest {
  private static final Duration LONG = Duration.ofSeconds(90);

  @Test
  void rankThatFindsAllOthers_makesFourCalls() throws Exception {
    int size = 17;
    Queue<String> requests = new ConcurrentLinkedQueue<>();
    CountDownLatch connected = new CountDownLatch(size);
    ExecutorService threads = Executors.newCachedThreadPool();
    try (HashStore store = new HashStore(LONG)) {
      List<Future<?>> ranks = new ArrayList<>();
      for (int i = 0; i < size - 1; i++) {
        int rank = i;
        ranks.add(threads.submit(() -> connect(rank, size, store, connected)));
      }
      store.wait(
          IntStream.range(0, size - 1).mapToObj(rank -> "world@0/rank/" + rank).toList(), LONG);
      ranks.add(
          threads.submit(() -> connect(size - 1, size, observed(store, requests), connected)));
      for (Future<?> rank : ranks) {
        rank.get();
      }
    } finally {
      threads.shutdownNow();
    }
    // Whether sizes differ, its record, the others, their records.
    assertEquals(
        List.of("check", "check", "compareSet", "await", "multiGet"), List.copyOf(requests));
  }

  private static void connect(int rank, int size, Store store, CountDownLatch connected) {
    DeviceOptions options =
        DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("connecting", "lazy");
    try (Device device = Devices.open("tcp", options);
        Context context = new Context(new Membership("world", 0, rank, size), LONG)) {
      assertEquals(size, context.connectFullMesh(store, device).membership().size());
      connected.countDown();
      connected.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The store, whose requests until the rank withdraws are noted, but for those by the clock. */
  private static Store observed(Store store, Queue<String> requests) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> {
              boolean ended = requests.contains("multiGet");
              boolean timed = method.getName().equals("add"); // a lease
              if (!ended && !timed && method.getDeclaringClass() == Store.class) {
                requests.add(method.getName());
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
