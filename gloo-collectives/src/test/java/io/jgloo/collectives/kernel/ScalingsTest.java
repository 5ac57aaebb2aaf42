package io.jgloo.collectives.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.memory.Memory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Averages and factors round as {@link ReduceOp} says. */
@Timeout(60)
class ScalingsTest {

  private static final int[] RANKS = {2, 7, 1000};

  /** All values of the 16-bit types; the exact quotient, rounded once, by their own definition. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void quotientsOf16BitFloatsAreRoundedToNearestEven(DataType type) {
    int values = 1 << 16;
    int ranks = 3;
    long room = Memory.allocate(2L * values, 64);
    try {
      for (int i = 0; i < values; i++) {
        Memory.putShort(room + 2L * i, (short) i);
      }
      Scalings.over(type, ranks).apply(room, 2L * values);
      for (int i = 0; i < values; i++) {
        float value =
            type == DataType.FLOAT16 ? Float16.widen((short) i) : Bfloat16.widen((short) i);
        short actual = Memory.getShort(room + 2L * i);
        short expected = nearest(type, value, ranks);
        if (expected != actual && !(isNan(type, expected) && isNan(type, actual))) {
          assertEquals(expected, actual, i + " / " + ranks);
        }
      }
    } finally {
      Memory.free(room);
    }
  }

  /** All values, of any length and at odd addresses: native code has the bits of the Java loops. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT16", "BFLOAT16"})
  void factorsGiveTheSameBitsInNativeCode(DataType type) {
    int values = 1 << 16;
    long expected = Memory.allocate(2L * values, 64);
    long actual = Memory.allocate(2L * values + 1, 64) + 1;
    try {
      for (int level = 0; level <= NativeKernels.level(); level++) {
        for (double factor : new double[] {1.0 / 3, 70_000, 1e-6}) {
          for (int count = 60; count <= values; count = count < 90 ? count + 1 : values) {
            for (int i = 0; i < count; i++) {
              Memory.putShort(expected + 2L * i, (short) (i - 99));
              Memory.putShort(actual + 2L * i, (short) (i - 99));
            }
            Scalings.times(type, factor, -1).apply(expected, 2L * count);
            Scalings.times(type, factor, level).apply(actual, 2L * count);
            for (int i = 0; i < count; i++) {
              short wanted = Memory.getShort(expected + 2L * i);
              short found = Memory.getShort(actual + 2L * i);
              if (wanted != found && !(isNan(type, wanted) && isNan(type, found))) {
                assertEquals(wanted, found, "level " + level + ", " + (i - 99) + " x " + factor);
              }
            }
            if (count == values) {
              break;
            }
          }
        }
      }
    } finally {
      Memory.free(expected);
      Memory.free(actual - 1);
    }
  }

  /** Random bits, of any length and at odd addresses. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BOOL")
  void scalingsHaveTheSameBitsInNativeCode(DataType type) {
    int bytes = 1 << 17;
    long expected = Memory.allocate(bytes, 64);
    long actual = Memory.allocate(bytes + 1, 64) + 1;
    Random random = new Random(type.bytes());
    try {
      for (int level = 0; level <= NativeKernels.level(); level++) {
        for (int ranks : RANKS) {
          for (int count : new int[] {1, 7, 16, 61, 1000, bytes / type.bytes()}) {
            for (int at = 0; at < bytes; at += 8) {
              long bits = random.nextLong();
              Memory.putLong(expected + at, bits);
              Memory.putLong(actual + at, bits);
            }
            long length = (long) count * type.bytes();
            Scalings.over(type, ranks, -1).apply(expected, length);
            Scalings.over(type, ranks, level).apply(actual, length);
            if (ReduceOp.premulSum(2).appliesTo(type)) {
              Scalings.times(type, 1 / 3.0, -1).apply(expected, length);
              Scalings.times(type, 1 / 3.0, level).apply(actual, length);
            }
            for (int at = 0; at < bytes; at += type.bytes()) {
              if (!same(type, expected + at, actual + at)) {
                assertEquals(
                    Memory.getLong(expected + (at & -8)),
                    Memory.getLong(actual + (at & -8)),
                    "byte " + at + " of " + count + " over " + ranks + ", level " + level);
              }
            }
          }
        }
      }
    } finally {
      Memory.free(expected);
      Memory.free(actual - 1);
    }
  }

  /** The same bits, or no numbers. */
  private static boolean same(DataType type, long first, long second) {
    return switch (type.bytes()) {
      case 1 -> Memory.getByte(first) == Memory.getByte(second);
      case 2 -> {
        short x = Memory.getShort(first);
        short y = Memory.getShort(second);
        boolean real = type == DataType.FLOAT16 || type == DataType.BFLOAT16;
        yield x == y || (real && isNan(type, x) && isNan(type, y));
      }
      case 4 -> {
        boolean real = type == DataType.FLOAT32;
        yield Memory.getInt(first) == Memory.getInt(second)
            || (real
                && Float.isNaN(Memory.getFloat(first))
                && Float.isNaN(Memory.getFloat(second)));
      }
      default -> {
        boolean real = type == DataType.FLOAT64;
        yield Memory.getLong(first) == Memory.getLong(second)
            || (real
                && Double.isNaN(Memory.getDouble(first))
                && Double.isNaN(Memory.getDouble(second)));
      }
    };
  }

