package io.jgloo.bench.operation;

import io.jgloo.Payload;
import io.jgloo.collectives.DataType;
import io.jgloo.transport.memory.Memory;

/**
 * A Java array: of the element type where the library takes one, else of bytes.
 *
 * <p>Positions and lengths are whole elements.
 */
final class HeapVector implements Vector {

  /** What every virtual machine can allocate. */
  private static final long LONGEST = Integer.MAX_VALUE - 8;

  private final Object array;
  private final int shift;
  private final Payload payload;

  HeapVector(DataType type, long count) {
    boolean typed =
        switch (type) {
          case FLOAT32, FLOAT64, INT32, INT64 -> true;
          default -> false;
        };
    long length = typed ? count : count * type.bytes();
    if (length > LONGEST) {
      throw new IllegalArgumentException(
          "--memory heap: an array cannot hold " + count * type.bytes() + " bytes");
    }
    shift = typed ? Integer.numberOfTrailingZeros(type.bytes()) : 0;
    int cells = (int) length;
    switch (type) {
      case FLOAT32 -> {
        float[] floats = new float[cells];
        array = floats;
        payload = Payload.of(floats);
      }
      case FLOAT64 -> {
        double[] doubles = new double[cells];
        array = doubles;
        payload = Payload.of(doubles);
      }
      case INT32 -> {
        int[] ints = new int[cells];
        array = ints;
        payload = Payload.of(ints);
      }
      case INT64 -> {
        long[] longs = new long[cells];
        array = longs;
        payload = Payload.of(longs);
      }
      default -> {
        byte[] bytes = new byte[cells];
        array = bytes;
        payload = Payload.of(bytes, 0, cells, type);
      }
    }
  }

  @Override
  public Payload payload() {
    return payload;
  }

  @Override
  public void write(long at, long source, long bytes) {
    int index = (int) (at >> shift);
    int count = (int) (bytes >> shift);
    if (array instanceof float[] floats) {
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

  @Override
  public void read(long at, long target, long bytes) {
    int index = (int) (at >> shift);
    int count = (int) (bytes >> shift);
    if (array instanceof float[] floats) {
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
    // The collector's.
  }
}
