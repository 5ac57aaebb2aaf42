package io.jgloo.collectives.kernel;

import io.jgloo.collectives.ReduceOp;
import java.util.Map;

/** Arithmetic on 32-bit integers, over {@code int[]}. */
final class IntLoops {

  static final Map<ReduceOp, ArrayKernel<?>> INT32 =
      Map.of(
          ReduceOp.SUM,
          new ArrayKernel<>(Carrier.INTS, IntLoops::sum),
          ReduceOp.PRODUCT,
          new ArrayKernel<>(Carrier.INTS, IntLoops::product),
          ReduceOp.MIN,
          new ArrayKernel<>(Carrier.INTS, IntLoops::min),
          ReduceOp.MAX,
          new ArrayKernel<>(Carrier.INTS, IntLoops::max),
          ReduceOp.BAND,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitAnd),
          ReduceOp.BOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitOr),
          ReduceOp.BXOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitXor),
          ReduceOp.LAND,
          new ArrayKernel<>(Carrier.INTS, IntLoops::and),
          ReduceOp.LOR,
          new ArrayKernel<>(Carrier.INTS, IntLoops::or));

  static final Map<ReduceOp, ArrayKernel<?>> UINT32 =
      Map.of(
          ReduceOp.SUM,
          new ArrayKernel<>(Carrier.INTS, IntLoops::sum),
          ReduceOp.PRODUCT,
          new ArrayKernel<>(Carrier.INTS, IntLoops::product),
          ReduceOp.MIN,
          new ArrayKernel<>(Carrier.INTS, IntLoops::minUnsigned),
          ReduceOp.MAX,
          new ArrayKernel<>(Carrier.INTS, IntLoops::maxUnsigned),
          ReduceOp.BAND,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitAnd),
          ReduceOp.BOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitOr),
          ReduceOp.BXOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitXor),
          ReduceOp.LAND,
          new ArrayKernel<>(Carrier.INTS, IntLoops::and),
          ReduceOp.LOR,
          new ArrayKernel<>(Carrier.INTS, IntLoops::or));

  /** Turns unsigned order into signed order, and back. */
  private static final int FLIP = Integer.MIN_VALUE;

  private IntLoops() {}

  private static void sum(int[] target, int[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] += source[i];
    }
  }

  private static void product(int[] target, int[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] *= source[i];
    }
  }

  private static void min(int[] target, int[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = Math.min(target[i], source[i]);
    }
  }

  private static void max(int[] target, int[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = Math.max(target[i], source[i]);
    }
  }

  private static void minUnsigned(int[] target, int[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = Math.min(target[i] ^ FLIP, source[i] ^ FLIP) ^ FLIP;
    }
  }

  private static void maxUnsigned(int[] target, int[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = Math.max(target[i] ^ FLIP, source[i] ^ FLIP) ^ FLIP;
    }
  }

  private static void and(int[] target, int[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = target[i] != 0 && source[i] != 0 ? 1 : 0;
    }
  }

  private static void or(int[] target, int[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (target[i] | source[i]) != 0 ? 1 : 0;
    }
  }
}
