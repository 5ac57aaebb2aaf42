package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.verify.Verifier;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An algorithm that {@link StarProvider} brings, as META-INF/services says. */
@Timeout(120)
class ProvidedAlgorithmTest {
  private static final CallOptions STAR = CallOptions.DEFAULTS.algorithm(StarProvider.NAME);

  @Test
  void userVerifiesTheAlgorithm() {
    for (int size = 1; size <= 9; size++) {
      for (long count : new long[] {0, 1, size, 101}) {
        Shape shape = Shape.allreduce(size, count, 4).withSegmentBytes(28);
        assertTrue(Verifier.verify(new StarProvider.Star(), shape) > 0);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void ranksRunTheAlgorithmByName(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      for (int count : new int[] {0, 1, 1000, 1 << 19}) {
        ranks.each(
            (group, rank) -> {
              long[] vector = LongVector.of(rank, count);
              group.with(STAR).allreduce(vector, ReduceOp.SUM);
              assertArrayEquals(LongVector.sum(size, count), vector);
              assertEquals(
                  StarProvider.NAME,
                  group.with(STAR).explain(Collective.ALLREDUCE, DataType.INT64, count));
            });
      }
    }
  }

  @Test
  void algorithmIsSelectedWhereTheProviderSaysSo() {
    int count = (int) StarProvider.SELECTED_COUNT;
    try (Ranks ranks = Ranks.of(3)) {
      ranks.each(
          (group, rank) -> {
            assertEquals(
                StarProvider.NAME, group.explain(Collective.ALLREDUCE, DataType.INT64, count));
            assertNotEquals(
                StarProvider.NAME, group.explain(Collective.ALLREDUCE, DataType.INT64, count + 1));
            long[] vector = LongVector.of(rank, count);
            group.allreduce(vector, ReduceOp.SUM);
            assertArrayEquals(LongVector.sum(3, count), vector);
          });
    }
  }

  @Test
  void unknownNameListsProvidedAlgorithmsToo() {
    try (Ranks ranks = Ranks.of(1)) {
      ProcessGroup group = ranks.group(0).with(CallOptions.DEFAULTS.algorithm("comet"));
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class, () -> group.allreduce(new int[1], ReduceOp.SUM));
      assertTrue(refused.getMessage().contains(StarProvider.NAME), refused::toString);
    }
  }

  @Test
  void mismatchSaysThatTheAlgorithmIsOfAProvider() {
    try (Ranks ranks = Ranks.of(2)) {
      List<Throwable> failures =
          ranks.outcomes(
              (group, rank) ->
                  group
                      .with(rank == 0 ? STAR : CallOptions.DEFAULTS.algorithm("ring"))
                      .allreduce(new int[100], ReduceOp.SUM));
      assertTrue(
          failures.stream()
              .filter(Objects::nonNull)
              .anyMatch(
                  failure ->
                      failure.getMessage().contains("allreduce(algorithm of a provider #")
                          && failure.getMessage().contains("allreduce(ring)")),
          failures::toString);
    }
  }

  /** What a rank contributes, and the sum over all ranks. */
  private static final class LongVector {
    static long[] of(int rank, int count) {
      return IntStream.range(0, count).mapToLong(i -> (rank + 1L) * i).toArray();
    }

    static long[] sum(int size, int count) {
      long factor = size * (size + 1L) / 2;
      return IntStream.range(0, count).mapToLong(i -> factor * i).toArray();
    }
  }
}
