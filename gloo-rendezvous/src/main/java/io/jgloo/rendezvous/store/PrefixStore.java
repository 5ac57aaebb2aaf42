package io.jgloo.rendezvous.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * A name space in another store: {@code key} is kept there as {@code prefix + "/" + key}, nothing
 * normalised.
 *
 * <p>Prefixes nest: {@code new PrefixStore("a", new PrefixStore("b", store))} keeps {@code k} as
 * {@code b/a/k}.
 *
 * <p>Owns: nothing. Closing it does not close the underlying store, so that many name spaces can
 * live in one; it has no state of its own. Timeouts are those of the underlying store, and so are
 * messages and exceptions: they name keys with the prefix.
 */
public final class PrefixStore implements Store {
  private final String prefix;
  private final Store underlying;

  /** The name space {@code prefix} of {@code underlying}. */
  public PrefixStore(String prefix, Store underlying) {
    if (underlying == null) {
      throw new IllegalArgumentException("underlying must not be null");
    }
    this.prefix = StoreKeys.require(prefix);
    this.underlying = underlying;
  }

  /** The store this is a part of, which may be a name space itself. */
  public Store underlying() {
    return underlying;
  }

  /** The store below all name spaces. */
  public Store root() {
    return underlying instanceof PrefixStore prefixed ? prefixed.root() : underlying;
  }

  @Override
  public Duration timeout() {
    return underlying.timeout();
  }

  @Override
  public void set(String key, byte[] value) {
    underlying.set(full(key), value);
  }

  @Override
  public byte[] get(String key, Duration timeout) {
    return underlying.get(full(key), timeout);
  }

  @Override
  public void wait(Collection<String> keys, Duration timeout) {
    underlying.wait(full(keys), timeout);
  }

  @Override
  public boolean await(Collection<String> keys, Duration timeout) {
    return underlying.await(full(keys), timeout);
  }

  @Override
  public long add(String key, long delta) {
    return underlying.add(full(key), delta);
  }

  @Override
  public byte[] compareSet(String key, byte[] expected, byte[] desired) {
    return underlying.compareSet(full(key), expected, desired);
  }

  @Override
  public boolean deleteKey(String key) {
    return underlying.deleteKey(full(key));
  }

  @Override
  public boolean check(Collection<String> keys) {
    return underlying.check(full(keys));
  }

  @Override
  public void append(String key, byte[] value) {
    underlying.append(full(key), value);
  }

  @Override
  public List<byte[]> multiGet(List<String> keys, Duration timeout) {
    return underlying.multiGet(full(keys), timeout);
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "PrefixStore[" + prefix + " in " + underlying + "]";
  }

  private String full(String key) {
    return prefix + "/" + StoreKeys.require(key);
  }

  private List<String> full(Collection<String> keys) {
    return StoreKeys.requireAll(keys).stream().map(this::full).toList();
  }
}
