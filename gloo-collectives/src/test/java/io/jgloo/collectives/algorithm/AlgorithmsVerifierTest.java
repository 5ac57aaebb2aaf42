package io.jgloo.collectives.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Shapes;
import io.jgloo.collectives.algorithm.allreduce.BcubeAllreduce;
import io.jgloo.collectives.verify.Verifier;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Verifies every algorithm of the table with awkward counts: for 1 to 9 and 16 ranks and for a
 * number of ranks up to 64 that differs from run to run, more of them with -Pfull.
 */
@Timeout(900)
class AlgorithmsVerifierTest {
  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");
  private static final int ELEMENT_BYTES = 4;
  private static final Collection<Integer> SIZES = RankCounts.some(9, 1);

  /** Beyond this, runs cost most, and find nothing about counts that they have not found below. */
  private static final int EVERY_COUNT_RANKS = 17;

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void allSizesWithAwkwardCounts(Algorithm algorithm) {
    List<Shape> shapes = new ArrayList<>();
    for (int size : SIZES) {
      for (long count : size <= EVERY_COUNT_RANKS ? counts(size) : Set.of(size + 1L, 131_071L)) {
        shapes.add(shape(algorithm, size, (int) (count % size), count, ELEMENT_BYTES));
      }
      shapes.add(shape(algorithm, size, size - 1, 97, ELEMENT_BYTES).withSegmentBytes(23 * 4));
      if (size <= 9 || size == 16 || (FULL && size % 16 <= 1)) { // several segments in every chunk
        shapes.add(shape(algorithm, size, 0, 14L * size + 3, 4).withSegmentBytes(7 * 4));
      }
    }
    verify(algorithm, SIZES.size() + " numbers of ranks", shapes);
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void allRootsAndOtherElementSizes(Algorithm algorithm) {
    List<Shape> shapes = new ArrayList<>();
    for (int size = 1; size <= 9; size++) {
      for (int root = 0; root < size; root++) {
        shapes.add(shape(algorithm, size, root, 101, 1).withSegmentBytes(13));
        shapes.add(shape(algorithm, size, root, 101, 12).withSegmentBytes(120));
      }
    }
    verify(algorithm, "1 to 9 ranks, every root", shapes);
  }

  /** Blocks of different lengths, empty ones among them. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void unevenBlocks(Algorithm algorithm) {
    int runs = 0;
    for (int size : SIZES) {
      for (long bound : new long[] {2, 5, 70}) {
        Collective what = algorithm.collective();
        runs +=
            what.uneven()
                ? Verifier.verify(algorithm, Shapes.random(what, size, size / 3, bound, 4, 28))
                : 0;
      }
    }
    assertEquals(algorithm.collective().uneven() ? SIZES.size() * 3 * 4 : 0, runs);
  }

  /** Groups of other sizes than those in the table. */
  @ParameterizedTest
  @ValueSource(ints = {3, 8})
  void bcubeOfOtherBases(int base) {
    List<Shape> shapes = new ArrayList<>();
    for (int size : SIZES) {
      shapes.add(Shape.allreduce(size, 2L * size + 1, ELEMENT_BYTES));
    }
    verify(new BcubeAllreduce(base), "base " + base, shapes);
  }

  /** Segments and slices as they are in use: 256 KiB at most, cut on cache lines. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void largeVectors(Algorithm algorithm) {
    List<Shape> shapes = new ArrayList<>();
    for (int size : new int[] {2, 3, 5, 8}) {
      shapes.add(shape(algorithm, size, 1, 2_500_009, 8));
    }
    shapes.add(shape(algorithm, 2, 1, 33_554_432, 4));
    int many = FULL ? 64 : 16;
    shapes.add(shape(algorithm, many, many - 1, 2_097_169, 4));
    verify(algorithm, "20 to 128 MB", shapes);
  }

  /** One shape after the other, on as many processors as there are. */
  private static void verify(Algorithm algorithm, String what, List<Shape> shapes) {
    AtomicLong spent = new AtomicLong();
    Set<Shape> distinct = new LinkedHashSet<>(shapes);
    int runs =
        distinct.parallelStream()
            .mapToInt(
                shape -> {
                  long start = cpuNanos();
                  int verified = Verifier.verify(algorithm, shape);
                  spent.addAndGet(cpuNanos() - start);
                  return verified;
                })
            .sum();
    System.out.printf(
        "verified %s %s: %s, %d shapes, %d runs, %.1f s of CPU%n",
        algorithm.collective().label(),
        algorithm.name(),
        what,
        distinct.size(),
        runs,
        spent.get() / 1e9);
    assertTrue(runs >= 4 * distinct.size(), "runs of " + distinct.size() + " shapes: " + runs);
  }

  private static Shape shape(Algorithm algorithm, int size, int root, long count, int bytes) {
    return Shapes.of(algorithm.collective(), size, root, count, bytes);
  }

  private static Set<Long> counts(long size) {
    return new LinkedHashSet<>(List.of(0L, 1L, size - 1, size, 2 * size + 1, 131_071L));
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
