package io.jgloo.collectives.kernel;

import io.jgloo.collectives.ReduceOp;
import java.util.Map;

/** Arithmetic on 8-bit integers and bool, over {@code byte[]}. */
final class ByteLoops {

  static final Map<ReduceOp, ArrayKernel<?>> INT8 =
      Map.of(
          ReduceOp.SUM,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::sum),
          ReduceOp.PRODUCT,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::product),
          ReduceOp.MIN,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::min),
          ReduceOp.MAX,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::max),
          ReduceOp.BAND,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitAnd),
          ReduceOp.BOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitOr),
          ReduceOp.BXOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitXor),
          ReduceOp.LAND,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::and),
          ReduceOp.LOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::or));

  static final Map<ReduceOp, ArrayKernel<?>> UINT8 =
      Map.of(
          ReduceOp.SUM,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::sum),
          ReduceOp.PRODUCT,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::product),
          ReduceOp.MIN,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::minUnsigned),
          ReduceOp.MAX,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::maxUnsigned),
          ReduceOp.BAND,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitAnd),
          ReduceOp.BOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitOr),
          ReduceOp.BXOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::bitXor),
          ReduceOp.LAND,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::and),
          ReduceOp.LOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::or));

  static final Map<ReduceOp, ArrayKernel<?>> BOOL =
      Map.of(
          ReduceOp.BAND,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::and),
          ReduceOp.BOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::or),
          ReduceOp.BXOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::xor),
          ReduceOp.LAND,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::and),
          ReduceOp.LOR,
          new ArrayKernel<>(Carrier.BYTES, ByteLoops::or));

  private ByteLoops() {}

  private static void sum(byte[] target, byte[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] += source[i];
    }
  }

  private static void product(byte[] target, byte[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] *= source[i];
    }
  }

  private static void min(byte[] target, byte[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (byte) Math.min(target[i], source[i]);
    }
  }

  private static void max(byte[] target, byte[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (byte) Math.max(target[i], source[i]);
    }
  }

  private static void minUnsigned(byte[] target, byte[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (byte) Math.min(target[i] & 0xff, source[i] & 0xff);
    }
  }

  private static void maxUnsigned(byte[] target, byte[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (byte) Math.max(target[i] & 0xff, source[i] & 0xff);
    }
  }

  private static void and(byte[] target, byte[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (byte) (target[i] != 0 && source[i] != 0 ? 1 : 0);
    }
  }

  private static void or(byte[] target, byte[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (byte) ((target[i] | source[i]) != 0 ? 1 : 0);
    }
  }

  private static void xor(byte[] target, byte[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] = (byte) (target[i] != 0 ^ source[i] != 0 ? 1 : 0);
    }
  }

  /** Bits know no element size: this one, and the next two, serve every integer type. */
  static void bitAnd(byte[] target, byte[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] &= source[i];
    }
  }

  static void bitOr(byte[] target, byte[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] |= source[i];
    }
  }

  static void bitXor(byte[] target, byte[] source, int count) {
    for (int i = 0; i < count; i++) {
      target[i] ^= source[i];
    }
  }
}
