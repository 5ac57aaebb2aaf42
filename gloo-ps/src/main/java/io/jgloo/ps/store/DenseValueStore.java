package io.jgloo.ps.store;

import io.jgloo.transport.memory.Memory;

/**
 * Values of one length for each key of a range: one block of memory, the value of a key at its
 * index.
 */
public final class DenseValueStore implements ValueStore {

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
    long address = find(key);
    if (address == 0 || length != bytes) {
      throw new IllegalArgumentException(
          ("the value of key " + Long.toUnsignedString(key) + " with " + length)
              + (" bytes cannot be held: keys are " + Long.toUnsignedString(firstKey) + " to ")
              + (Long.toUnsignedString(firstKey + keys - 1) + " with " + bytes + " bytes"));
    }
    return address;
  }

  @Override
  public long size() {
    return keys;
  }

  @Override
  public void forEach(EntryReader reader) {
    for (long i = 0; i < keys; i++) {
      reader.read(firstKey + i, memory + i * bytes, bytes);
    }
  }

  @Override
  public void close() {
    if (memory != 0) {
      Memory.free(memory);
      memory = 0;
    }
  }
}
