package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.collectives.DataType;
import io.jgloo.transport.memory.Memory;

/**
 * The elements one end of a call works on, off the heap or on it.
 *
 * <p><em>Owns</em>: its memory.
 */
interface Vector extends AutoCloseable {

  /** What a call is given; the same object every time, so that calling allocates nothing. */
  Payload payload();

  /** Copies bytes from an address to the vector, from byte {@code at} on. */
  void write(long at, long source, long bytes);

  /** Copies bytes of the vector, from byte {@code at} on, to an address. */
  void read(long at, long target, long bytes);

  @Override
  void close();

  /**
   * A new vector of undefined content.
   *
   * @throws IllegalArgumentException if it does not fit in an array
   */
  static Vector of(DataType type, long count, boolean heap) {
    return heap ? new HeapVector(type, count) : new DirectVector(type, count);
  }

  /** Memory that no collector moves, as a native runtime would hand it out. */
  final class DirectVector implements Vector {

    private final long address;
    private final Payload payload;

    DirectVector(DataType type, long count) {
      address = Memory.allocate(Math.max(1, count * type.bytes()), Memory.CACHE_LINE);
      payload = Payload.ofAddress(address, count, type, null);
    }

    @Override
    public Payload payload() {
      return payload;
    }

    @Override
    public void write(long at, long source, long bytes) {
      Memory.copy(source, address + at, bytes);
    }

    @Override
    public void read(long at, long target, long bytes) {
      Memory.copy(address + at, target, bytes);
    }

    @Override
    public void close() {
      Memory.free(address);
    }
  }
}
