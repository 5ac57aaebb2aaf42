package io.jgloo.gradient;

import java.util.Random;

/**
 * Divides the samples of a data set among ranks, as many for each, as PyTorch's DistributedSampler.
 *
 * <pre>{@code
 * DistributedSampler sampler =
 *     DistributedSampler.of(images.length, group.size(), group.rank()).shuffled(42);
 * for (int epoch = 0; epoch < epochs; epoch++) {
 *   for (int index : sampler.indices(epoch)) {
 *     ... images[index] ...
 *   }
 * }
 * }</pre>
 *
 * <p>If the number of samples is no multiple of the number of ranks, the first ones of the order of
 * the epoch are repeated at its end; or the last ones are left out ({@link #droppingLast}). Rank r
 * of n has the samples at places r, r + n, r + 2n and so on.
 *
 * <p><em>Threads</em>: any; immutable.
 */
public final class DistributedSampler {

  private final int samples;
  private final int ranks;
  private final int rank;
  private final boolean shuffled;
  private final long seed;
  private final boolean droppingLast;

  private DistributedSampler(
      int samples, int ranks, int rank, boolean shuffled, long seed, boolean droppingLast) {
    this.samples = samples;
    this.ranks = ranks;
    this.rank = rank;
    this.shuffled = shuffled;
    this.seed = seed;
    this.droppingLast = droppingLast;
  }

  /**
   * Divides samples, in their order.
   *
   * @param samples of the data set, the same at all ranks
   * @param ranks how many there are
   * @param rank of this process
   * @throws IllegalArgumentException if samples is negative, or there is no such rank
   */
  public static DistributedSampler of(int samples, int ranks, int rank) {
    if (samples < 0) {
      throw new IllegalArgumentException("samples must not be negative, but is " + samples);
    }
    if (rank < 0 || rank >= ranks) {
      throw new IllegalArgumentException(
          "rank must be 0 or more and less than " + ranks + ", but is " + rank);
    }
    return new DistributedSampler(samples, ranks, rank, false, 0, false);
  }

  /**
   * Shuffles the samples in each epoch.
   *
   * @param seed the same at all ranks; epoch e of seed s has the order of epoch 0 of seed s + e
   */
  public DistributedSampler shuffled(long seed) {
    return new DistributedSampler(samples, ranks, rank, true, seed, droppingLast);
  }

  /** Leaves samples out, fewer than there are ranks, where others would be repeated. */
  public DistributedSampler droppingLast() {
    return new DistributedSampler(samples, ranks, rank, shuffled, seed, true);
  }

  /** How many samples each rank has in an epoch. */
  public int count() {
    return droppingLast ? samples / ranks : (int) (((long) samples + ranks - 1) / ranks);
  }

  /** The samples of this rank in an epoch, from 0 on. */
  public int[] indices(int epoch) {
    int[] order = new int[samples];
    for (int i = 0; i < samples; i++) {
      order[i] = i;
    }
    if (shuffled) {
      Random random = new Random(seed + epoch); // the same sequence in each Java
      for (int i = samples - 1; i > 0; i--) {
        int other = random.nextInt(i + 1);
        int index = order[i];
        order[i] = order[other];
        order[other] = index;
      }
    }
    int[] own = new int[count()];
    for (int i = 0; i < own.length; i++) {
      own[i] = order[(int) ((rank + (long) i * ranks) % samples)];
    }
    return own;
  }
}
