package io.jgloo.testkit;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.transport.ClosedException;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;

/** One rank's handle of the store of a run: unavailable once the store is lost or the rank dead. */
final class RankStore implements Store {

  private final HashStore store;
  private final Supplier<String> loss;

  /**
   * @param loss why the store is not available, empty as long as it is
   */
  RankStore(HashStore store, Supplier<String> loss) {
    this.store = store;
    this.loss = loss;
  }

  private <T> T available(Supplier<T> request) {
    try {
      check();
      return request.get();
    } catch (ClosedException e) {
      check();
      throw e;
    }
  }

  private void check() {
    if (!loss.get().isEmpty()) {
      throw new StoreUnavailableException(loss.get(), null);
    }
  }

  @Override
  public Duration timeout() {
    return store.timeout();
  }

  @Override
  public void set(String key, byte[] value) {
    available(
        () -> {
          store.set(key, value);
          return key;
        });
  }

  @Override
  public byte[] get(String key, Duration timeout) {
    return available(() -> store.get(key, timeout));
  }

  @Override
  public void wait(Collection<String> keys, Duration timeout) {
    available(
        () -> {
          store.wait(keys, timeout);
          return keys;
        });
  }

  @Override
  public long add(String key, long delta) {
    return available(() -> store.add(key, delta));
  }

  @Override
  public byte[] compareSet(String key, byte[] expected, byte[] desired) {
    return available(() -> store.compareSet(key, expected, desired));
  }

  @Override
  public boolean deleteKey(String key) {
    return available(() -> store.deleteKey(key));
  }

  @Override
  public boolean check(Collection<String> keys) {
    return available(() -> store.check(keys));
  }

  @Override
  public void append(String key, byte[] value) {
    available(
        () -> {
          store.append(key, value);
          return key;
        });
  }

  @Override
  public void close() {
    // The store is that of all ranks.
  }

  @Override
  public String toString() {
    return "store of the test";
  }
}
