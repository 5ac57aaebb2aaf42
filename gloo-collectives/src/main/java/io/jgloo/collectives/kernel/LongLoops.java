package io.jgloo.collectives.kernel;

import io.jgloo.collectives.ReduceOp;
import java.util.Map;

/** Arithmetic on 64-bit integers, over {@code long[]}. */
final class LongLoops {

  static final Map<ReduceOp, ArrayKernel<?>> INT64 =
      Map.of(
          ReduceOp.SUM,
          new ArrayKernel<>(Carrier.LONGS, LongLoops::sum),
          ReduceOp.PRODUCT,
          new ArrayKernel<>(Carrier.LONGS, LongLoops::product),
          ReduceOp.MIN,
          new ArrayKernel<>(Carrier.LONGS, LongLoops::min),
          ReduceOp.MAX,
          new ArrayKernel<>(Carrier.LONGS, LongLoops::max),
          ReduceOp.BAND,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitAnd),
          ReduceOp.BOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitOr),
          ReduceOp.BXOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitXor),
          ReduceOp.LAND,
          new ArrayKernel<>(Carrier.LONGS, LongLoops::and),
          ReduceOp.LOR,
          new ArrayKernel<>(Carrier.LONGS, LongLoops::or));

  static final Map<ReduceOp, ArrayKernel<?>> UINT64 =
      Map.of(
          ReduceOp.SUM,
          new ArrayKernel<>(Carrier.LONGS, LongLoops::sum),
          ReduceOp.PRODUCT,
          new ArrayKernel<>(Carrier.LONGS, LongLoops::product),
          ReduceOp.MIN,
          new ArrayKernel<>(Carrier.LONGS, LongLoops::minUnsigned),
          ReduceOp.MAX,
          new ArrayKernel<>(Carrier.LONGS, LongLoops::maxUnsigned),
          ReduceOp.BAND,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitAnd),
          ReduceOp.BOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitOr),
          ReduceOp.BXOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitXor),
          ReduceOp.LAND,
          new ArrayKernel<>(Carrier.LONGS, LongLoops::and),
          ReduceOp.LOR,
          new ArrayKernel<>(Carrier.LONGS, LongLoops::or));

  /** Turns unsigned order into signed order, and back. */
  private static final long FLIP = Long.MIN_VALUE;

  private LongLoops() {}

  private static void sum(long[] target, long[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] += source[i];
    }
  }

  private static void product(long[] target, long[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] *= source[i];
    }
  }

  private static void min(long[] target, long[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = Math.min(target[i], source[i]);
    }
  }

  private static void max(long[] target, long[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = Math.max(target[i], source[i]);
    }
  }

  private static void minUnsigned(long[] target, long[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = Math.min(target[i] ^ FLIP, source[i] ^ FLIP) ^ FLIP;
    }
  }

  private static void maxUnsigned(long[] target, long[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = Math.max(target[i] ^ FLIP, source[i] ^ FLIP) ^ FLIP;
    }
  }

  private static void and(long[] target, long[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = target[i] != 0 && source[i] != 0 ? 1 : 0;
    }
  }

  private static void or(long[] target, long[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (target[i] | source[i]) != 0 ? 1 : 0;
    }
  }
}
