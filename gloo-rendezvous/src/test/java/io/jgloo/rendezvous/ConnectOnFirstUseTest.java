package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The timeout for connecting pairs that the mesh is given. */
@Timeout(60)
class ConnectOnFirstUseTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(50);

  /** Slices, between which records are read again, are for meshes that connect at once. */
  @ParameterizedTest
  @ValueSource(strings = {"lazy", "eager"})
  void pairConnectedOnFirstUse_hasTheWholeTimeout(String connecting) throws Exception {
    Queue<Duration> timeouts = new ConcurrentLinkedQueue<>();
    CountDownLatch connected = new CountDownLatch(2);
    List<CompletableFuture<Void>> ranks = new ArrayList<>();
    try (HashStore store = new HashStore(TIMEOUT)) {
      for (int i = 0; i < 2; i++) {
        int rank = i;
        Connected then =
            () -> {
              connected.countDown(); // a rank that closes before the other is connected is missed
              assertTrue(connected.await(50, TimeUnit.SECONDS));
            };
        ranks.add(
            CompletableFuture.runAsync(
                () -> connect(rank, connecting, store, timeouts, then),
                task -> new Thread(task, "rank-" + rank).start())); // the common pool may have one
      }
      for (CompletableFuture<Void> rank : ranks) {
        rank.get(50, TimeUnit.SECONDS);
      }
    }
    assertTrue(timeouts.size() >= 2, timeouts::toString);
    boolean lazy = connecting.equals("lazy");
    assertTrue(
        timeouts.stream().allMatch(each -> each.equals(TIMEOUT) == lazy), timeouts::toString);
  }

  @FunctionalInterface
  private interface Connected {
    void run() throws InterruptedException;
  }

  private static void connect(
      int rank, String connecting, HashStore store, Queue<Duration> timeouts, Connected then) {
    DeviceOptions options =
        DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("connecting", connecting);
    try (Device device = Devices.open("tcp", options);
        Context context = new Context(new Membership("world", 0, rank, 2), TIMEOUT)) {
      assertEquals(
          2, context.connectFullMesh(store, observed(device, timeouts)).membership().size());
      then.run();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A device whose meshes note the timeout with which they are connected. */
  private static Device observed(Device device, Queue<Duration> timeouts) {
    return observed(
        Device.class,
        device,
        (name, arguments, result) ->
            result instanceof Mesh mesh
                ? observed(Mesh.class, mesh, (call, given, returned) -> note(timeouts, call, given))
                : result);
  }

  private static Object note(Queue<Duration> timeouts, String call, Object[] given) {
    if (call.equals("connect")) {
      timeouts.add((Duration) given[1]);
    }
    return null;
  }

  @FunctionalInterface
  private interface Observer {
    /** Returns what the caller gets in place of the result, or null for the result itself. */
    Object called(String name, Object[] arguments, Object result);
  }

  private static <T> T observed(Class<T> type, T real, Observer observer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(real, arguments);
                Object instead = observer.called(method.getName(), arguments, result);
                return instead == null ? result : instead;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
