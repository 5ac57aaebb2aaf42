package io.jgloo.ps.store;

import io.jgloo.transport.memory.Memory;

/**
 * Values of one length by any key: a hash table with open addressing.
 *
 * <p>Memory: 8 bytes and the value, rounded up to 4, for each of the places, whose number is a
 * power of two and at least 4/3 of the keys. 10^8 keys with a float each take 2^27 places of 12
 * bytes, 1.6 GB. While it grows, half as much again.
 */
public final class HashValueStore extends TableStore {

  private static final long FEWEST = 64;

  private final int bytes;
  private final int place;
  private long places;
  private long memory;
  private long size;

  /** Memory of the value of key 0, which marks places without a key; 0 if it has none. */
  private long ofZero;

  /**
   * @param bytes length of each value, at least 1
   * @param expected number of keys to make room for at once
   * @throws IllegalArgumentException if a number is out of range
   */
  public HashValueStore(int bytes, long expected) {
    if (bytes < 1 || expected < 0) {
      throw new IllegalArgumentException(
          "bytes must be positive and expected not negative, are " + bytes + " and " + expected);
    }
    this.bytes = bytes;
    place = 8 + (bytes + 3) / 4 * 4;
    places = Math.max(FEWEST, Long.highestOneBit(Math.max(1, expected * 4 / 3)) * 2);
    memory = allocate(places);
  }

  private long allocate(long count) {
    long address = Memory.allocate(count * place, Memory.CACHE_LINE);
    Memory.setZero(address, count * place);
    return address;
  }

  private static long hash(long key) {
    long mixed = (key ^ (key >>> 32)) * 0xd6e8feb86659fd93L;
    return mixed ^ (mixed >>> 32);
  }

  /** The place of a key, or the free one where it belongs. */
  private long search(long key) {
    long index = hash(key) & (places - 1);
    while (true) {
      long address = memory + index * place;
      long there = Memory.getLong(address);
      if (there == key || there == 0) {
        return address;
      }
      index = (index + 1) & (places - 1);
    }
  }

  @Override
  public long find(long key) {
    if (key == 0) {
      return ofZero;
    }
    long address = search(key);
    return Memory.getLong(address) == 0 ? 0 : address + 8;
  }

  @Override
  public int bytes(long key) {
    return find(key) == 0 ? 0 : bytes;
  }

  @Override
  public long findOrAdd(long key, int length) {
    if (length != bytes) {
      throw new IllegalArgumentException(
          "the value of key "
              + Long.toUnsignedString(key)
              + " must have "
              + bytes
              + " bytes, has "
              + length);
    }
    changes(key);
    if (key == 0) {
      return zero();
    }
    long address = search(key);
    if (Memory.getLong(address) == 0) {
      if ((size + 1) * 4 > places * 3) {
        grow();
        address = search(key);
      }
      Memory.putLong(address, key);
      size++;
    }
    return address + 8;
  }

  private long zero() {
    if (ofZero == 0) {
      ofZero = Memory.allocate(bytes, Memory.CACHE_LINE);
      Memory.setZero(ofZero, bytes);
      size++;
    }
    return ofZero;
  }

  private void grow() {
    moves();
    long before = memory;
    long count = places;
    memory = allocate(2 * count);
    places = 2 * count;
    for (long i = 0; i < count; i++) {
      long address = before + i * place;
      long key = Memory.getLong(address);
      if (key != 0) {
        Memory.copy(address, search(key), place);
      }
    }
    Memory.free(before);
  }

  @Override
  public boolean remove(long key) {
    if (find(key) == 0) {
      return false;
    }
    moves();
    size--;
    if (key == 0) {
      Memory.free(ofZero);
      ofZero = 0;
      return true;
    }
    long mask = places - 1;
    long hole = (search(key) - memory) / place;
    for (long i = hole + 1 & mask; ; i = i + 1 & mask) { // what follows moves to its place
      long other = Memory.getLong(memory + i * place);
      if (other == 0) {
        Memory.setZero(memory + hole * place, place);
        return true;
      }
      if ((i - hash(other) & mask) >= (i - hole & mask)) {
        Memory.copy(memory + i * place, memory + hole * place, place);
        hole = i;
      }
    }
  }

  @Override
  public long size() {
    return size;
  }

  /** The places of the table, and one for key 0. */
  @Override
  long places() {
    return places + 1;
  }

  @Override
  long place(long key) {
    if (key == 0) {
      return ofZero == 0 ? -1 : places;
    }
    long address = search(key);
    return Memory.getLong(address) == 0 ? -1 : (address - memory) / place;
  }

  @Override
  void read(long index, EntryReader reader) {
    if (index == places) {
      if (ofZero != 0) {
        reader.read(0, ofZero, bytes);
      }
      return;
    }
    long address = memory + index * place;
    long key = Memory.getLong(address);
    if (key != 0) {
      reader.read(key, address + 8, bytes);
    }
  }

  @Override
  public void close() {
    if (memory != 0) {
      Memory.free(memory);
      memory = 0;
    }
    if (ofZero != 0) {
      Memory.free(ofZero);
      ofZero = 0;
    }
  }
}
