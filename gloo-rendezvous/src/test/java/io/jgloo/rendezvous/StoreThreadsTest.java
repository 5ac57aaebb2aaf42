package io.jgloo.rendezvous;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.GlooException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads of the stores outlast an {@code Error}, and timeouts may be as long as one likes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StoreThreadsTest {
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

  @Test
  void anErrorOfAListener_doesNotEndTheWatch() throws Exception {
    LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
    StoreListener listener =
        (key, before, after) -> {
          seen.add(new String(after, UTF_8));
          throw new AssertionError("made by the test");
        };
    try (Store store = new HashStore(LONG);
        StoreWatch watch = store.watchKey("k", listener)) {
      store.set("k", "1".getBytes(UTF_8));
      assertEquals("1", seen.take(), watch.toString());
      store.set("k", "2".getBytes(UTF_8));
      assertEquals("2", seen.poll(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void anErrorOfTheStore_isReportedAsTheEndOfTheWatch() throws Exception {
    CompletableFuture<GlooException> ended = new CompletableFuture<>();
    StoreListener listener =
        new StoreListener() {
          @Override
          public void changed(String key, byte[] before, byte[] after) {}

          @Override
          public void ended(String key, GlooException reason) {
            ended.complete(reason);
          }
        };
    AtomicInteger calls = new AtomicInteger();
    try (Store store = new HashStore(LONG);
        StoreWatch watch = StoreWatch.start(failing(store, calls), "k", listener)) {
      GlooException reason = ended.get(30, TimeUnit.SECONDS);
      assertInstanceOf(StackOverflowError.class, reason.getCause(), watch.toString());
    }
  }

  /** A store of the user's own that fails from its second call on. */
  private static Store failing(Store store, AtomicInteger calls) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("get") && calls.incrementAndGet() > 1) {
                throw new StackOverflowError("made by the test");
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** By which a rank shows that it is alive. */
  @Test
  void anErrorOfARepeatedTask_doesNotEndItsRepetition() throws Exception {
    CountDownLatch runs = new CountDownLatch(3);
    try (Store store = new HashStore(LONG);
        StoreClerk clerk = new StoreClerk(store, 0)) {
      assertFalse(
          clerk
              .repeat(
                  Duration.ofMillis(1),
                  () -> {
                    runs.countDown();
                    throw new StackOverflowError("made by the test");
                  })
              .isCancelled());
      assertTrue(runs.await(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void theLongestTimeout_doesNotOverflow() {
    assertTrue(Deadline.after(LONGEST).remainingNanos() > 0);
    assertTrue(Deadline.after(LONGEST).later(LONGEST).remainingNanos() > 0);
    List<String> keys = List.of("k");
    assertEquals(keys, new StoreTimeoutException(LONGEST, keys).keys());
    assertTrue(new StoreTimeoutException(LONGEST, 1, 2).getMessage().contains("1/2"));
    assertTrue(new StoreTimeoutException(LONGEST, "k", 1, 2).getMessage().contains("1 of 2"));
    RedisAddress.parse("redis://127.0.0.1:1").open(LONGEST).close();
  }
}
