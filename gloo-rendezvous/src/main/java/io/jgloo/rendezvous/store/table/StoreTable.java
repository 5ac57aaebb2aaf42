package io.jgloo.rendezvous.store.table;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The keys, queues and waiters of one store in memory: what the store in memory and the TCP server
 * have in common.
 *
 * <p>A waiter is registered under one key only, the first it misses; when that key comes into
 * existence it looks for the next one it misses. So a waiter costs the same whether it waits for
 * one key or for 100,000, nothing has to be counted or corrected when a key is deleted meanwhile,
 * and it is woken exactly when all its keys exist at once. (Registering under every key, as
 * PyTorch's server does, costs ranks times ranks entries when all ranks wait for all ranks.)
 *
 * <p>Threads: none of its own and no lock; its user brings the lock or the single thread. Byte
 * arrays are kept and handed out as they are.
 *
 * <p>Fails: {@link TableFullException} when {@code maxBytes} would be exceeded, with nothing
 * changed.
 */
public final class StoreTable {
  /** What an entry costs beyond its bytes: two objects, a map node. An estimate that errs high. */
  private static final int ENTRY_BYTES = 96;

  /** A waiter for some keys, until all of them exist. */
  public abstract static class Waiter {
    private final String[] keys;
    private int cursor;
    private boolean forgotten;
    private boolean atBarrier;

    public Waiter(String[] keys) {
      this.keys = keys;
    }

    /** All keys exist at this moment; called once, then the waiter is forgotten. */
    public abstract void ready();
  }

  private final Map<String, byte[]> values = new HashMap<>();
  private final Map<String, ArrayDeque<byte[]>> queues = new HashMap<>();
  private final Map<String, Set<Waiter>> waiters = new HashMap<>();
  private final Map<String, Set<Waiter>> barriers = new HashMap<>();
  private final long maxBytes;
  private long bytes;

  public StoreTable(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  public byte[] get(String key) {
    return values.get(key);
  }

  public boolean contains(String key) {
    return values.containsKey(key) || queues.containsKey(key);
  }

  public boolean containsAll(String[] keys) {
    return Arrays.stream(keys).allMatch(this::contains);
  }

  public List<String> missing(String[] keys) {
    return Arrays.stream(keys).filter(key -> !contains(key)).toList();
  }

  public int size() {
    return values.size();
  }

  public List<String> keys() {
    return new ArrayList<>(values.keySet());
  }

  /** Bytes held, an estimate of the overhead included. */
  public long bytes() {
    return bytes;
  }

  public void set(String key, byte[] value) {
    byte[] old = values.get(key);
    charge(old == null ? cost(key, value) : value.length - old.length, key);
    values.put(key, value);
    if (old == null) {
      appeared(key);
    }
  }

  public byte[] compareSet(String key, byte[] expected, byte[] desired) {
    byte[] old = values.get(key);
    if (old == null && expected.length > 0) {
      return expected;
    }
    if (old != null && !Arrays.equals(old, expected)) {
      return old;
    }
    set(key, desired);
    return desired;
  }

  public boolean delete(String key) {
    byte[] old = values.remove(key);
    if (old != null) {
      bytes -= cost(key, old);
    }
    ArrayDeque<byte[]> queue = queues.remove(key);
    if (queue != null) {
      queue.forEach(value -> bytes -= cost(key, value));
    }
    return old != null || queue != null;
  }

  public void push(String key, byte[] value) {
    charge(cost(key, value), key);
    ArrayDeque<byte[]> queue = queues.get(key);
    if (queue != null) {
      queue.add(value);
      return;
    }
    queues.put(key, new ArrayDeque<>(List.of(value)));
    appeared(key);
  }

  /** The first element of the queue, {@code null} if there is none. */
  public byte[] pop(String key) {
    ArrayDeque<byte[]> queue = queues.get(key);
    if (queue == null) {
      return null;
    }
    byte[] value = queue.remove();
    bytes -= cost(key, value);
    if (queue.isEmpty()) {
      queues.remove(key); // so that an empty queue is no queue, and costs nothing
    }
    return value;
  }

  public int queueLength(String key) {
    ArrayDeque<byte[]> queue = queues.get(key);
    return queue == null ? 0 : queue.size();
  }

  /** Registers the waiter, unless all its keys exist: then returns true and forgets it. */
  public boolean await(Waiter waiter) {
    String[] keys = waiter.keys;
    for (int looked = 0; looked < keys.length; looked++) {
      String key = keys[waiter.cursor];
      if (!contains(key)) {
        waiters.computeIfAbsent(key, absent -> new LinkedHashSet<>()).add(waiter);
        return false;
      }
      waiter.cursor = (waiter.cursor + 1) % keys.length;
    }
    return true;
  }

  public void forget(Waiter waiter) {
    waiter.forgotten = true;
    if (waiter.keys.length == 0) {
      return;
    }
    String key = waiter.keys[waiter.cursor];
    Map<String, Set<Waiter>> all = waiter.atBarrier ? barriers : waiters;
    Set<Waiter> watching = all.get(key);
    if (watching != null && watching.remove(waiter) && watching.isEmpty()) {
      all.remove(key);
    }
  }

  /**
   * Wakes the waiters of a barrier if it is complete, and registers this one, which has the key of
   * the barrier alone, if it is not.
   *
   * @return {@code complete}
   */
  public boolean barrier(Waiter waiter, boolean complete) {
    String key = waiter.keys[0];
    if (!complete) {
      waiter.atBarrier = true;
      barriers.computeIfAbsent(key, absent -> new LinkedHashSet<>()).add(waiter);
      return false;
    }
    Set<Waiter> waiting = barriers.remove(key);
    if (waiting != null) {
      waiting.forEach(Waiter::ready);
    }
    return true;
  }

  private void appeared(String key) {
    Set<Waiter> watching = waiters.remove(key);
    if (watching != null) {
      for (Waiter waiter : watching) {
        if (!waiter.forgotten && await(waiter)) {
          waiter.ready();
        }
      }
    }
  }

  private void charge(long more, String key) {
    if (bytes + more > maxBytes) {
      throw new TableFullException(
          String.format(
              "store is full: '%.120s' needs %d bytes beyond the %d held, %d are allowed",
              key, more, bytes, maxBytes));
    }
    bytes += more;
  }

  private static long cost(String key, byte[] value) {
    return (long) ENTRY_BYTES + key.length() + value.length;
  }
}
