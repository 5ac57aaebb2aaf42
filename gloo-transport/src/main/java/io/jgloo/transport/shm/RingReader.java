package io.jgloo.transport.shm;

import io.jgloo.transport.ProtocolException;

/**
 * The reading end of a ring of bytes; see {@link RingWriter}.
 *
 * <p>The head is published when a quarter of the ring has been read since the last time: a writer
 * that finds the ring full waits for at least that much to be read. So short messages do not make
 * the two processors exchange a cache line for it.
 *
 * <p><i>Threads</i>: one at a time.
 */
final class RingReader {

  private final SharedMemory memory;
  private final long tailWord;
  private final long headWord;
  private final long data;
  private final long size;
  private long head;
  private long tail;
  private long published;

  /**
   * @param data offset of the ring's bytes
   * @param size of the ring in bytes, a power of two
   */
  RingReader(SharedMemory memory, long tailWord, long headWord, long data, long size) {
    this.memory = memory;
    this.tailWord = tailWord;
    this.headWord = headWord;
    this.data = data;
    this.size = size;
  }

  /**
   * Whether there is something to read.
   *
   * @throws ProtocolException if the writer's position is not one it can have
   */
  boolean hasBytes() {
    return tail != head || readTail();
  }

  private boolean readTail() {
    long found = memory.getAcquire(tailWord); // pairs with RingWriter's release: bytes are written
    long there =
        found - head; // what is known to be there is at most the ring, so nothing overflows
    if (there < tail - head || there > size) {
      throw new ProtocolException(
          ("the tail " + found + " of a ring of " + size + " bytes, which must be ")
              + (tail + " to " + (head + size)));
    }
    tail = found;
    return tail != head;
  }

  /** How many bytes can be read at {@link #address} without a gap. */
  int contiguous() {
    return hasBytes() ? (int) Math.min(tail - head, size - (head & (size - 1))) : 0;
  }

  /** Where the next byte is. */
  long address() {
    return memory.address(data + (head & (size - 1)));
  }

  /**
   * Copies bytes out and gives their room back.
   *
   * @return how many; 0 if there are none
   */
  int read(long target, int length) {
    if (tail - head < length) {
      readTail();
    }
    int count = (int) Math.min(length, tail - head);
    if (count > 0) {
      long at = head & (size - 1);
      long before = Math.min(count, size - at);
      memory.read(data + at, target, before);
      if (before < count) {
        memory.read(data, target + before, count - before);
      }
      skip(count);
    }
    return count;
  }

  /** Has read bytes in place: they are the writer's again when the head is published next. */
  void skip(int count) {
    head += count;
  }

  /** Publishes the head if enough has been read; whether it did, and the writer may wait for it. */
  boolean publish() {
    if (head - published < size / 4) {
      return false;
    }
    published = head;
    memory.putRelease(headWord, head); // pairs with RingWriter.readHead
    return true;
  }
}
