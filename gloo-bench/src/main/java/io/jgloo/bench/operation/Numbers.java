package io.jgloo.bench.operation;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;

/**
 * Reference arithmetic: elements as bits, combined one by one.
 *
 * <p>Written apart from the library's kernels on purpose. Floats are computed as doubles, which is
 * exact for the values that {@link Values} makes.
 */
final class Numbers {

  private Numbers() {}

  static boolean isFloat(DataType type) {
    return switch (type) {
      case FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> true;
      default -> false;
    };
  }

  /** Bits of the significand, the hidden one included: integers up to 2^bits are exact. */
  static int significandBits(DataType type) {
    return switch (type) {
      case FLOAT16 -> 11;
      case BFLOAT16 -> 8;
      case FLOAT32 -> 24;
      case FLOAT64 -> 53;
      default -> throw new IllegalArgumentException(type + " has no significand");
    };
  }

  /** The two elements combined. */
  static long combine(DataType type, ReduceOp op, long a, long b) {
    ReduceOp combining = op.combining();
    return isFloat(type)
        ? bits(type, combine(combining, value(type, a), value(type, b)))
        : cut(type, combine(combining, widen(type, a), widen(type, b), isSigned(type)));
  }

  /** What becomes of all ranks' combination at the end: an average divides, a factor multiplies. */
  static long complete(DataType type, ReduceOp op, long bits, int size) {
    if (op.factor().isPresent()) {
      return bits(type, value(type, bits) * op.factor().getAsDouble());
    } else if (!op.averages() || size == 1) {
      return bits;
    } else if (isFloat(type)) {
      return bits(type, value(type, bits) / size);
    }
    long sum = widen(type, bits);
    return cut(type, isSigned(type) ? sum / size : Long.divideUnsigned(sum, size));
  }

  private static double combine(ReduceOp op, double a, double b) {
    return switch (op.name()) {
      case "sum" -> a + b;
      case "product" -> a * b;
      case "min" -> Math.min(a, b);
      case "max" -> Math.max(a, b);
      default -> throw new IllegalArgumentException("no reference for " + op + " on floats");
    };
  }

  private static long combine(ReduceOp op, long a, long b, boolean signed) {
    return switch (op.name()) {
      case "sum" -> a + b;
      case "product" -> a * b;
      case "min" -> (signed ? Long.compare(a, b) : Long.compareUnsigned(a, b)) <= 0 ? a : b;
      case "max" -> (signed ? Long.compare(a, b) : Long.compareUnsigned(a, b)) >= 0 ? a : b;
      case "band" -> a & b;
      case "bor" -> a | b;
      case "bxor" -> a ^ b;
      case "land" -> a != 0 && b != 0 ? 1 : 0;
      case "lor" -> a != 0 || b != 0 ? 1 : 0;
      default -> throw new IllegalArgumentException("no reference for " + op + " on integers");
    };
  }

  private static boolean isSigned(DataType type) {
    return switch (type) {
      case INT8, INT16, INT32, INT64 -> true;
      default -> false;
    };
  }

  /** The lowest bytes, as many as an element has. */
  static long cut(DataType type, long bits) {
    return type.bytes() == Long.BYTES ? bits : bits & ((1L << (8 * type.bytes())) - 1);
  }

  private static long widen(DataType type, long bits) {
    int unused = Long.SIZE - 8 * type.bytes();
    return isSigned(type) ? bits << unused >> unused : bits;
  }

  /** A number that the type holds exactly, as bits. */
  static long bits(DataType type, double value) {
    return switch (type) {
      case FLOAT32 -> Float.floatToRawIntBits((float) value) & 0xffffffffL;
      case FLOAT64 -> Double.doubleToRawLongBits(value);
      case BFLOAT16 -> Float.floatToRawIntBits((float) value) >>> 16;
      case FLOAT16 -> halfBits(Float.floatToRawIntBits((float) value));
      default -> cut(type, (long) value);
    };
  }

  /** Zero and normal numbers only. */
  private static long halfBits(int single) {
    int sign = (single >>> 16) & 0x8000;
    int exponent = ((single >>> 23) & 0xff) - 127;
    return (single << 1) == 0 ? sign : sign | ((exponent + 15) << 10) | ((single >>> 13) & 0x3ff);
  }

  /** The number that the bits mean. */
  static double value(DataType type, long bits) {
    return switch (type) {
      case FLOAT32 -> Float.intBitsToFloat((int) bits);
      case FLOAT64 -> Double.longBitsToDouble(bits);
      case BFLOAT16 -> Float.intBitsToFloat((int) bits << 16);
      case FLOAT16 -> halfValue((int) bits);
      case UINT64 -> (bits >>> 1) * 2.0 + (bits & 1);
      default -> widen(type, bits);
    };
  }

  private static double halfValue(int bits) {
    int exponent = (bits >>> 10) & 0x1f;
    int fraction = bits & 0x3ff;
    double magnitude =
        exponent == 0
            ? Math.scalb((double) fraction, -24)
            : exponent == 31
                ? (fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN)
                : Math.scalb(1024.0 + fraction, exponent - 25);
    return (bits & 0x8000) == 0 ? magnitude : -magnitude;
  }
}
