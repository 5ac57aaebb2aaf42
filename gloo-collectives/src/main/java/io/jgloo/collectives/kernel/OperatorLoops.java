package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp.FloatBinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/** A user's operator on two elements, in a loop over arrays of its type. */
final class OperatorLoops {

  private OperatorLoops() {}

  /**
   * The loop for a function that takes elements of that type.
   *
   * @param flipped whether the source is the first operand
   */
  static Loop of(DataType type, Object function, boolean flipped) {
    if (function instanceof DoubleBinaryOperator f) {
      return kernel(Carrier.DOUBLES, doubles(flipped ? (a, b) -> f.applyAsDouble(b, a) : f));
    } else if (function instanceof IntBinaryOperator f) {
      return kernel(Carrier.INTS, ints(flipped ? (a, b) -> f.applyAsInt(b, a) : f));
    } else if (function instanceof LongBinaryOperator f) {
      return kernel(Carrier.LONGS, longs(flipped ? (a, b) -> f.applyAsLong(b, a) : f));
    }
    FloatBinaryOperator given = (FloatBinaryOperator) function;
    FloatBinaryOperator f = flipped ? (a, b) -> given.applyAsFloat(b, a) : given;
    return switch (type) {
      case FLOAT16 -> kernel(Carrier.SHORTS, halves(f));
      case BFLOAT16 -> kernel(Carrier.SHORTS, upperHalves(f));
      default -> kernel(Carrier.FLOATS, floats(f));
    };
  }

  private static <A> Loop kernel(Carrier<A> carrier, ArrayLoop<A> loop) {
    return new ArrayKernel<>(carrier, loop).staged();
  }

  private static ArrayLoop<double[]> doubles(DoubleBinaryOperator f) {
    return (target, source, count) -> {
      for (int i = 0; i < count; i++) {
        target[i] = f.applyAsDouble(target[i], source[i]);
      }
    };
  }

  private static ArrayLoop<int[]> ints(IntBinaryOperator f) {
    return (target, source, count) -> {
      for (int i = 0; i < count; i++) {
        target[i] = f.applyAsInt(target[i], source[i]);
      }
    };
  }

  private static ArrayLoop<long[]> longs(LongBinaryOperator f) {
    return (target, source, count) -> {
      for (int i = 0; i < count; i++) {
        target[i] = f.applyAsLong(target[i], source[i]);
      }
    };
  }

  private static ArrayLoop<float[]> floats(FloatBinaryOperator f) {
    return (target, source, count) -> {
      for (int i = 0; i < count; i++) {
        target[i] = f.applyAsFloat(target[i], source[i]);
      }
    };
  }

  private static ArrayLoop<short[]> halves(FloatBinaryOperator f) {
    return (target, source, count) -> {
      for (int i = 0; i < count; i++) {
        float result = f.applyAsFloat(Float16.widen(target[i]), Float16.widen(source[i]));
        target[i] = Float16.round(result);
      }
    };
  }

  private static ArrayLoop<short[]> upperHalves(FloatBinaryOperator f) {
    return (target, source, count) -> {
      for (int i = 0; i < count; i++) {
        float result = f.applyAsFloat(Bfloat16.widen(target[i]), Bfloat16.widen(source[i]));
        target[i] = Bfloat16.round(result);
      }
    };
  }
}
