package io.jgloo.rendezvous.store;

import io.jgloo.rendezvous.store.table.StoreTable;
import io.jgloo.rendezvous.time.Deadline;
import io.jgloo.rendezvous.time.Interruption;
import io.jgloo.transport.ClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in the memory of one JVM, for ranks that are threads of it: they share the one object.
 *
 * <p>Everything is atomic, {@link #multiGet} included.
 */
public final class HashStore implements Store {
  private final ReentrantLock lock = new ReentrantLock();
  private final StoreTable table = new StoreTable(Long.MAX_VALUE);
  private final Set<Parked> parked = new HashSet<>();
  private final Duration timeout;
  private boolean closed;

  /** An empty store with {@link Store#DEFAULT_TIMEOUT}. */
  public HashStore() {
    this(DEFAULT_TIMEOUT);
  }

  /** An empty store. */
  public HashStore(Duration timeout) {
    Deadline.after(timeout); // refuses an invalid timeout
    this.timeout = timeout;
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public void set(String key, byte[] value) {
    StoreKeys.require(key);
    byte[] copy = StoreKeys.requireValue(value).clone();
    locked(() -> table.set(key, copy));
  }

  @Override
  public byte[] get(String key, Duration timeout) {
    return multiGet(List.of(StoreKeys.require(key)), timeout).get(0);
  }

  @Override
  public void wait(Collection<String> keys, Duration timeout) {
    await(StoreKeys.requireAll(keys), timeout, () -> true);
  }

  @Override
  public long add(String key, long delta) {
    StoreKeys.require(key);
    return locked(
        () -> {
          long sum = StoreKeys.sum(key, table.get(key), delta);
          table.set(key, StoreKeys.text(sum));
          return sum;
        });
  }

  @Override
  public byte[] compareSet(String key, byte[] expected, byte[] desired) {
    StoreKeys.require(key);
    StoreKeys.requireValue(expected);
    byte[] copy = StoreKeys.requireValue(desired).clone();
    return locked(() -> table.compareSet(key, expected, copy).clone());
  }

  @Override
  public boolean deleteKey(String key) {
    StoreKeys.require(key);
    return locked(() -> table.delete(key));
  }

  @Override
  public boolean check(Collection<String> keys) {
    String[] wanted = StoreKeys.requireAll(keys).toArray(String[]::new);
    return locked(() -> table.containsAll(wanted));
  }

  @Override
  public void append(String key, byte[] value) {
    StoreKeys.require(key);
    byte[] copy = StoreKeys.requireValue(value).clone();
    locked(() -> table.set(key, StoreKeys.concat(key, table.get(key), copy)));
  }

  @Override
  public List<byte[]> multiGet(List<String> keys, Duration timeout) {
    List<String> wanted = StoreKeys.requireAll(keys);
    return await(wanted, timeout, () -> values(wanted));
  }

  /** The values, or {@code null} if one was deleted between the wake-up and the lock. */
  private @Nullable List<byte[]> values(List<String> keys) {
    List<byte[]> values = new ArrayList<>(keys.size());
    for (String key : keys) {
      byte[] value = table.get(key);
      if (value == null) {
        return null;
      }
      values.add(value.clone());
    }
    return values;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      parked.forEach(waiter -> waiter.woken.signal());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "HashStore";
  }

  private <T> T locked(Supplier<T> body) {
    lock.lock();
    try {
      requireOpen();
      return body.get();
    } finally {
      lock.unlock();
    }
  }

  private void locked(Runnable body) {
    locked(
        () -> {
          body.run();
          return null;
        });
  }

  private void requireOpen() {
    if (closed) {
      throw new ClosedException(toString() + " is closed");
    }
  }

  /**
   * Waits until the keys exist and {@code taken} returns a value, which is called under the lock.
   */
  private <T> T await(List<String> keys, Duration timeout, Supplier<T> taken) {
    Deadline deadline = Deadline.after(timeout);
    String[] wanted = keys.toArray(String[]::new);
    lock.lock();
    try {
      while (true) {
        park(wanted, deadline, timeout);
        T result = taken.get();
        if (result != null) {
          return result;
        }
        if (deadline.passed()) {
          throw new StoreTimeoutException(timeout, keys);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void park(String[] keys, Deadline deadline, Duration timeout) {
    requireOpen();
    Parked waiter = new Parked(keys, lock.newCondition());
    if (table.await(waiter)) {
      return;
    }
    parked.add(waiter);
    try {
      while (!waiter.ready) {
        if (waiter.woken.awaitNanos(deadline.remainingNanos()) <= 0 && !waiter.ready) {
          requireOpen();
          throw new StoreTimeoutException(timeout, table.missing(keys));
        }
        requireOpen();
      }
    } catch (InterruptedException e) {
      throw Interruption.during("waiting for keys of " + this, e);
    } finally {
      parked.remove(waiter);
      table.forget(waiter);
    }
  }

  /** A thread that sleeps until its keys exist. */
  private static final class Parked extends StoreTable.Waiter {
    private final Condition woken;
    private boolean ready;

    Parked(String[] keys, Condition woken) {
      super(keys);
      this.woken = woken;
    }

    @Override
    public void ready() {
      ready = true;
      woken.signal();
    }
  }
}
