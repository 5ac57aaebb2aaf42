package io.jgloo.collectives.cppgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Shapes;
import io.jgloo.collectives.verify.Verifier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Verifies every algorithm in Gloo's messages with awkward counts: for 1 to 9 and 16 ranks, with
 * -Pfull for 1 to 17.
 */
@Timeout(300)
class CppGlooAlgorithmsVerifierTest {
  private static final List<Integer> SIZES =
      Boolean.getBoolean("jgloo.test.full")
          ? IntStream.rangeClosed(1, 17).boxed().toList()
          : List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 16);

  static List<Algorithm> algorithms() {
    return CppGlooAlgorithms.all();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void everySizeWithAwkwardCounts(Algorithm algorithm) {
    int runs = 0;
    int shapes = 0;
    for (int size : SIZES) {
      for (long count : counts(size)) {
        runs += verify(algorithm, size, (int) (count % size), count, 4);
        shapes++;
      }
    }
    assertTrue(shapes >= 5 && runs >= 4 * shapes, shapes + " shapes, " + runs + " runs");
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void everyRootAndOtherElementSizes(Algorithm algorithm) {
    int runs = 0;
    for (int size = 1; size <= 9; size++) {
      for (int root = 0; root < size; root++) {
        runs += verify(algorithm, size, root, 101, 1);
        runs += verify(algorithm, size, root, 1001, 12);
      }
    }
    assertTrue(runs >= 15 * 2 * 4, runs + " runs");
  }

  /** Blocks of different lengths, empty ones among them. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void unevenBlocks(Algorithm algorithm) {
    Collective what = algorithm.collective();
    int runs = 0;
    for (int size : what.uneven() ? SIZES : List.<Integer>of()) {
      for (long bound : new long[] {2, 5, 70}) {
        runs += Verifier.verify(algorithm, Shapes.random(what, size, size / 3, bound, 4, 28));
      }
    }
    assertEquals(what.uneven() ? SIZES.size() * 3 * 4 : 0, runs);
  }

  /** Several segments of each rank where Gloo cuts, and messages of megabytes where it does not. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void largeVectors(Algorithm algorithm) {
    int runs = 0;
    for (int size : new int[] {2, 4, 8}) {
      runs += verify(algorithm, size, 1, 3_000_001, 4);
    }
    assertEquals(12, runs);
  }

  private static int verify(Algorithm algorithm, int size, int root, long count, int bytes) {
    Shape shape = Shapes.of(algorithm.collective(), size, root, count, bytes);
    return Verifier.verify(algorithm, shape);
  }

  private static Set<Long> counts(long size) {
    return new LinkedHashSet<>(
        List.of(0L, 1L, size - 1, size, size + 1, 2 * size + 1, 257L, 3083L));
  }
}
