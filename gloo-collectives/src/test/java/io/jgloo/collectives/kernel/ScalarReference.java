package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * One element at a time, by definition and not by trick: what every kernel is held to.
 *
 * <p>Elements are passed as their bits, in the low end of a {@code long}; the bits above are zero.
 */
final class ScalarReference {

  /** The finite non-negative values of a 16-bit float type, in the order of their bits. */
  private static final double[] FLOAT16 = magnitudes(0x7c00, 5, 10);

  private static final double[] BFLOAT16 = magnitudes(0x7f80, 8, 7);

  private ScalarReference() {}

  static long apply(DataType type, ReduceOp op, long a, long b) {
    return switch (type) {
      case FLOAT16 -> narrow(FLOAT16, onFloats(op, widen(FLOAT16, a), widen(FLOAT16, b)));
      case BFLOAT16 -> narrow(BFLOAT16, onFloats(op, widen(BFLOAT16, a), widen(BFLOAT16, b)));
      case FLOAT32 ->
          Integer.toUnsignedLong(
              Float.floatToIntBits(
                  onFloats(op, Float.intBitsToFloat((int) a), Float.intBitsToFloat((int) b))));
      case FLOAT64 ->
          Double.doubleToLongBits(
              onDoubles(op, Double.longBitsToDouble(a), Double.longBitsToDouble(b)));
      case BOOL -> onBooleans(op, a != 0, b != 0) ? 1 : 0;
      default -> onIntegers(type, op, a, b);
    };
  }

  /** Whether the bits are a NaN of that type. */
  static boolean isNan(DataType type, long bits) {
    return switch (type) {
      case FLOAT16 -> (bits & 0x7fff) > 0x7c00;
      case BFLOAT16 -> (bits & 0x7fff) > 0x7f80;
      case FLOAT32 -> Float.isNaN(Float.intBitsToFloat((int) bits));
      case FLOAT64 -> Double.isNaN(Double.longBitsToDouble(bits));
      default -> false;
    };
  }

  private static float onFloats(ReduceOp op, float a, float b) {
    return switch (op.name()) {
      case "sum" -> a + b;
      case "product" -> a * b;
      case "min" -> Math.min(a, b);
      case "max" -> Math.max(a, b);
      default -> throw new IllegalArgumentException(op.name());
    };
  }

  private static double onDoubles(ReduceOp op, double a, double b) {
    return switch (op.name()) {
      case "sum" -> a + b;
      case "product" -> a * b;
      case "min" -> Math.min(a, b);
      case "max" -> Math.max(a, b);
      default -> throw new IllegalArgumentException(op.name());
    };
  }

  private static boolean onBooleans(ReduceOp op, boolean a, boolean b) {
    return switch (op.name()) {
      case "band", "land" -> a && b;
      case "bor", "lor" -> a || b;
      case "bxor" -> a != b;
      default -> throw new IllegalArgumentException(op.name());
    };
  }

  private static long onIntegers(DataType type, ReduceOp op, long aBits, long bBits) {
    int width = 8 * type.bytes();
    boolean signed = !type.name().startsWith("U");
    BigInteger a = value(aBits, width, signed);
    BigInteger b = value(bBits, width, signed);
    BigInteger result =
        switch (op.name()) {
          case "sum" -> a.add(b);
          case "product" -> a.multiply(b);
          case "min" -> a.min(b);
          case "max" -> a.max(b);
          case "band" -> a.and(b);
          case "bor" -> a.or(b);
          case "bxor" -> a.xor(b);
          case "land" -> truth(a.signum() != 0 && b.signum() != 0);
          case "lor" -> truth(a.signum() != 0 || b.signum() != 0);
          default -> throw new IllegalArgumentException(op.name());
        };
    return result.longValue() & (width == 64 ? -1L : (1L << width) - 1);
  }

  private static BigInteger value(long bits, int width, boolean signed) {
    BigInteger modulus = BigInteger.ONE.shiftLeft(width);
    BigInteger unsigned = BigInteger.valueOf(bits).mod(modulus);
    return signed && unsigned.testBit(width - 1) ? unsigned.subtract(modulus) : unsigned;
  }

  private static BigInteger truth(boolean value) {
    return value ? BigInteger.ONE : BigInteger.ZERO;
  }

  private static double[] magnitudes(int count, int exponentBits, int fractionBits) {
    int bias = (1 << (exponentBits - 1)) - 1;
    double[] values = new double[count];
    for (int bits = 0; bits < count; bits++) {
      int exponent = bits >> fractionBits;
      int fraction = bits & ((1 << fractionBits) - 1);
      int significand = exponent == 0 ? fraction : fraction | (1 << fractionBits);
      values[bits] = Math.scalb((double) significand, Math.max(exponent, 1) - bias - fractionBits);
    }
    return values;
  }

  private static float widen(double[] magnitudes, long bits) {
    int magnitude = (int) bits & 0x7fff;
    double value =
        magnitude < magnitudes.length
            ? magnitudes[magnitude]
            : magnitude == magnitudes.length ? Double.POSITIVE_INFINITY : Double.NaN;
    return (float) ((bits & 0x8000) == 0 ? value : -value);
  }

  /**
   * To the nearest of the table's values, to the even one of two; infinity lies one step beyond.
   */
  private static long narrow(double[] magnitudes, float value) {
    int infinity = magnitudes.length;
    if (Float.isNaN(value)) {
      return infinity == 0x7c00 ? 0x7e00 : 0x7fc0;
    }
    double magnitude = Math.abs(value);
    int found = Arrays.binarySearch(magnitudes, magnitude);
    if (found < 0) {
      int above = -found - 1;
      double lower = magnitudes[above - 1];
      double upper = above < infinity ? magnitudes[above] : 2 * lower - magnitudes[infinity - 2];
      double toLower = magnitude - lower;
      double toUpper = upper - magnitude;
      boolean up = toUpper < toLower || (toUpper == toLower && above % 2 == 0);
      found = up ? above : above - 1;
    }
    return found | (Float.floatToRawIntBits(value) < 0 ? 0x8000 : 0);
  }
}
