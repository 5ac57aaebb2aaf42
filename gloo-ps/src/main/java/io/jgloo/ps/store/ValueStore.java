package io.jgloo.ps.store;

/**
 * Values by unsigned 64-bit key, off the heap.
 *
 * <p><i>Threads</i>: one at a time. <i>Owns</i>: its memory.
 */
public interface ValueStore extends AutoCloseable {

  /**
   * A store of values of one length: 8 bytes and the value for each place of a table that is at
   * most 3/4 full.
   *
   * @param bytes length of each value, at least 1
   */
  static ValueStore ofLength(int bytes) {
    return new HashValueStore(bytes);
  }

  /** A store of values of any length: the first use of a key decides how long its value is. */
  static ValueStore ofAnyLength() {
    return new VariableValueStore();
  }

  /** Is given each key with its value. */
  @FunctionalInterface
  interface EntryReader {
    void read(long key, long address, int bytes);
  }

  /** Reads all keys as they were when it was made, while others are changed. */
  interface Pass extends AutoCloseable {
    /**
     * Reads some places.
     *
     * @return whether there are more
     */
    boolean advance(long places);

    @Override
    void close();
  }

  /**
   * The address of the value of a key, valid until the next key is added; 0 if there is none. To
   * change the value, {@link #findOrAdd} comes first.
   */
  long find(long key);

  /** Bytes of the value of a key; 0 if there is none. */
  int bytes(long key);

  /**
   * The address of the value of a key, which is added with zeros if there is none.
   *
   * @param bytes length of the value
   * @throws IllegalArgumentException if the key has a value of another length
   */
  long findOrAdd(long key, int bytes);

  /**
   * Removes a key with its value.
   *
   * @return whether it was there
   */
  boolean remove(long key);

  /**
   * Begins to read all keys, as they are now.
   *
   * @param reader is given each key once, in no order
   */
  Pass pass(EntryReader reader);

  @Override
  void close();
}
