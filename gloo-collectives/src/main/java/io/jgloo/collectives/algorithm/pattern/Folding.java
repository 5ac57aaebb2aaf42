package io.jgloo.collectives.algorithm.pattern;

/**
 * Makes a power of two of any number of ranks: of the first 2E ranks, where E is what is over the
 * power, every odd one gives its vector to the even one before it and later gets the result.
 *
 * <p>The ranks that remain are renumbered in ascending order, so a block of 2^k of them that starts
 * at a multiple of 2^k still holds the vectors of consecutive ranks.
 */
public record Folding(int size, int rank) {
  /** How many ranks remain: the largest power of two not above the size. */
  public int power() {
    return Integer.highestOneBit(size);
  }

  /** How many rounds of exchange the remaining ranks need: log2 of their number. */
  public int rounds() {
    return Integer.numberOfTrailingZeros(power());
  }

  /** Whether this rank gives its vector away. */
  public boolean gives() {
    return rank % 2 == 1 && rank < 2 * extra();
  }

  /** Whether this rank takes another's vector in. */
  public boolean takes() {
    return rank % 2 == 0 && rank < 2 * extra();
  }

  /** The other rank of the pair, for one that gives or takes. */
  public int partner() {
    return rank ^ 1;
  }

  /** This rank's number among those that remain. */
  public int number() {
    return rank < 2 * extra() ? rank / 2 : rank - extra();
  }

  /** The rank that has a number. */
  public int rankOf(int number) {
    return number < extra() ? number * 2 : number + extra();
  }

  private int extra() {
    return size - power();
  }
}
