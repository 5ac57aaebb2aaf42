package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import java.util.Random;

/** Elements worth testing with, as bits: the corners of each type, and random ones. */
final class Samples {

  private static final long[] FLOAT16 = corners(0x7c00, 16, 10);
  private static final long[] BFLOAT16 = corners(0x7f80, 16, 7);
  private static final long[] FLOAT32 = corners(0x7f800000, 32, 23);
  private static final long[] FLOAT64 = corners(0x7ff0000000000000L, 64, 52);

  private Samples() {}

  /** Half of them corners, half of them random bits. */
  static long[] of(DataType type, int count, Random random) {
    long[] corners =
        switch (type) {
          case FLOAT16 -> FLOAT16;
          case BFLOAT16 -> BFLOAT16;
          case FLOAT32 -> FLOAT32;
          case FLOAT64 -> FLOAT64;
          default -> integers(8 * type.bytes());
        };
    long mask = type.bytes() == 8 ? -1L : (1L << (8 * type.bytes())) - 1;
    long[] samples = new long[count];
    for (int i = 0; i < count; i++) {
      samples[i] =
          random.nextBoolean() ? corners[random.nextInt(corners.length)] : random.nextLong() & mask;
    }
    return samples;
  }

  private static long[] integers(int width) {
    long highest = width == 64 ? Long.MAX_VALUE : (1L << (width - 1)) - 1;
    long all = width == 64 ? -1L : (1L << width) - 1;
    return new long[] {0, 1, 2, 3, highest, highest - 1, highest + 1, highest + 2, all, all - 1};
  }

  /** Zeros, subnormals, ones, largest values, infinities and NaNs (both kinds), of either sign. */
  private static long[] corners(long infinity, int width, int fractionBits) {
    long leastNormal = 1L << fractionBits;
    long one = ((infinity >> fractionBits) / 2) << fractionBits;
    long quietNan = infinity | (1L << (fractionBits - 1));
    long[] positive = {
      0,
      1,
      2,
      leastNormal - 1,
      leastNormal,
      leastNormal + 1,
      one,
      one + 1,
      one - 1,
      one / 2,
      infinity - 1,
      infinity - 2,
      infinity,
      infinity,
      quietNan,
      quietNan | 5,
      infinity | 1
    };
    long[] both = new long[2 * positive.length];
    for (int i = 0; i < positive.length; i++) {
      both[2 * i] = positive[i];
      both[2 * i + 1] = positive[i] | (1L << (width - 1));
    }
    return both;
  }
}
