package io.jgloo.bench.probe;

import io.jgloo.Payload;
import io.jgloo.collectives.DataType;
import io.jgloo.transport.memory.Memory;

/** Floats outside the heap, all zero. <em>Owns</em>: the memory. */
final class Vector implements AutoCloseable {

  private final long address;
  private final Payload payload;

  Vector(long bytes) {
    address = Memory.allocate(bytes, Memory.CACHE_LINE);
    Memory.setZero(address, bytes);
    payload = Payload.ofAddress(address, bytes / Float.BYTES, DataType.FLOAT32, null);
  }

  long address() {
    return address;
  }

  Payload payload() {
    return payload;
  }

  @Override
  public void close() {
    Memory.free(address);
  }
}
