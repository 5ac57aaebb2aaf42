package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;

/**
 * The least and the greatest as C++ Gloo has them: the second operand if it is less (or greater),
 * else the first, which so wins if either is no number, and of two zeros.
 *
 * <p>Halves are compared as what they widen to and passed on bit by bit. Gloo built for AVX does
 * otherwise where one half is no number: there the second operand wins.
 */
final class ComparingLoops {

  private ComparingLoops() {}

  /**
   * The loop for a float type, or null for another, where no operand is special.
   *
   * @param flipped whether the source is the first operand
   */
  static ArrayKernel<?> of(DataType type, boolean greatest, boolean flipped) {
    return switch (type) {
      case FLOAT16 -> halves(type, greatest, flipped);
      case BFLOAT16 -> halves(type, greatest, flipped);
      case FLOAT32 -> new ArrayKernel<>(Carrier.FLOATS, floats(greatest, flipped));
      case FLOAT64 -> new ArrayKernel<>(Carrier.DOUBLES, doubles(greatest, flipped));
      default -> null;
    };
  }

  private static ArrayLoop<float[]> floats(boolean greatest, boolean flipped) {
    if (flipped) {
      return greatest ? FloatLoops::greaterFlipped : FloatLoops::lessFlipped;
    }
    return greatest ? FloatLoops::greater : FloatLoops::less;
  }

  private static ArrayLoop<double[]> doubles(boolean greatest, boolean flipped) {
    if (flipped) {
      return greatest ? FloatLoops::greaterFlipped : FloatLoops::lessFlipped;
    }
    return greatest ? FloatLoops::greater : FloatLoops::less;
  }

  /** An operand less than the other is kept or taken, as the operation and the order will have. */
  private static ArrayKernel<short[]> halves(DataType type, boolean greatest, boolean flipped) {
    boolean half = type == DataType.FLOAT16;
    return new ArrayKernel<>(
        Carrier.SHORTS,
        (target, source, count) -> {
          for (int i = 0; i < count; i++) {
            short first = flipped ? source[i] : target[i];
            short second = flipped ? target[i] : source[i];
            float a = half ? Float16.widen(first) : Bfloat16.widen(first);
            float b = half ? Float16.widen(second) : Bfloat16.widen(second);
            target[i] = (greatest ? a < b : b < a) ? second : first;
          }
        });
  }
}
