package io.jgloo.rendezvous.store.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jgloo.rendezvous.store.StoreTimeoutException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that a server gets of a client that waits for the keys of many ranks. */
@Timeout(value = 110, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StoreLoadTest {
  private static final Duration LONG = Duration.ofSeconds(100);
  private static final int KEYS = 1024;

  private final StoreServer server =
      StoreServer.start(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TcpStoreLimits.DEFAULT);

  @AfterEach
  void stop() {
    server.close();
  }

  /** A request for each part of 32 keys, then for each key of the part that is incomplete. */
  @ParameterizedTest
  @ValueSource(ints = {0, 700, KEYS - 1})
  void waitThatEnds_asksForPartsOfTheKeys(int missing) {
    Map<String, byte[]> entries = new TreeMap<>();
    List<String> keys = new ArrayList<>();
    for (int rank = 0; rank < KEYS; rank++) {
      keys.add("rank/" + rank);
      entries.put("rank/" + rank, "here".getBytes(UTF_8));
    }
    entries.remove("rank/" + missing);
    try (TcpStoreClient store = TcpStoreClient.connect("127.0.0.1", server.port(), LONG)) {
      entries.forEach(store::set);
      long before = server.requests();
      StoreTimeoutException timeout =
          assertThrows(StoreTimeoutException.class, () -> store.wait(keys, Duration.ZERO));
      assertEquals(List.of("rank/" + missing), timeout.keys());
      assertEquals(32 + 32, server.requests() - before);
      before = server.requests();
      timeout =
          assertThrows(StoreTimeoutException.class, () -> store.wait(keys, Duration.ofMillis(50)));
      assertEquals(List.of("rank/" + missing), timeout.keys());
      assertEquals(1 + 1 + 32 + 32, server.requests() - before, "a wait, its cancellation, checks");
    }
  }
}
