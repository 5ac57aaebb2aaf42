package io.jgloo.transport.shm;

import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.memory.OrderedMemory;

/** A segment that is mapped at an address. */
final class MappedMemory extends SharedMemory {

  private final long base;
  private final SegmentCopy copies = new SegmentCopy();

  MappedMemory(long base) {
    this.base = base;
  }

  @Override
  long getAcquire(long offset) {
    return OrderedMemory.getLongAcquire(base + offset);
  }

  @Override
  void putRelease(long offset, long value) {
    OrderedMemory.putLongRelease(base + offset, value);
  }

  @Override
  boolean compareAndSet(long offset, long expected, long value) {
    return OrderedMemory.compareAndSetLong(base + offset, expected, value);
  }

  @Override
  void fullFence() {
    OrderedMemory.fullFence();
  }

  @Override
  void write(long source, long offset, long length) {
    copies.copy(source, base + offset, length);
  }

  @Override
  void read(long offset, long target, long length) {
    Memory.copy(base + offset, target, length);
  }

  @Override
  long address(long offset) {
    return base + offset;
  }
}
