package io.jgloo.ps.store;

import org.jspecify.annotations.Nullable;

/**
 * Values by unsigned 64-bit key, off the heap.
 *
 * <p><i>Threads</i>: one at a time. <i>Owns</i>: its memory.
 */
public interface ValueStore extends AutoCloseable {

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
   * @throws IllegalArgumentException if the key cannot be held, or has a value of another length
   */
  long findOrAdd(long key, int bytes);

  /** Says why a key cannot be held; null if it can. */
  default @Nullable String refusal(long key) {
    return null;
  }

  /**
   * Removes a key with its value.
   *
   * @return whether it was there
   */
  boolean remove(long key);

  /** Number of keys. */
  long size();

  /** Reads all keys, in no order. */
  void forEach(EntryReader reader);

  /**
   * Begins to read all keys, as they are now. By default all are read at once.
   *
   * @param reader is given each key once, in no order
   */
  default Pass pass(EntryReader reader) {
    forEach(reader);
    return new Pass() {
      @Override
      public boolean advance(long places) {
        return false;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  void close();
}
