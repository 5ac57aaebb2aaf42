package io.jgloo.collectives.kernel;

import io.jgloo.collectives.ReduceOp;
import java.util.Map;

/** Arithmetic on bfloat16, over {@code short[]}: widened, combined, rounded to nearest even. */
final class Bfloat16Loops {

  static final Map<ReduceOp, ArrayKernel<?>> BFLOAT16 =
      Map.of(
          ReduceOp.SUM,
          new ArrayKernel<>(Carrier.SHORTS, Bfloat16Loops::sum),
          ReduceOp.PRODUCT,
          new ArrayKernel<>(Carrier.SHORTS, Bfloat16Loops::product),
          ReduceOp.MIN,
          new ArrayKernel<>(Carrier.SHORTS, Bfloat16Loops::min),
          ReduceOp.MAX,
          new ArrayKernel<>(Carrier.SHORTS, Bfloat16Loops::max));

  private Bfloat16Loops() {}

  private static void sum(short[] target, short[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = round(widen(target[i]) + widen(source[i]));
    }
  }

  private static void product(short[] target, short[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = round(widen(target[i]) * widen(source[i]));
    }
  }

  private static void min(short[] target, short[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = round(Math.min(widen(target[i]), widen(source[i])));
    }
  }

  private static void max(short[] target, short[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = round(Math.max(widen(target[i]), widen(source[i])));
    }
  }

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
