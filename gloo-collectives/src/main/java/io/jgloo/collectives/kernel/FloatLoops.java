package io.jgloo.collectives.kernel;

import io.jgloo.collectives.ReduceOp;
import java.util.Map;

/** Arithmetic on float32, over {@code float[]}. */
final class FloatLoops {

  static final Map<ReduceOp, ArrayKernel<?>> FLOAT32 =
      Map.of(
          ReduceOp.SUM,
          new ArrayKernel<>(Carrier.FLOATS, FloatLoops::sum),
          ReduceOp.PRODUCT,
          new ArrayKernel<>(Carrier.FLOATS, FloatLoops::product),
          ReduceOp.MIN,
          new ArrayKernel<>(Carrier.FLOATS, FloatLoops::min),
          ReduceOp.MAX,
          new ArrayKernel<>(Carrier.FLOATS, FloatLoops::max));

  private FloatLoops() {}

  private static void sum(float[] target, float[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] += source[i];
    }
  }

  private static void product(float[] target, float[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] *= source[i];
    }
  }

  private static void min(float[] target, float[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = Math.min(target[i], source[i]);
    }
    canonicalizeNans(target, count);
  }

  private static void max(float[] target, float[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = Math.max(target[i], source[i]);
    }
    canonicalizeNans(target, count);
  }

  /** {@link Math#min} may pass on either operand's NaN; in a loop of its own, both stay fast. */
  private static void canonicalizeNans(float[] target, int count) {
    for (int i = 0; i < count; i++) {
      if (Float.isNaN(target[i])) {
        target[i] = Float.NaN;
      }
    }
  }
}
