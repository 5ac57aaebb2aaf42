package io.jgloo.rendezvous.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a user's store that has only what it owes can do all the same, by the defaults. */
@Timeout(60)
final class MinimalStoreTest {
  private final HashStore kept = new HashStore(Duration.ofSeconds(10));

  /** The mandatory methods, and nothing else. */
  private final Store minimal =
      (Store)
          Proxy.newProxyInstance(
              Store.class.getClassLoader(),
              new Class<?>[] {Store.class},
              (self, method, arguments) -> {
                if (method.isDefault()) {
                  return InvocationHandler.invokeDefault(self, method, arguments);
                }
                try {
                  return method.invoke(kept, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });

  @Test
  void manyKeysAtOnce_areReadOneByOne() {
    minimal.set("a", new byte[] {1});
    minimal.set("b", new byte[] {2});
    assertArrayEquals(new byte[] {2}, minimal.multiGet(List.of("b", "a"), Duration.ZERO).get(0));
    assertThrows(
        StoreTimeoutException.class, () -> minimal.multiGet(List.of("a", "c"), Duration.ZERO));
  }

  @Test
  void prefix_passesOnWhatTheStoreSupports() {
    PrefixStore prefixed = new PrefixStore("p", minimal);
    prefixed.set("foo", new byte[] {9});
    assertArrayEquals(new byte[] {9}, minimal.get("p/foo"));
    assertThrows(UnsupportedOperationException.class, () -> prefixed.append("k", new byte[0]));
  }
}
