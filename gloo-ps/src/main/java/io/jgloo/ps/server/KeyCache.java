package io.jgloo.ps.server;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Block;
import io.jgloo.transport.memory.Memory;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lists of keys that workers have sent, by their digest; those that were used last are kept.
 *
 * <p><i>Threads</i>: one at a time; what {@link #find} returns is closed by any. <i>Owns</i>: the
 * lists.
 */
public final class KeyCache implements AutoCloseable {

  private record Id(AgentId worker, long digest, int count) {}

  /** A list, in memory until it is neither cached nor in use. */
  private static final class Keys {
    final Block memory;
    final AtomicInteger uses = new AtomicInteger(1);

    Keys(Block memory) {
      this.memory = memory;
    }

    void release() {
      if (uses.decrementAndGet() == 0) {
        memory.close();
      }
    }

    Block use() {
      uses.incrementAndGet();
      return Block.of(memory.address(), memory.length(), this::release);
    }
  }

  private final long most;
  private final LinkedHashMap<Id, Keys> lists = new LinkedHashMap<>(16, 0.75f, true);
  private final AtomicLong hits = new AtomicLong();
  private final AtomicLong misses = new AtomicLong();
  private long bytes;

  /**
   * @param most bytes of keys that are kept
   */
  public KeyCache(long most) {
    this.most = most;
  }

  /** A list to be closed after use, or null. */
  public Block find(AgentId worker, long digest, int count) {
    Keys keys = lists.get(new Id(worker, digest, count));
    (keys == null ? misses : hits).incrementAndGet();
    return keys == null ? null : keys.use();
  }

  /** How often a list was found; any thread. */
  public long hits() {
    return hits.get();
  }

  /** How often a list was not found; any thread. */
  public long misses() {
    return misses.get();
  }

  /** Keeps a copy of a list, unless it is too long. */
  public void add(AgentId worker, long digest, int count, long address) {
    long length = 8L * count;
    Id id = new Id(worker, digest, count);
    if (length > most || lists.containsKey(id)) {
      return;
    }
    Iterator<Keys> oldest = lists.values().iterator();
    while (bytes + length > most) {
      remove(oldest.next(), oldest);
    }
    Block copy = Block.allocate(length);
    Memory.copy(address, copy.address(), length);
    lists.put(id, new Keys(copy));
    bytes += length;
  }

  private void remove(Keys keys, Iterator<?> at) {
    at.remove();
    bytes -= keys.memory.length();
    keys.release();
  }

  /** Forgets the lists of a worker. */
  public void lost(AgentId worker) {
    Iterator<Map.Entry<Id, Keys>> entries = lists.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<Id, Keys> entry = entries.next();
      if (entry.getKey().worker.equals(worker)) {
        remove(entry.getValue(), entries);
      }
    }
  }

  @Override
  public void close() {
    lists.values().forEach(Keys::release);
    lists.clear();
    bytes = 0;
  }
}
