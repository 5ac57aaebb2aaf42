package io.jgloo.ps.store;

import io.jgloo.transport.memory.Memory;
import org.jspecify.annotations.Nullable;

/**
 * Values of one length for each key of a range: one block of memory, the value of a key at its
 * index.
 */
public final class DenseValueStore extends TableStore {

  private final long firstKey;
  private final long keys;
  private final int bytes;
  private long memory;

  /**
   * @param firstKey first key, unsigned
   * @param keys number of keys, at least 1
   * @param bytes length of each value, at least 1
   * @throws IllegalArgumentException if a number is out of range
   */
  public DenseValueStore(long firstKey, long keys, int bytes) {
    if (keys < 1 || bytes < 1 || keys > (1L << 46) / bytes) {
      throw new IllegalArgumentException(
          "keys and bytes must be positive and their product at most 2^46, are "
              + keys
              + " and "
              + bytes);
    }
    this.firstKey = firstKey;
    this.keys = keys;
    this.bytes = bytes;
    memory = Memory.allocate(keys * bytes, Memory.CACHE_LINE);
    Memory.setZero(memory, keys * bytes);
  }

  @Override
  public long find(long key) {
    long index = key - firstKey;
    return Long.compareUnsigned(index, keys) < 0 ? memory + index * bytes : 0;
  }

  @Override
  public int bytes(long key) {
    return find(key) == 0 ? 0 : bytes;
  }

  @Override
  public long findOrAdd(long key, int length) {
    String refusal = refusal(key);
    if (refusal != null || length != bytes) {
      throw new IllegalArgumentException(
          refusal != null ? refusal : "values must have " + bytes + " bytes, one has " + length);
    }
    changes(key);
    return find(key);
  }

  @Override
  public @Nullable String refusal(long key) {
    return find(key) != 0
        ? null
        : ("key " + Long.toUnsignedString(key) + " cannot be held: keys are ")
            + Long.toUnsignedString(firstKey)
            + (" to " + Long.toUnsignedString(firstKey + keys - 1));
  }

  /** Sets the value of a key to zeros: the store has a place for each key of its range. */
  @Override
  public boolean remove(long key) {
    if (find(key) != 0) {
      Memory.setZero(findOrAdd(key, bytes), bytes);
    }
    return find(key) != 0;
  }

  @Override
  public long size() {
    return keys;
  }

  @Override
  long places() {
    return keys;
  }

  @Override
  long place(long key) {
    return key - firstKey;
  }

  @Override
  void read(long place, EntryReader reader) {
    reader.read(firstKey + place, memory + place * bytes, bytes);
  }

  @Override
  public void close() {
    if (memory != 0) {
      Memory.free(memory);
      memory = 0;
    }
  }
}
