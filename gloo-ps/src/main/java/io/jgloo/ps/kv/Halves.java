package io.jgloo.ps.kv;

/** Conversions of floats from and to IEEE 754 binary16, for arrays of {@link ValueType#HALVES}. */
public final class Halves {

  private Halves() {}

  /** Rounds to nearest even. */
  public static short half(float value) {
    int bits = Float.floatToRawIntBits(value);
    int sign = bits >>> 16 & 0x8000;
    int magnitude = bits & 0x7fffffff;
    if (magnitude >= 0x477ff000) { // rounds to infinity, or is that or NaN
      return (short) (sign | (magnitude > 0x7f800000 ? 0x7e00 : 0x7c00));
    }
    if (magnitude >= 0x38800000) {
      int rounded = magnitude + 0xfff + (magnitude >>> 13 & 1);
      return (short) (sign | (rounded - 0x38000000) >>> 13);
    }
    int shift = 126 - (magnitude >>> 23);
    if (shift > 24) {
      return (short) sign;
    }
    int mantissa = (magnitude & 0x7fffff) | 0x800000;
    int units = mantissa >>> shift; // of 2^-24
    int rest = mantissa & ((1 << shift) - 1);
    int middle = 1 << (shift - 1);
    boolean isUp = rest > middle || (rest == middle && (units & 1) == 1);
    return (short) (sign | units + (isUp ? 1 : 0));
  }

  /** The float of 16 bits. */
  public static float ofHalf(short half) {
    int sign = (half & 0x8000) << 16;
    int exponent = half >>> 10 & 0x1f;
    int mantissa = half & 0x3ff;
    if (exponent == 0) {
      float units = mantissa * 0x1p-24f;
      return sign == 0 ? units : -units;
    }
    int high = exponent == 0x1f ? 0xff : exponent + 112;
    return Float.intBitsToFloat(sign | high << 23 | mantissa << 13);
  }
}
