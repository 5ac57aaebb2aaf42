package io.jgloo.collectives.algorithm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Shapes;
import io.jgloo.collectives.verify.Verifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Verifies the algorithms that know hosts on layouts of 1 to 64 ranks: one node, two equal ones,
 * uneven ones, singletons, interleaved ones and random ones. 1 to 7 ranks, 16, and on some layouts
 * a number that differs from run to run; with -Pfull 1 to 16 and more numbers, on all layouts.
 */
@Timeout(300)
class LayoutVerifierTest {
  private static final Set<String> NAMES = Set.of("direct", "hierarchical", "leaders");
  private static final Collection<Integer> SIZES = RankCounts.some(7, 1);

  /** Larger numbers of ranks have two equal nodes, uneven ones and random ones, unless -Pfull. */
  private static final int ON_ALL_LAYOUTS =
      Boolean.getBoolean("jgloo.test.full") ? Integer.MAX_VALUE : 4;

  static List<Algorithm> algorithms() {
    return Algorithms.all().stream().filter(each -> NAMES.contains(each.name())).toList();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void everyLayout(Algorithm algorithm) {
    List<Shape> shapes = new ArrayList<>();
    for (int size : SIZES) {
      for (Layout layout : layouts(size)) {
        int root = shapes.size() % size;
        for (long count : new long[] {0, size, 131}) {
          shapes.add(Shapes.of(algorithm.collective(), size, root, count, 4).withLayout(layout));
        }
        Shape shape = Shapes.of(algorithm.collective(), size, root, 9L * size + 5, 4);
        shapes.add(shape.withSegmentBytes(3 * 4).withLayout(layout));
      }
    }
    int runs = shapes.parallelStream().mapToInt(shape -> Verifier.verify(algorithm, shape)).sum();
    assertTrue(runs >= 4 * shapes.size(), "runs of " + shapes.size() + " shapes: " + runs);
  }

  /** Blocks of different lengths, empty ones among them. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void unevenBlocks(Algorithm algorithm) {
    if (!algorithm.collective().uneven()) {
      return;
    }
    for (int size : SIZES) {
      for (Layout layout : layouts(size)) {
        List<Shape> shapes = Shapes.random(algorithm.collective(), size, size / 3, 5, 4, 28);
        Verifier.verify(algorithm, shapes.stream().map(shape -> shape.withLayout(layout)).toList());
      }
    }
  }

  /** Segments and slices as they are in use. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void largeVectors(Algorithm algorithm) {
    for (int size : new int[] {4, 5}) {
      Shape shape = Shapes.of(algorithm.collective(), size, 1, 2_500_009, 8);
      for (Layout layout : layouts(size)) {
        Verifier.verify(algorithm, shape.withLayout(layout));
      }
    }
  }

  private static List<Layout> layouts(int size) {
    Random random = new Random(size);
    int[] byChance = random.ints(size, 0, 1 + size / 3).toArray();
    List<Layout> layouts =
        List.of(
            layout(size, rank -> 2 * rank / size),
            layout(size, rank -> (int) Math.sqrt(2.0 * rank)),
            layout(size, rank -> byChance[rank]),
            Layout.oneNode(size),
            layout(size, rank -> rank),
            layout(size, rank -> rank % 2),
            layout(size, rank -> rank % 3),
            layout(size, rank -> Math.max(0, rank - 2)));
    return size <= ON_ALL_LAYOUTS ? layouts : layouts.subList(0, 3);
  }

  private static Layout layout(int size, IntUnaryOperator host) {
    return Layout.of(IntStream.range(0, size).map(host).mapToObj(each -> "host-" + each).toList());
  }
}
