package io.jgloo.collectives.kernel;

/** Conversions between float16, as its bits, and float. */
final class Float16 {

  /** What a half's exponent is short of a float's: the biases are 15 and 127. */
  private static final float REBIAS = 0x1p112f;

  private Float16() {}

  /** The half's bits in a float's place are right but for the bias, for subnormals too. */
  static float widen(short half) {
    float magnitude = Float.intBitsToFloat((half & 0x7fff) << 13) * REBIAS;
    int special = (half & 0x7c00) == 0x7c00 ? 0x7f800000 : 0;
    return Float.intBitsToFloat(
        Float.floatToRawIntBits(magnitude) | special | ((half & 0x8000) << 16));
  }

  /**
   * To nearest, ties to even; any NaN becomes the canonical one. Below 2^-14 adding 0.5 makes the
   * float adder round to a half's 2^-24; above, a rounding carry runs into the exponent, up to
   * infinity, just as it should.
   */
  static short round(float value) {
    int bits = Float.floatToRawIntBits(value);
    int magnitude = bits & Integer.MAX_VALUE;
    int rounded;
    if (magnitude > 0x7f800000) {
      return 0x7e00;
    } else if (magnitude >= 0x47800000) {
      rounded = 0x7c00;
    } else if (magnitude >= 0x38800000) {
      rounded = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
    } else {
      float shifted = Float.intBitsToFloat(magnitude) + 0.5f;
      rounded = Float.floatToRawIntBits(shifted) - 0x3f000000;
    }
    return (short) (rounded | (bits >> 16 & 0x8000));
  }
}
