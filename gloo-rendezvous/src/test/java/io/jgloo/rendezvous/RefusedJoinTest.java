package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ranks that can never connect report why at all ranks, long before the deadline of the join, which
 * is later than that of the test.
 */
@Timeout(90)
final class RefusedJoinTest {
  private static final Duration LATER = Duration.ofMinutes(10);
  private static final DeviceOptions LOOPBACK = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Store store = new HashStore(LATER);

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  private JGlooException join(int rank, int size, DeviceOptions options) {
    return join(rank, size, options, store);
  }

  private JGlooException join(int rank, int size, DeviceOptions options, Store store) {
    try (Device device = Devices.open("tcp", options);
        Context context = new Context(new Membership("world", 0, rank, size), LATER)) {
      return assertThrows(
          JGlooException.class, () -> context.connectFullMesh(store, device), "rank " + rank);
    }
  }

  private List<JGlooException> joinAll(DeviceOptions... options) throws Exception {
    List<Future<JGlooException>> ranks = new ArrayList<>();
    for (int rank = 0; rank < options.length; rank++) {
      int own = rank;
      ranks.add(threads.submit(() -> join(own, options.length, options[own])));
    }
    List<JGlooException> failures = new ArrayList<>();
    for (Future<JGlooException> rank : ranks) {
      failures.add(rank.get());
    }
    return failures;
  }

  /** The odd rank is in turn the one that all dial, one between, and one that dials all. */
  @ParameterizedTest
  @CsvSource({
    "0, connections, 2, connections=2",
    "2, connections, 3, connections=3",
    "1, heartbeat, 700, heartbeat=700"
  })
  void unlikeAttributes_areReportedByAllRanks(int odd, String name, String value, String text)
      throws Exception {
    DeviceOptions[] options = {LOOPBACK, LOOPBACK, LOOPBACK};
    options[odd] = LOOPBACK.with(name, value);
    for (JGlooException failure : joinAll(options)) {
      assertInstanceOf(RendezvousException.class, failure);
      assertTrue(failure.getMessage().contains(text), failure.getMessage());
    }
  }

  @Test
  void rankThatReadsWhenTheOthersHaveLeft_reportsTheirRefusal() throws Exception {
    CountDownLatch left = new CountDownLatch(2);
    Store late =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (self, method, arguments) -> {
                  try {
                    return method.invoke(store, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  } finally {
                    if (method.getName().equals("compareSet")) { // it has registered
                      left.await();
                    }
                  }
                });
    Future<JGlooException> rank = threads.submit(() -> join(0, 3, LOOPBACK, late));
    for (int other = 1; other < 3; other++) {
      int own = other;
      threads.execute(
          () -> {
            join(own, 3, LOOPBACK.with("connections", "" + own));
            left.countDown();
          });
    }
    assertInstanceOf(RendezvousException.class, rank.get());
    assertTrue(rank.get().getMessage().contains("connections=2"), rank.get().getMessage());
  }

  /** The two ranks act as if on hosts of their own; nothing listens at what rank 0 publishes. */
  @Test
  void loopbackAddressOfAnotherHost_isReportedByBothRanks() throws Exception {
    String boot = "/%08x-1111-1111-1111-111111111111";
    DeviceOptions zero =
        LOOPBACK.with("advertise", "127.0.0.2").with("host", "a" + boot.formatted(1));
    DeviceOptions one = LOOPBACK.with("host", "b" + boot.formatted(2));
    for (JGlooException failure : joinAll(zero, one)) {
      String message = failure.getMessage();
      assertTrue(message.contains("which other hosts cannot reach"), message);
    }
  }
}
