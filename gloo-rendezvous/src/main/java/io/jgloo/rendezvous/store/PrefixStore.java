package io.jgloo.rendezvous.store;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A name space in another store: {@code key} is kept there as {@code prefix + "/" + key}, nothing
 * normalised.
 *
 * <p>Prefixes nest: {@code new PrefixStore("a", new PrefixStore("b", store))} keeps {@code k} as
 * {@code b/a/k}. {@link #listKeys} shows the keys of this name space only; {@link #numKeys} is the
 * underlying store's number, as in PyTorch, since most stores can count but not filter.
 *
 * <p>A {@link #barrier} is built on keys, even where the store below has one of its own, as in
 * PyTorch.
 *
 * <p>Owns: nothing. Closing it does not close the underlying store, so that many name spaces can
 * live in one; it has no state of its own. Timeouts are those of the underlying store, and so are
 * messages and exceptions: they name keys with the prefix.
 */
public final class PrefixStore implements ExtendedStore {
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
  public long numKeys() {
    return extended().numKeys();
  }

  @Override
  public List<String> listKeys() {
    String start = prefix + "/"; // with the slash: "p" must not show the keys of its sibling "pq"
    return extended().listKeys().stream()
        .filter(key -> key.startsWith(start))
        .map(key -> key.substring(start.length()))
        .toList();
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
  public void multiSet(Map<String, byte[]> entries) {
    Map<String, byte[]> prefixed = new LinkedHashMap<>();
    entries.forEach((key, value) -> prefixed.put(full(key), value));
    extended().multiSet(prefixed);
  }

  @Override
  public void queuePush(String key, byte[] value) {
    extended().queuePush(full(key), value);
  }

  @Override
  public byte[] queuePop(String key, Duration timeout) {
    return extended().queuePop(full(key), timeout);
  }

  @Override
  public long queueLen(String key) {
    return extended().queueLen(full(key));
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "PrefixStore[" + prefix + " in " + underlying + "]";
  }

  private ExtendedStore extended() {
    if (underlying instanceof ExtendedStore extended) {
      return extended;
    }
    throw new UnsupportedOperationException(underlying + " is no ExtendedStore");
  }

  private String full(String key) {
    return prefix + "/" + StoreKeys.require(key);
  }

  private List<String> full(Collection<String> keys) {
    return StoreKeys.requireAll(keys).stream().map(this::full).toList();
  }
}
