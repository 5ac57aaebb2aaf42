package io.jgloo;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/** Elements of any of the four types in any kind of memory a caller may have, as long values. */
final class Cells {

  /** Where elements may lie. */
  enum Kind {
    ARRAY,
    HEAP_BUFFER,
    HEAP_VIEW,
    HEAP_BYTES,
    DIRECT_BUFFER,
    DIRECT_BYTES,
    ADDRESS
  }

  private final Kind kind;
  private final DataType type;
  private final Object array;
  private final ByteBuffer bytes;

  /**
   * @param skew bytes by which direct memory is out of line
   */
  Cells(Kind kind, DataType type, int count, int skew) {
    this.kind = kind;
    this.type = type;
    boolean plain = kind == Kind.ARRAY || kind == Kind.HEAP_BUFFER;
    array = plain ? Array.newInstance(primitive(), count) : null;
    int size = count * type.bytes();
    bytes =
        switch (kind) {
          case ARRAY, HEAP_BUFFER -> null;
          case HEAP_VIEW -> ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
          case HEAP_BYTES -> ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
          default ->
              ByteBuffer.allocateDirect(size + skew)
                  .position(skew)
                  .slice()
                  .order(ByteOrder.nativeOrder());
        };
  }

  private Class<?> primitive() {
    return switch (type) {
      case FLOAT32 -> float.class;
      case FLOAT64 -> double.class;
      case INT32 -> int.class;
      default -> long.class;
    };
  }

  long get(int i) {
    if (array != null) {
      return ((Number) Array.get(array, i)).longValue();
    }
    int at = i * type.bytes();
    return switch (type) {
      case FLOAT32 -> (long) bytes.getFloat(at);
      case FLOAT64 -> (long) bytes.getDouble(at);
      case INT32 -> bytes.getInt(at);
      default -> bytes.getLong(at);
    };
  }

  void set(int i, long value) {
    int at = i * type.bytes();
    switch (type) {
      case FLOAT32 -> {
        if (array != null) {
          Array.setFloat(array, i, (float) value);
        } else {
          bytes.putFloat(at, (float) value);
        }
      }
      case FLOAT64 -> {
        if (array != null) {
          Array.setDouble(array, i, (double) value);
        } else {
          bytes.putDouble(at, (double) value);
        }
      }
      case INT32 -> {
        if (array != null) {
          Array.setInt(array, i, (int) value);
        } else {
          bytes.putInt(at, (int) value);
        }
      }
      default -> {
        if (array != null) {
          Array.setLong(array, i, value);
        } else {
          bytes.putLong(at, value);
        }
      }
    }
  }

  /** Some of them as a payload. */
  Payload payload(int offset, int count) {
    int size = type.bytes();
    return switch (kind) {
      case ARRAY -> ofArray(offset, count);
      case HEAP_BYTES, DIRECT_BYTES ->
          Payload.of(
              bytes
                  .duplicate()
                  .order(ByteOrder.nativeOrder())
                  .limit((offset + count) * size)
                  .position(offset * size),
              type);
      case ADDRESS ->
          Payload.ofAddress(
              io.jgloo.transport.Memory.addressOf(bytes) + (long) offset * size,
              count,
              type,
              bytes);
      default -> ofBuffer(offset, count);
    };
  }

  private Payload ofArray(int offset, int count) {
    return switch (type) {
      case FLOAT32 -> Payload.of((float[]) array, offset, count);
      case FLOAT64 -> Payload.of((double[]) array, offset, count);
      case INT32 -> Payload.of((int[]) array, offset, count);
      default -> Payload.of((long[]) array, offset, count);
    };
  }

  private Payload ofBuffer(int offset, int count) {
    ByteBuffer view = bytes == null ? null : bytes.duplicate().order(ByteOrder.nativeOrder());
    int end = offset + count;
    return switch (type) {
      case FLOAT32 -> {
        FloatBuffer x = view == null ? FloatBuffer.wrap((float[]) array) : view.asFloatBuffer();
        yield Payload.of(x.limit(end).position(offset));
      }
      case FLOAT64 -> {
        DoubleBuffer x = view == null ? DoubleBuffer.wrap((double[]) array) : view.asDoubleBuffer();
        yield Payload.of(x.limit(end).position(offset));
      }
      case INT32 -> {
        IntBuffer x = view == null ? IntBuffer.wrap((int[]) array) : view.asIntBuffer();
        yield Payload.of(x.limit(end).position(offset));
      }
      default -> {
        LongBuffer x = view == null ? LongBuffer.wrap((long[]) array) : view.asLongBuffer();
        yield Payload.of(x.limit(end).position(offset));
      }
    };
  }
}
