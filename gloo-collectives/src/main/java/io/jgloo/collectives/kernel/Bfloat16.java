package io.jgloo.collectives.kernel;

/** Conversions between bfloat16, as its bits, and float. */
final class Bfloat16 {

  private Bfloat16() {}

  static float widen(short upper) {
    return Float.intBitsToFloat(upper << 16);
  }

  /**
   * To nearest, ties to even; any NaN becomes the canonical one. Just under half a unit is added
   * below the cut, and the bit that makes it a half where the unit above is odd.
   */
  static short round(float value) {
    int bits = Float.floatToRawIntBits(value);
    int rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (short) ((bits & Integer.MAX_VALUE) > 0x7f800000 ? 0x7fc0 : rounded);
  }
}
