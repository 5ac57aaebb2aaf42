package io.jgloo.transport.shm;

import io.jgloo.transport.ProtocolException;

/**
 * The writing end of a ring of bytes with one writer and one reader.
 *
 * <p>Positions count all bytes ever written or read. The writer owns the tail, the reader the head;
 * each keeps a copy of the other's, which it reads again only when it finds no room, or nothing to
 * read. What is between head and tail is the reader's, the rest the writer's.
 *
 * <p><i>Threads</i>: one at a time.
 */
final class RingWriter {

  /** Published at a time, so that the reader of a long message begins while it is written. */
  static final int PUBLISH_BYTES = 32 << 10;

  private final SharedMemory memory;
  private final long tailWord;
  private final long headWord;
  private final long data;
  private final long size;
  private long tail;
  private long head;

  /**
   * @param data offset of the ring's bytes
   * @param size of the ring in bytes, a power of two
   */
  RingWriter(SharedMemory memory, long tailWord, long headWord, long data, long size) {
    this.memory = memory;
    this.tailWord = tailWord;
    this.headWord = headWord;
    this.data = data;
    this.size = size;
  }

  /**
   * Whether bytes could be written.
   *
   * @throws ProtocolException if the reader's position is not one it can have
   */
  boolean hasRoom() {
    if (tail - head < size) {
      return true;
    }
    readHead();
    return tail - head < size;
  }

  private void readHead() {
    long found = memory.getAcquire(headWord); // pairs with RingReader's release: bytes are read
    long unread = tail - found; // what is known to be unread is at most the ring, as in RingReader
    if (unread < 0 || unread > tail - head) {
      throw new ProtocolException(
          ("the head " + found + " of a ring of " + size + " bytes, which must be ")
              + (head + " to " + tail));
    }
    head = found;
  }

  /** Writes and publishes what fits, at most {@link #PUBLISH_BYTES}; returns the bytes written. */
  int write(long source, int length) {
    int wanted = Math.min(length, PUBLISH_BYTES);
    if (size - (tail - head) < wanted) {
      readHead();
    }
    int count = (int) Math.min(wanted, size - (tail - head));
    if (count > 0) {
      long at = tail & (size - 1);
      long before = Math.min(count, size - at);
      memory.write(source, data + at, before);
      if (before < count) {
        memory.write(source + before, data, count - before);
      }
      tail += count;
      memory.putRelease(tailWord, tail); // pairs with RingReader.readTail
    }
    return count;
  }
}
