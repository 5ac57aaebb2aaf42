package io.jgloo.bench.operation;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;

/**
 * Elements that differ by rank, index and round, and whose reduction is exact in any order.
 *
 * <p>So a result can be compared bit by bit whatever the algorithm, and what is left over from
 * another round, place or rank is wrong. Exact means: float sums of integers that stay below the
 * significand, for averages one multiple of the number of ranks among zeros, float products of a
 * few powers of two. No operation may swallow its operands either: products are of odd numbers, and
 * zeros under "and" are as rare as there are ranks.
 *
 * @param op how they will be reduced, or null if they are only moved
 */
record Values(DataType type, ReduceOp op, int size) {

  /** Ranks whose factor is a half or two: their product stays a normal float16. */
  private static final int FACTORS = 8;

  /** The bits of one rank's element. */
  long bits(int rank, long index, int round) {
    long random = random(rank, index, round);
    if (op == null) {
      return Numbers.cut(type, random);
    }
    if (Numbers.isFloat(type)) {
      return Numbers.bits(type, number(random, Math.floorMod(rank + index, (long) size)));
    }
    long value =
        switch (op.name()) {
          case "product" -> random | 1;
          case "land", "lor" -> truth(random);
          case "band" -> type == DataType.BOOL ? truth(random) : ~rare(random);
          case "bor" -> type == DataType.BOOL ? truth(random) : rare(random);
          default -> random;
        };
    return type == DataType.BOOL ? value & 1 : Numbers.cut(type, value);
  }

  /** The bits of the reduction of all ranks' elements. */
  long reduced(long index, int round) {
    return reduced(size, index, round);
  }

  /** The bits of the reduction of the elements of the ranks before one; of one at least. */
  long reduced(int end, long index, int round) {
    long result = bits(0, index, round);
    for (int rank = 1; rank < end; rank++) {
      result = Numbers.combine(type, op, result, bits(rank, index, round));
    }
    return Numbers.complete(type, op, result, size);
  }

  /**
   * @param place of the rank among all, another one for every index
   */
  private double number(long random, long place) {
    long limit = 1L << Math.min(31, Numbers.significandBits(type));
    long share = Math.max(1, limit / size);
    if (op.averages()) {
      return place == 0 ? size * between(random, share) : 0;
    }
    return switch (op.combining().name()) {
      case "sum" -> place < limit ? between(random, share) : 0;
      case "product" ->
          (random < 0 ? -1 : 1) * (place < FACTORS ? Math.scalb(1.0, (int) between(random, 1)) : 1);
      default -> between(random, limit);
    };
  }

  /** An integer from -limit to limit. */
  private static long between(long random, long limit) {
    return Math.floorMod(random >> 8, 2 * limit + 1) - limit;
  }

  /** Zero under "and", one under "or", for about one rank of all. */
  private long truth(long random) {
    boolean odd = Math.floorMod(random, size + 1L) == 0;
    boolean and = op.name().endsWith("and");
    return odd == and ? 0 : 1;
  }

  /** Bits that are set for about one rank of all. */
  private long rare(long random) {
    long bits = random;
    for (int ranks = size; ranks > 2; ranks >>= 1) {
      random = mix(random);
      bits &= random;
    }
    return bits;
  }

  private static long random(int rank, long index, int round) {
    return mix(mix(mix(rank + 1) + index) + round);
  }

  /** The finaliser of SplitMix64 (Steele, Lea, Flood, 2014). */
  private static long mix(long x) {
    x += 0x9e3779b97f4a7c15L;
    x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
    return x ^ (x >>> 31);
  }
}
