package io.jgloo.collectives.gloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Shapes;
import io.jgloo.collectives.verify.BrokenScheduleException;
import io.jgloo.collectives.verify.Verifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Verifies every algorithm in Gloo's messages with awkward counts: for 1 to 9 and 16 ranks, with
 * -Pfull for 1 to 17.
 */
@Timeout(300)
class GlooAlgorithmsVerifierTest {
  private static final List<Integer> SIZES =
      Boolean.getBoolean("jgloo.test.full")
          ? IntStream.rangeClosed(1, 17).boxed().toList()
          : List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 16);
  private static final String POWERS_ONLY = "allreduceBcube";
  private static final String NEIGHBOURS_ONLY = "pairwiseExchange";

  /** All but the one that knows no other shapes than its own, which has a test of its own. */
  static List<Algorithm> algorithms() {
    LinkedHashSet<Algorithm> all = new LinkedHashSet<>(GlooAlgorithms.all());
    GlooAlgorithms.all().forEach(algorithm -> all.add(GlooAlgorithms.classic(algorithm)));
    all.removeIf(algorithm -> algorithm.name().equals(NEIGHBOURS_ONLY));
    return List.copyOf(all);
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void everySizeWithAwkwardCounts(Algorithm algorithm) {
    int runs = 0;
    int shapes = 0;
    for (int size : SIZES) {
      for (long count : counts(size)) {
        if (!algorithm.name().equals(POWERS_ONLY) || Integer.bitCount(size) == 1) {
          runs += verify(algorithm, size, (int) (count % size), count, 4);
          shapes++;
        }
      }
    }
    assertTrue(shapes >= 5 && runs >= 4 * shapes, shapes + " shapes, " + runs + " runs");
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void everyRootAndOtherElementSizes(Algorithm algorithm) {
    int runs = 0;
    for (int size = 1; size <= 9; size++) {
      boolean right = !algorithm.name().equals(POWERS_ONLY) || Integer.bitCount(size) == 1;
      for (int root = 0; right && root < size; root++) {
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

  @Test
  void exchangesWithRanksThatDifferInABit() {
    Algorithm exchange = named(Collective.ALLTOALLV, NEIGHBOURS_ONLY);
    for (int size = 2; size <= 16; size += 2) {
      for (int destinations = 1; 1 << destinations <= size; destinations++) {
        if (size % (1 << destinations) == 0) {
          List<Shape> shapes = exchanges(size, destinations, 7);
          assertEquals(4, Verifier.verify(exchange, shapes));
          assertEquals(2L * destinations, ((GlooAlgorithm) exchange).slots(shapes.get(0)));
        }
      }
    }
  }

  @Test
  void refusesExchangesThatGloosClassDoesNotMake() {
    Algorithm exchange = named(Collective.ALLTOALLV, NEIGHBOURS_ONLY);
    Shape beyond = exchanges(8, 2, 3).get(4); // of rank 4, with ranks 5 and 6
    assertThrows(IllegalArgumentException.class, () -> exchange.schedule(beyond, 0));
    long[] unequal = {0, 3, 4, 0};
    Shape other = Shape.alltoallv(unequal, unequal, 4);
    assertThrows(IllegalArgumentException.class, () -> exchange.schedule(other, 0));
    Shape odd = Shape.alltoallv(new long[] {0, 1, 0}, new long[] {0, 1, 0}, 4);
    assertThrows(IllegalArgumentException.class, () -> exchange.schedule(odd, 0));
    Shape none = Shape.alltoallv(new long[2], new long[2], 4);
    assertThrows(IllegalArgumentException.class, () -> exchange.schedule(none, 0));
  }

  private static List<Shape> exchanges(int size, int destinations, long count) {
    List<Shape> shapes = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      long[] counts = new long[size];
      for (int i = 0; i < destinations; i++) {
        counts[rank ^ 1 << i] = count;
      }
      shapes.add(Shape.alltoallv(counts, counts, 4));
    }
    return shapes;
  }

  @Test
  void gloosFirstRingAssociatesDifferentlyAtEachRank() {
    Algorithm ring = named(Collective.ALLREDUCE, "allreduceRing");
    assertFalse(ring.alike(Shape.allreduce(3, 5, 4)));
    List<Schedule> schedules = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      schedules.add(ring.schedule(Shape.allreduce(3, 5, 4), rank));
    }
    assertThrows(BrokenScheduleException.class, () -> Verifier.verify(schedules, false));
  }

  @Test
  void refusesSizesForWhichGloosResultsAreWrong() {
    Algorithm bcube = named(Collective.ALLREDUCE, POWERS_ONLY);
    Shape shape = Shape.allreduce(6, 5, 4);
    assertThrows(IllegalArgumentException.class, () -> bcube.schedule(shape, 0));
  }

  private static Algorithm named(Collective collective, String name) {
    return GlooAlgorithms.of(collective).stream()
        .filter(algorithm -> algorithm.name().equals(name))
        .findFirst()
        .orElseThrow();
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
