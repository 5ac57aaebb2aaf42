package io.jgloo.testkit;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.transport.ClosedException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

/** One rank's handle of the store of a run: unavailable once the store is lost or the rank dead. */
final class RankStore {
  private RankStore() {}

  /**
   * @param loss why the store is not available, empty as long as it is
   */
  static Store of(HashStore store, Supplier<String> loss) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (self, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null; // the store is that of all ranks
              }
              if (method.getDeclaringClass() == Object.class) {
                return method.invoke(store, arguments);
              }
              check(loss);
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                if (e.getCause() instanceof ClosedException) {
                  check(loss);
                }
                throw e.getCause();
              }
            });
  }

  private static void check(Supplier<String> loss) {
    if (!loss.get().isEmpty()) {
      throw new StoreUnavailableException(loss.get(), null);
    }
  }
}
