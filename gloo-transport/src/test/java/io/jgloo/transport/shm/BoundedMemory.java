package io.jgloo.transport.shm;

import java.util.HashMap;
import java.util.Map;

/**
 * Words of a segment; bytes that are copied are not kept. An access that is not to the segment, or
 * not to memory of the process that was allowed before, is an error: with {@link SharedMemory} it
 * would end the process, or worse.
 */
final class BoundedMemory extends SharedMemory {

  private final long length;
  private final Map<Long, Long> words = new HashMap<>();
  private long allowedFrom;
  private long allowedEnd;

  BoundedMemory(long length) {
    super(0);
    this.length = length;
  }

  /** From here on, bytes are copied from or to this memory of the process only. */
  void allow(long from, long count) {
    allowedFrom = from;
    allowedEnd = from + count;
  }

  @Override
  long getAcquire(long offset) {
    return words.getOrDefault(word(offset), 0L);
  }

  @Override
  void putRelease(long offset, long value) {
    words.put(word(offset), value);
  }

  private long word(long offset) {
    if ((offset & 7) != 0) {
      throw new AssertionError("a word at " + offset);
    }
    return check(offset, Long.BYTES);
  }

  @Override
  boolean compareAndSet(long offset, long expected, long value) {
    boolean equal = getAcquire(offset) == expected;
    if (equal) {
      putRelease(offset, value);
    }
    return equal;
  }

  @Override
  void fullFence() {
    // One thread.
  }

  @Override
  void write(long source, long offset, long count) {
    checkAllowed(source, count);
    check(offset, count);
  }

  @Override
  void read(long offset, long target, long count) {
    check(offset, count);
    checkAllowed(target, count);
  }

  @Override
  long address(long offset) {
    return check(offset, 0);
  }

  /** Bytes at an {@link #address} are used in place. */
  long check(long offset, long count) {
    if (count < 0 || offset < 0 || offset > length - count) {
      throw new AssertionError(count + " bytes at " + offset + " of a segment of " + length);
    }
    return offset;
  }

  private void checkAllowed(long from, long count) {
    if (count < 0 || from < allowedFrom || from + count > allowedEnd) {
      throw new AssertionError(
          (count + " bytes of this process at " + from)
              + (", allowed are " + allowedFrom + " to " + allowedEnd));
    }
  }
}
