package io.jgloo.ps.wire;

import io.jgloo.ps.kv.Halves;
import io.jgloo.ps.kv.KvFilter;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.rpc.codec.Block;
import io.jgloo.transport.memory.Memory;

/**
 * Writes values in fewer bytes, by the number of an encoding.
 *
 * <pre>
 *   0  as they are
 *   1  binary16, 2  bfloat16: u16 for each value, rounded to nearest even
 *   3  for each 256 values, and the rest: f32 scale, i8 for each value; a value is i8 * scale
 * </pre>
 */
public final class ValueCodec {

  public static final int EXACT = 0;
  private static final int FLOAT16 = 1;
  private static final int INT8 = 3;
  private static final int SCALED = 256;

  private ValueCodec() {}

  /** The number of a way to write values; null is exact. */
  public static int code(KvFilter encoding) {
    return encoding == null ? EXACT : FilterBits.number(encoding);
  }

  /** Whether values of a type can be written so. */
  public static boolean isValid(int code, ValueType<?> type) {
    return code == EXACT
        || (code <= INT8 && (type == ValueType.FLOATS || type == ValueType.DOUBLES));
  }

  /** Bytes of values. */
  public static long bytes(int code, ValueType<?> type, long count) {
    return switch (code) {
      case EXACT -> type.bytes() * count;
      case INT8 -> count + Float.BYTES * ((count + SCALED - 1) / SCALED);
      default -> 2 * count;
    };
  }

  /** Writes values that are at an address. */
  public static Block encode(int code, ValueType<?> type, long from, int count) {
    Block out = Block.allocate(bytes(code, type, count));
    long to = out.address();
    if (code == INT8) {
      for (int at = 0; at < count; at += SCALED) {
        int some = Math.min(SCALED, count - at);
        scale(type, from, at, some, to);
        to += Float.BYTES + some;
      }
      return out;
    }
    for (int i = 0; i < count; i++) {
      float value = get(type, from, i);
      Memory.putShort(to + 2L * i, code == FLOAT16 ? Halves.half(value) : brain(value));
    }
    return out;
  }

  private static void scale(ValueType<?> type, long from, int at, int count, long to) {
    float greatest = 0;
    for (int i = at; i < at + count; i++) { // NaN stays
      greatest = Math.max(greatest, Math.abs(get(type, from, i)));
    }
    float scale = greatest < Float.POSITIVE_INFINITY ? greatest / 127 : Float.NaN;
    Memory.putFloat(to, scale);
    for (int i = 0; i < count; i++) {
      float quotient = scale == 0 ? 0 : get(type, from, at + i) / scale;
      int rounded = Math.max(-127, Math.min(127, Math.round(quotient)));
      Memory.putByte(to + Float.BYTES + i, (byte) rounded);
    }
  }

  /** Reads values to memory of their own. */
  public static Block decode(int code, ValueType<?> type, long from, int count) {
    Block out = Block.allocate((long) type.bytes() * count);
    float scale = 0;
    long at = from;
    for (int i = 0; i < count; i++) {
      float value;
      if (code == INT8) {
        if (i % SCALED == 0) {
          scale = Memory.getFloat(at);
          at += Float.BYTES;
        }
        value = Memory.getByte(at++) * scale;
      } else {
        short bits = Memory.getShort(at);
        at += 2;
        value = code == FLOAT16 ? Halves.ofHalf(bits) : Float.intBitsToFloat(bits << 16);
      }
      if (type == ValueType.FLOATS) {
        Memory.putFloat(out.address() + 4L * i, value);
      } else {
        Memory.putDouble(out.address() + 8L * i, value);
      }
    }
    return out;
  }

  private static float get(ValueType<?> type, long address, int index) {
    return type == ValueType.FLOATS
        ? Memory.getFloat(address + 4L * index)
        : (float) Memory.getDouble(address + 8L * index);
  }

  public static short brain(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) (bits >>> 16 | 0x40);
    }
    return (short) ((bits + 0x7fff + (bits >>> 16 & 1)) >>> 16);
  }
}
