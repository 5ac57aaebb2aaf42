package io.jgloo.ps.store;

import io.jgloo.transport.memory.Memory;
import java.util.ArrayList;
import java.util.List;

/**
 * Values of any length by any key: the first use of a key decides how long its value is.
 *
 * <p>Memory: a {@link HashValueStore} with 12 bytes for each key, and the values in pieces of 1 MiB
 * or more.
 */
public final class VariableValueStore implements ValueStore {

  private static final int PIECE = 1 << 20;

  private final HashValueStore places;
  private final List<Long> pieces = new ArrayList<>();
  private long free;
  private long end;

  /**
   * @param expected number of keys to make room for at once
   */
  public VariableValueStore(long expected) {
    places = new HashValueStore(12, expected);
  }

  @Override
  public long find(long key) {
    long place = places.find(key);
    return place == 0 ? 0 : Memory.getLong(place);
  }

  @Override
  public int bytes(long key) {
    long place = places.find(key);
    return place == 0 ? 0 : Memory.getInt(place + 8);
  }

  @Override
  public long findOrAdd(long key, int length) {
    long place = places.findOrAdd(key, 12);
    if (Memory.getInt(place + 8) == 0 && length > 0) { // a value of no length can get one
      Memory.putLong(place, allocate(length));
      Memory.putInt(place + 8, length);
    }
    if (Memory.getInt(place + 8) != length) {
      throw new IllegalArgumentException(
          ("the value of key " + Long.toUnsignedString(key) + " must have ")
              + (Memory.getInt(place + 8) + " bytes, has " + length));
    }
    return Memory.getLong(place);
  }

  private long allocate(int length) {
    long rounded = Math.max(8, (length + 7L) / 8 * 8);
    if (end - free < rounded) {
      long bytes = Math.max(PIECE, rounded);
      free = Memory.allocate(bytes, Memory.CACHE_LINE);
      end = free + bytes;
      pieces.add(free);
    }
    long address = free;
    free += rounded;
    Memory.setZero(address, rounded);
    return address;
  }

  @Override
  public long size() {
    return places.size();
  }

  /** Removes a key; the memory of its value is given back with the store. */
  @Override
  public boolean remove(long key) {
    return places.remove(key);
  }

  @Override
  public void forEach(EntryReader reader) {
    places.forEach(resolving(reader));
  }

  private static EntryReader resolving(EntryReader reader) {
    return (key, place, bytes) -> reader.read(key, Memory.getLong(place), Memory.getInt(place + 8));
  }

  @Override
  public Pass pass(EntryReader reader) {
    return places.pass(resolving(reader));
  }

  @Override
  public void close() {
    places.close();
    pieces.forEach(Memory::free);
    pieces.clear();
    free = 0;
    end = 0;
  }
}
