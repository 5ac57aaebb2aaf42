package io.jgloo.collectives;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Verifies every algorithm of the table for 1 to 64 ranks with awkward counts. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AlgorithmsVerifierTest {
  private static final int MOST_RANKS = 64;
  private static final int ELEMENT_BYTES = 4;

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void everySizeAndCount(Algorithm algorithm) {
    long start = System.nanoTime();
    int shapes = 0;
    int runs = 0;
    for (int size = 1; size <= MOST_RANKS; size++) {
      for (Shape shape : shapes(algorithm.collective(), size)) {
        runs += Verifier.verify(algorithm, shape);
        shapes++;
      }
    }
    System.out.printf(
        "verified %s %s: 1 to %d ranks, %d shapes, %d runs, %.1f s%n",
        algorithm.collective().label(),
        algorithm.name(),
        MOST_RANKS,
        shapes,
        runs,
        (System.nanoTime() - start) / 1e9);
    assertTrue(runs > shapes);
  }

  private static List<Shape> shapes(Collective collective, int size) {
    return switch (collective) {
      case ALLREDUCE ->
          counts(size).stream()
              .map(count -> segmented(Shape.allreduce(size, count, ELEMENT_BYTES)))
              .toList();
      case BROADCAST ->
          counts(size).stream()
              .map(
                  count -> {
                    int root = (int) (count % size);
                    return segmented(Shape.broadcast(size, root, count, ELEMENT_BYTES));
                  })
              .toList();
      case BARRIER -> List.of(Shape.barrier(size));
    };
  }

  /** Of the larger counts, make several segments of a few elements each. */
  private static Shape segmented(Shape shape) {
    boolean several = shape.count() > 2L * shape.size() && shape.count() < 1000;
    return several ? shape.withSegmentBytes(7 * ELEMENT_BYTES) : shape;
  }

  private static Set<Long> counts(int size) {
    long p = size;
    return new LinkedHashSet<>(
        List.of(0L, 1L, p - 1, p, p + 1, 2 * p + 1, 97L, 7 * p * 2 + 3, 8_388_593L / 64));
  }
}
