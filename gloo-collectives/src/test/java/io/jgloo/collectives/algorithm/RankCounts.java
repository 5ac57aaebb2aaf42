package io.jgloo.collectives.algorithm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/**
 * The numbers of ranks that algorithms are verified for: each of the small ones, 16, and some up to
 * 64 that differ from run to run.
 */
final class RankCounts {
  private static final int MOST = 64;
  private static final int EVERY_OF_FULL = 16;
  private static final int CHOSEN_OF_FULL = 6;

  /** Powers of two and their neighbours, which -Pfull takes too: there algorithms change. */
  private static final List<Integer> OF_FULL = List.of(17, 31, 32, 33, 48, 63, MOST);

  private RankCounts() {}

  /**
   * Chooses by the property {@code jgloo.test.seed} if that is set, and prints the choice.
   *
   * @param every all numbers up to this one; with -Pfull all up to 16
   * @param chosen how many more, chosen at random; with -Pfull 13
   */
  static Collection<Integer> some(int every, int chosen) {
    boolean full = Boolean.getBoolean("jgloo.test.full");
    int all = full ? EVERY_OF_FULL : every;
    TreeSet<Integer> sizes = new TreeSet<>(full ? OF_FULL : List.of(16));
    List<Integer> above = new ArrayList<>();
    for (int size = 1; size <= MOST; size++) {
      if (size <= all) {
        sizes.add(size);
      } else if (!sizes.contains(size)) {
        above.add(size);
      }
    }
    long seed = Long.getLong("jgloo.test.seed", System.nanoTime());
    Collections.shuffle(above, new Random(seed));
    sizes.addAll(above.subList(0, full ? CHOSEN_OF_FULL : chosen));
    System.out.printf(
        "above %d ranks: %s; -Djgloo.test.seed=%d%n", all, sizes.tailSet(all + 1), seed);
    return sizes;
  }
}
