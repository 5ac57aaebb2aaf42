package io.jgloo.collectives.kernel;

import io.jgloo.collectives.ReduceOp;
import java.util.Map;

/** Arithmetic on 16-bit integers, over {@code short[]}. */
final class ShortLoops {

  static final Map<ReduceOp, ArrayKernel<?>> INT16 =
      Map.of(
          ReduceOp.SUM,
          new ArrayKernel<>(Carrier.SHORTS, ShortLoops::sum),
          ReduceOp.PRODUCT,
          new ArrayKernel<>(Carrier.SHORTS, ShortLoops::product),
          ReduceOp.MIN,
          new ArrayKernel<>(Carrier.SHORTS, ShortLoops::min),
          ReduceOp.MAX,
          new ArrayKernel<>(Carrier.SHORTS, ShortLoops::max),
          ReduceOp.BAND,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitAnd),
          ReduceOp.BOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitOr),
          ReduceOp.BXOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitXor),
          ReduceOp.LAND,
          new ArrayKernel<>(Carrier.SHORTS, ShortLoops::and),
          ReduceOp.LOR,
          new ArrayKernel<>(Carrier.SHORTS, ShortLoops::or));

  static final Map<ReduceOp, ArrayKernel<?>> UINT16 =
      Map.of(
          ReduceOp.SUM,
          new ArrayKernel<>(Carrier.SHORTS, ShortLoops::sum),
          ReduceOp.PRODUCT,
          new ArrayKernel<>(Carrier.SHORTS, ShortLoops::product),
          ReduceOp.MIN,
          new ArrayKernel<>(Carrier.SHORTS, ShortLoops::minUnsigned),
          ReduceOp.MAX,
          new ArrayKernel<>(Carrier.SHORTS, ShortLoops::maxUnsigned),
          ReduceOp.BAND,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitAnd),
          ReduceOp.BOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitOr),
          ReduceOp.BXOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitXor),
          ReduceOp.LAND,
          new ArrayKernel<>(Carrier.SHORTS, ShortLoops::and),
          ReduceOp.LOR,
          new ArrayKernel<>(Carrier.SHORTS, ShortLoops::or));

  private ShortLoops() {}

  private static void sum(short[] target, short[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] += source[i];
    }
  }

  private static void product(short[] target, short[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] *= source[i];
    }
  }

  private static void min(short[] target, short[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (short) Math.min(target[i], source[i]);
    }
  }

  private static void max(short[] target, short[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (short) Math.max(target[i], source[i]);
    }
  }

  private static void minUnsigned(short[] target, short[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (short) Math.min(target[i] & 0xffff, source[i] & 0xffff);
    }
  }

  private static void maxUnsigned(short[] target, short[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (short) Math.max(target[i] & 0xffff, source[i] & 0xffff);
    }
  }

  private static void and(short[] target, short[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (short) (target[i] != 0 && source[i] != 0 ? 1 : 0);
    }
  }

  private static void or(short[] target, short[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (short) ((target[i] | source[i]) != 0 ? 1 : 0);
    }
  }
}
