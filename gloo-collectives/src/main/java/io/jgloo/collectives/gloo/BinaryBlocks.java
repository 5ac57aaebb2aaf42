package io.jgloo.collectives.gloo;

/**
 * The blocks into which Gloo's halving algorithms divide the ranks: the powers of two whose sum
 * their number is, the largest block with the lowest ranks.
 *
 * @param first rank of this rank's block
 * @param size of the block
 * @param larger size of the block before it, 0 if there is none
 * @param smaller size of the block behind it, 0 if there is none
 */
record BinaryBlocks(int first, int size, int larger, int smaller) {
  /** Those around a rank. */
  static BinaryBlocks of(int ranks, int rank) {
    int first = 0;
    int larger = 0;
    int left = ranks;
    while (true) {
      int size = Integer.highestOneBit(left);
      int smaller = Integer.highestOneBit(left - size);
      if (rank < first + size) {
        return new BinaryBlocks(first, size, larger, smaller);
      }
      first += size;
      left -= size;
      larger = size;
    }
  }

  /** The logarithm of a power of two. */
  static int log(int power) {
    return Integer.numberOfTrailingZeros(power);
  }

  /** The lowest {@code bits} bits of a number in reverse order. */
  static int reversed(int bits, int number) {
    return bits == 0 ? 0 : Integer.reverse(number) >>> (Integer.SIZE - bits);
  }
}
