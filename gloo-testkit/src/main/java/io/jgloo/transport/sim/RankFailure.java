package io.jgloo.transport.sim;

/** The program of a rank threw; holds the rank, and the seed that repeats it. */
public final class RankFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int rank;

  RankFailure(int rank, long seed, Throwable cause) {
    super("rank " + rank + " failed in the world of seed " + seed + ": " + cause, cause);
    this.rank = rank;
  }

  /** Rank that failed first. */
  public int rank() {
    return rank;
  }
}