  private static boolean isNan(DataType type, short bits) {
    return Float.isNaN(type == DataType.FLOAT16 ? Float16.widen(bits) : Bfloat16.widen(bits));
  }

  /** Steps from the rounded quotient to whichever neighbour lies closer to the exact one. */
  private static short nearest(DataType type, float value, int ranks) {
    boolean half = type == DataType.FLOAT16;
    float quotient = value / ranks;
    short guess = half ? Float16.round(quotient) : Bfloat16.round(quotient);
    if (Float.isNaN(value) || Float.isInfinite(value)) {
      return guess;
    }
    short best = guess;
    for (int step = -1; step <= 1; step++) {
      short other = (short) (guess + step);
      BigDecimal distance = distance(half, other, ranks, value);
      if (((other ^ guess) & 0x8000) == 0 && distance != null) {
        int order = distance.compareTo(distance(half, best, ranks, value));
        best = order < 0 || (order == 0 && other % 2 == 0) ? other : best;
      }
    }
    return best;
  }

  /** Times the number of ranks, so that it is exact; null for what is no number. */
  private static BigDecimal distance(boolean half, short bits, int ranks, float dividend) {
    float value = half ? Float16.widen(bits) : Bfloat16.widen(bits);
    return Float.isNaN(value) || Float.isInfinite(value)
        ? null
        : new BigDecimal(value)
            .multiply(BigDecimal.valueOf(ranks))
            .subtract(new BigDecimal(dividend))
            .abs();
  }

  @ParameterizedTest
  @EnumSource(names = {"INT8", "UINT8", "INT16", "UINT16", "INT32", "UINT32", "INT64", "UINT64"})
  void quotientsOfIntegersAreTruncatedTowardsZero(DataType type) {
    int width = 8 * type.bytes();
    boolean signed = !type.name().startsWith("U");
    Random random = new Random(width);
    long room = Memory.allocate(8, 8);
    try {
      for (int ranks : new int[] {2, 3, 5, 127}) {
        Scaling scaling = Scalings.over(type, ranks);
        for (int i = 0; i < 2000; i++) {
          long bits = i == 0 ? 1L << (width - 1) : random.nextLong();
          Memory.putLong(room, bits);
          scaling.apply(room, type.bytes());
          BigInteger expected =
              value(bits, width, signed)
                  .divide(BigInteger.valueOf(ranks)); // BigInteger truncates towards zero too
          assertEquals(expected, value(Memory.getLong(room), width, signed));
        }
      }
    } finally {
      Memory.free(room);
    }
  }

  private static BigInteger value(long bits, int width, boolean signed) {
    BigInteger modulus = BigInteger.ONE.shiftLeft(width);
    BigInteger unsigned = BigInteger.valueOf(bits).mod(modulus);
    return signed && unsigned.testBit(width - 1) ? unsigned.subtract(modulus) : unsigned;
  }

  @Test
  void theFactorOf16BitFloatsIsAFloat() {
    long room = Memory.allocate(4, 4);
    try {
      Memory.putShort(room, Float16.round(3));
      Memory.putShort(room + 2, Bfloat16.round(3));
      Scalings.times(DataType.FLOAT16, 0.1).apply(room, 2);
      Scalings.times(DataType.BFLOAT16, 0.1).apply(room + 2, 2);
      assertEquals(Float16.round(3 * 0.1f), Memory.getShort(room));
      assertEquals(Bfloat16.round(3 * 0.1f), Memory.getShort(room + 2));
      BigDecimal tenth = new BigDecimal("0.3").setScale(3, RoundingMode.HALF_EVEN);
      float half = Float16.widen(Memory.getShort(room));
      assertTrue(new BigDecimal(half).subtract(tenth).abs().doubleValue() < 0.3 / 2048);
    } finally {
      Memory.free(room);
    }
  }
}
