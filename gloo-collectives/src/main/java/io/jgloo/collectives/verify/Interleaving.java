package io.jgloo.collectives.verify;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Chooses what happens next among all that could, and so stands for schedulers and networks of
 * every temper.
 *
 * @param seed 0: always what became possible last; otherwise the seed of a random choice
 * @param starved a rank whose turn comes only when no other can move, or -1
 * @param rendezvous whether a send completes only once its receive has been issued, or may complete
 *     at once
 */
record Interleaving(long seed, int starved, boolean rendezvous) {
  /** A network without any buffer, run by a scheduler that always prefers the newest. */
  public static Interleaving strictest() {
    return new Interleaving(0, -1, true);
  }

  /** A random choice, without favour. */
  public static Interleaving random(long seed, boolean rendezvous) {
    return new Interleaving(seed, -1, rendezvous);
  }

  /** A random choice that leaves one rank behind as far as it can be. */
  public static Interleaving starving(int rank, long seed, boolean rendezvous) {
    return new Interleaving(seed, rank, rendezvous);
  }

  /** An empty pool of things that could happen, from which this interleaving chooses. */
  Pool pool() {
    return new Pool(seed == 0 ? null : new SplittableRandom(seed));
  }

  /** Numbered things of which one at a time is taken. */
  static final class Pool {
    private final @Nullable SplittableRandom random;
    private int[] items = new int[64];
    private int count;

    private Pool(@Nullable SplittableRandom random) {
      this.random = random;
    }

    boolean isEmpty() {
      return count == 0;
    }

    void add(int item) {
      if (count == items.length) {
        items = Arrays.copyOf(items, 2 * count);
      }
      items[count++] = item;
    }

    int take() {
      int index = random == null ? count - 1 : random.nextInt(count);
      int item = items[index];
      items[index] = items[--count];
      return item;
    }
  }
}
