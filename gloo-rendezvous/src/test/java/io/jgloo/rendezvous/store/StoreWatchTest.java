package io.jgloo.rendezvous.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.jgloo.transport.JGlooException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors of a watch's listener and of its store. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StoreWatchTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  @Test
  void anErrorOfAListener_doesNotEndTheWatch() throws Exception {
    LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
    StoreListener listener =
        (key, before, after) -> {
          seen.add(new String(after, UTF_8));
          throw new AssertionError("made by the test");
        };
    try (Store store = new HashStore(LONG);
        StoreWatch watch = StoreWatch.start(store, "k", listener)) {
      store.set("k", "1".getBytes(UTF_8));
      assertEquals("1", seen.take(), watch.toString());
      store.set("k", "2".getBytes(UTF_8));
      assertEquals("2", seen.poll(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void anErrorOfTheStore_isReportedAsTheEndOfTheWatch() throws Exception {
    CompletableFuture<JGlooException> ended = new CompletableFuture<>();
    StoreListener listener =
        new StoreListener() {
          @Override
          public void changed(String key, byte[] before, byte[] after) {}

          @Override
          public void ended(String key, JGlooException reason) {
            ended.complete(reason);
          }
        };
    AtomicInteger calls = new AtomicInteger();
    try (Store store = new HashStore(LONG);
        StoreWatch watch = StoreWatch.start(failing(store, calls), "k", listener)) {
      JGlooException reason = ended.get(30, TimeUnit.SECONDS);
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
}
