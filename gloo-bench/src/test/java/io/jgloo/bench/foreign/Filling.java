package io.jgloo.bench.foreign;

import io.jgloo.collectives.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What inputs hold, by seed, rank, input and index alone: the formula of {@code gloo_rank.cc}.
 *
 * <p>Floats are made of bits, so that nothing is rounded on the way: in [0.5, 2) with either sign,
 * which keeps products of many ranks finite and makes sums depend on their order.
 */
final class Filling {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final int[] SINGLES = {
    0, 0x80000000, 0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000, 0x3f800000, 0x7fc01234
  };
  private static final long[] DOUBLES = {
    0,
    1L << 63,
    0x7ff8000000000000L,
    0xfff8000000000001L,
    0x7ff0000000000000L,
    0xfff0000000000000L,
    0x3ff0000000000000L,
    0x7ff8000000001234L
  };
  private static final int[] HALVES = {0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x0001, 0x8001};

  private Filling() {}

  /** An input of some elements, off the heap. */
  static ByteBuffer of(Case each, int rank, int input, int count) {
    ByteBuffer bytes = empty(each, count);
    DataType type = each.type();
    long seed = each.number("seed", 1);
    boolean special = each.text("values", "ordinary").equals("special");
    for (int i = 0; i < count; i++) {
      long hash = mixed(seed, rank, input, i);
      put(bytes, i, type.bytes(), special ? special(type, hash) : ordinary(type, hash));
    }
    return bytes;
  }

  /** Room for some elements, zero. */
  static ByteBuffer empty(Case each, int count) {
    int length = Math.multiplyExact(count, each.type().bytes());
    return ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
  }

  private static long mixed(long seed, int rank, int input, long index) {
    long z = seed * GOLDEN + ((long) rank << 48 | (long) input << 40 | index) + GOLDEN;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  private static long ordinary(DataType type, long h) {
    return switch (type) {
      case FLOAT32 -> (h & 0xffffff) + 0x3f000000 + (h >>> 63 << 31);
      case FLOAT64 -> (h & 0x1fffffffffffffL) + 0x3fe0000000000000L + (h >>> 63 << 63);
      case FLOAT16 -> (h & 0x7ff) + 0x3800 + (h >>> 63 << 15);
      default -> h;
    };
  }

  /** Zeros of both signs, infinities and, but for float16, NaNs of several kinds. */
  private static long special(DataType type, long h) {
    int choice = (int) h & 7;
    return switch (type) {
      case FLOAT32 -> SINGLES[choice];
      case FLOAT64 -> DOUBLES[choice];
      case FLOAT16 -> HALVES[choice];
      default -> h;
    };
  }

  private static void put(ByteBuffer bytes, int index, int width, long bits) {
    switch (width) {
      case 1 -> bytes.put(index, (byte) bits);
      case 2 -> bytes.putShort(2 * index, (short) bits);
      case 4 -> bytes.putInt(4 * index, (int) bits);
      default -> bytes.putLong(8 * index, bits);
    }
  }
}
