package io.jgloo.collectives.kernel;

import io.jgloo.collectives.ReduceOp;
import java.util.Map;

/** Arithmetic on float64, over {@code double[]}. */
final class DoubleLoops {

  static final Map<ReduceOp, ArrayKernel<?>> FLOAT64 =
      Map.of(
          ReduceOp.SUM,
          new ArrayKernel<>(Carrier.DOUBLES, DoubleLoops::sum),
          ReduceOp.PRODUCT,
          new ArrayKernel<>(Carrier.DOUBLES, DoubleLoops::product),
          ReduceOp.MIN,
          new ArrayKernel<>(Carrier.DOUBLES, DoubleLoops::min),
          ReduceOp.MAX,
          new ArrayKernel<>(Carrier.DOUBLES, DoubleLoops::max));

  private DoubleLoops() {}

  private static void sum(double[] target, double[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] += source[i];
    }
  }

  private static void product(double[] target, double[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] *= source[i];
    }
  }

  private static void min(double[] target, double[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = Math.min(target[i], source[i]);
    }
    canonicalizeNans(target, count);
  }

  private static void max(double[] target, double[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = Math.max(target[i], source[i]);
    }
    canonicalizeNans(target, count);
  }

  /** {@link Math#min} may pass on either operand's NaN; in a loop of its own, both stay fast. */
  private static void canonicalizeNans(double[] target, int count) {
    for (int i = 0; i < count; i++) {
      if (Double.isNaN(target[i])) {
        target[i] = Double.NaN;
      }
    }
  }
}
