package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.DataType;
import io.jgloo.transport.Allocation;
import io.jgloo.transport.memory.Memory;
import java.util.Locale;

/**
 * The elements one end of a call works on, off the heap or on it.
 *
 * <p>On the heap it is a Java array: of the element type where the library takes one, else of
 * bytes. Positions and lengths are bytes, and whole elements.
 *
 * <p><em>Owns</em>: its memory.
 */
public final class Vector implements AutoCloseable {

  /** Elements of the longest array that every virtual machine can allocate. */
  private static final long LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  /** Where a vector lies. */
  public enum Kind {
    /** Off the heap. */
    DIRECT,
    /** In a Java array. */
    HEAP,
    /** In memory that the group has allocated. */
    ALLOCATED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final long address;
  private final Object array;
  private final int shift;
  private final Payload payload;
  private final Allocation allocation; // or null

  /** Off the heap: memory that no collector moves, as a native runtime would hand it out. */
  private Vector(DataType type, long count) {
    array = null;
    shift = 0;
    allocation = null;
    address = Memory.allocate(Math.max(1, count * type.bytes()), Memory.CACHE_LINE);
    payload = Payload.ofAddress(address, count, type, null);
  }

  private Vector(Allocation allocation, DataType type, long count) {
    array = null;
    shift = 0;
    this.allocation = allocation;
    address = allocation.address();
    payload = Payload.ofAddress(address, count, type, allocation);
  }

  private Vector(Object array, int cellBytes, Payload payload) {
    allocation = null;
    this.array = array;
    this.payload = payload;
    shift = Integer.numberOfTrailingZeros(cellBytes);
    address = 0;
  }

  /**
   * A new vector of undefined content.
   *
   * @throws IllegalArgumentException if it does not fit in an array
   */
  static Vector of(ProcessGroup group, DataType type, long count, Kind kind) {
    if (kind == Kind.DIRECT) {
      return new Vector(type, count);
    }
    if (kind == Kind.ALLOCATED) {
      return new Vector(group.allocate(Math.max(1, count * type.bytes())), type, count);
    }
    return switch (type) {
      case FLOAT32 -> {
        float[] floats = new float[cells(count)];
        yield new Vector(floats, Float.BYTES, Payload.of(floats));
      }
      case FLOAT64 -> {
        double[] doubles = new double[cells(count)];
        yield new Vector(doubles, Double.BYTES, Payload.of(doubles));
      }
      case INT32 -> {
        int[] ints = new int[cells(count)];
        yield new Vector(ints, Integer.BYTES, Payload.of(ints));
      }
      case INT64 -> {
        long[] longs = new long[cells(count)];
        yield new Vector(longs, Long.BYTES, Payload.of(longs));
      }
      default -> {
        byte[] bytes = new byte[cells(count * type.bytes())];
        yield new Vector(bytes, 1, Payload.of(bytes, 0, bytes.length, type));
      }
    };
  }

  /** A new vector off the heap, all zero. */
  public static Vector zeros(DataType type, long count) {
    Vector vector = new Vector(type, count);
    Memory.setZero(vector.address, count * type.bytes());
    return vector;
  }

  private static int cells(long count) {
    if (count > LONGEST_ARRAY) {
      throw new IllegalArgumentException(
          "--memory heap: an array cannot hold " + count + " elements");
    }
    return (int) count;
  }

  /** What a call is given; the same object every time, so that calling allocates nothing. */
  public Payload payload() {
    return payload;
  }

  /** Where it is, if it is off the heap. */
  public long address() {
    return address;
  }

  /** Copies bytes from an address to the vector, from byte {@code at} on. */
  void write(long at, long source, long bytes) {
    int index = (int) (at >> shift);
    int count = (int) (bytes >> shift);
    if (array == null) {
      Memory.copy(source, address + at, bytes);
    } else if (array instanceof float[] floats) {
      Memory.copy(source, floats, index, count);
    } else if (array instanceof double[] doubles) {
      Memory.copy(source, doubles, index, count);
    } else if (array instanceof int[] ints) {
      Memory.copy(source, ints, index, count);
    } else if (array instanceof long[] longs) {
      Memory.copy(source, longs, index, count);
    } else {
      Memory.copy(source, (byte[]) array, index, count);
    }
  }

  /** Copies bytes of the vector, from byte {@code at} on, to an address. */
  void read(long at, long target, long bytes) {
    int index = (int) (at >> shift);
    int count = (int) (bytes >> shift);
    if (array == null) {
      Memory.copy(address + at, target, bytes);
    } else if (array instanceof float[] floats) {
      Memory.copy(floats, index, target, count);
    } else if (array instanceof double[] doubles) {
      Memory.copy(doubles, index, target, count);
    } else if (array instanceof int[] ints) {
      Memory.copy(ints, index, target, count);
    } else if (array instanceof long[] longs) {
      Memory.copy(longs, index, target, count);
    } else {
      Memory.copy((byte[]) array, index, target, count);
    }
  }

  @Override
  public void close() {
    if (allocation != null) {
      allocation.close();
    } else if (array == null) {
      Memory.free(address);
    }
  }
}
