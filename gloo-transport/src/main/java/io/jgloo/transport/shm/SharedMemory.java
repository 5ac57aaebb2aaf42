package io.jgloo.transport.shm;

/**
 * Memory that two processes see, as the protocol of rings and parking uses it.
 *
 * <p>Offsets are bytes from the beginning of the segment, those of words multiples of 8. It is a
 * class of its own so that a test can run the same protocol code on a model of memory and look at
 * every order of the accesses; in production there is one implementation, whose calls are inlined.
 */
abstract class SharedMemory {

  /** Reads a word before any later access. */
  abstract long getAcquire(long offset);

  /** Writes a word after all earlier accesses. */
  abstract void putRelease(long offset, long value);

  /** Replaces a word if it has the expected value; whether it had. */
  abstract boolean compareAndSet(long offset, long expected, long value);

  /** Completes all earlier accesses before any later one. */
  abstract void fullFence();

  /** Copies bytes of this process into the segment. */
  abstract void write(long source, long offset, long length);

  /** Copies bytes of the segment to this process. */
  abstract void read(long offset, long target, long length);

  /** Where a byte of the segment is in this process. */
  abstract long address(long offset);
}
