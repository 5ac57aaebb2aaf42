package io.jgloo.transport.shm;

import io.jgloo.transport.memory.Memory;
import java.lang.invoke.VarHandle;

/**
 * Memory that two processes see, mapped at an address of this one, as the protocol of rings and
 * parking uses it.
 *
 * <p>Offsets are bytes from the beginning of the segment, those of words multiples of 8. Not final,
 * so that a test can run the same protocol code on a model of memory and look at every order of the
 * accesses; in production there is this class alone, whose calls are inlined.
 */
class SharedMemory {

  private final long base;
  private final SegmentCopy copies = new SegmentCopy();

  SharedMemory(long base) {
    this.base = base;
  }

  /** Reads a word before any later access. */
  long getAcquire(long offset) {
    return Memory.getLongAcquire(base + offset);
  }

  /** Writes a word after all earlier accesses. */
  void putRelease(long offset, long value) {
    Memory.putLongRelease(base + offset, value);
  }

  /** Replaces a word if it has the expected value; whether it had. */
  boolean compareAndSet(long offset, long expected, long value) {
    return Memory.compareAndSetLong(base + offset, expected, value);
  }

  /** Completes all earlier accesses before any later one. */
  void fullFence() {
    VarHandle.fullFence();
  }

  /** Copies bytes of this process into the segment. */
  void write(long source, long offset, long length) {
    copies.copy(source, base + offset, length);
  }

  /** Copies bytes of the segment to this process. */
  void read(long offset, long target, long length) {
    Memory.copy(base + offset, target, length);
  }

  /** Where a byte of the segment is in this process. */
  long address(long offset) {
    return base + offset;
  }
}
