package io.jgloo;

import io.jgloo.collectives.DataType;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.List;

/** Elements of any type in any kind of memory a caller may have, as bits. */
final class Cells {

  /** Where elements may lie. */
  enum Kind {
    ARRAY,
    HEAP_BUFFER,
    HEAP_VIEW,
    HEAP_BYTES,
    DIRECT_BUFFER,
    DIRECT_BYTES,
    ADDRESS,
    JOINED;

    private boolean isOnHeap() {
      return switch (this) {
        case ARRAY, HEAP_BUFFER, HEAP_VIEW, HEAP_BYTES -> true;
        case DIRECT_BUFFER, DIRECT_BYTES, ADDRESS, JOINED -> false;
      };
    }
  }

  private final Kind kind;
  private final DataType type;
  private final Object array;
  private final ByteBuffer bytes;

  /**
   * @param skew bytes by which direct memory is out of line
   */
  Cells(Kind kind, DataType type, int count, int skew) {
    this.type = type;
    this.kind = kind;
    boolean plain = kind == Kind.ARRAY || kind == Kind.HEAP_BUFFER;
    array = plain ? array(count) : null;
    int size = count * type.bytes();
    if (array != null) {
      bytes = null;
    } else if (kind.isOnHeap()) {
      bytes = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    } else {
      bytes =
          ByteBuffer.allocateDirect(size + skew)
              .position(skew)
              .slice()
              .order(ByteOrder.nativeOrder());
    }
  }

  /** An array of the type's own, where Java has one and a payload takes it. */
  private Object array(int count) {
    return switch (type) {
      case FLOAT32 -> new float[count];
      case FLOAT64 -> new double[count];
      case INT32 -> new int[count];
      case INT64 -> new long[count];
      default -> null;
    };
  }

  long get(int i) {
    if (array instanceof float[] x) {
      return Integer.toUnsignedLong(Float.floatToRawIntBits(x[i]));
    } else if (array instanceof double[] x) {
      return Double.doubleToRawLongBits(x[i]);
    } else if (array instanceof int[] x) {
      return Integer.toUnsignedLong(x[i]);
    } else if (array instanceof long[] x) {
      return x[i];
    }
    int at = i * type.bytes();
    return switch (type.bytes()) {
      case 1 -> Byte.toUnsignedLong(bytes.get(at));
      case 2 -> Short.toUnsignedLong(bytes.getShort(at));
      case 4 -> Integer.toUnsignedLong(bytes.getInt(at));
      default -> bytes.getLong(at);
    };
  }

  void set(int i, long bits) {
    if (array instanceof float[] x) {
      x[i] = Float.intBitsToFloat((int) bits);
    } else if (array instanceof double[] x) {
      x[i] = Double.longBitsToDouble(bits);
    } else if (array instanceof int[] x) {
      x[i] = (int) bits;
    } else if (array instanceof long[] x) {
      x[i] = bits;
    } else {
      int at = i * type.bytes();
      switch (type.bytes()) {
        case 1 -> bytes.put(at, (byte) bits);
        case 2 -> bytes.putShort(at, (short) bits);
        case 4 -> bytes.putInt(at, (int) bits);
        default -> bytes.putLong(at, bits);
      }
    }
  }

  /** Some of them as a payload. */
  Payload payload(int offset, int count) {
    int size = type.bytes();
    if (kind == Kind.JOINED) {
      int cut = count / 3;
      return Payload.ofAll(
          List.of(
              address(offset, cut), octets(offset + cut, 0), octets(offset + cut, count - cut)));
    } else if (kind == Kind.ADDRESS) {
      return address(offset, count);
    } else if (kind == Kind.ARRAY && array == null) {
      return Payload.of(bytes.array(), offset * size, count * size, type);
    } else if (kind == Kind.ARRAY) {
      return ofArray(offset, count);
    }
    return octetsOnly() ? octets(offset, count) : ofBuffer(offset, count);
  }

  private boolean octetsOnly() {
    boolean hasBuffer =
        switch (type) {
          case FLOAT32, FLOAT64, INT32, INT64 -> true;
          default -> false;
        };
    return !hasBuffer || kind == Kind.HEAP_BYTES || kind == Kind.DIRECT_BYTES;
  }

  private Payload address(int offset, int count) {
    long address = Memory.addressOf(bytes) + (long) offset * type.bytes();
    return Payload.ofAddress(address, count, type, bytes);
  }

  private Payload octets(int offset, int count) {
    int size = type.bytes();
    ByteBuffer view = bytes.duplicate().order(ByteOrder.nativeOrder());
    return Payload.of(view.limit((offset + count) * size).position(offset * size), type);
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
