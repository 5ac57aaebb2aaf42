package io.jgloo.ps.store;

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

  /** The address of the value of a key, valid until the next key is added; 0 if there is none. */
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

  /** Number of keys. */
  long size();

  /** Reads all keys, in no order. */
  void forEach(EntryReader reader);

  @Override
  void close();
}
