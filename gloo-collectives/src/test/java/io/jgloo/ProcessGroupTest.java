package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.collectives.ReduceOp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ProcessGroupTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7})
  void allRanksGetTheSum(int size) {
    try (Ranks ranks = Ranks.of(size)) {
      for (int count : new int[] {0, 1, 3, 1000, 100_000, 1_000_003}) {
        ranks.each(
            (group, rank) -> {
              float[] x = new float[count];
              for (int i = 0; i < count; i++) {
                x[i] = i % 100 + rank;
              }
              group.allreduce(x, ReduceOp.SUM);
              for (int i = 0; i < count; i++) {
                int expected = size * (i % 100) + size * (size - 1) / 2;
                assertEquals(expected, (int) x[i], "element " + i);
              }
            });
      }
    }
  }

  @Test
  void theRootsElementsReachAll() {
    try (Ranks ranks = Ranks.of(3)) {
      ranks.each(
          (group, rank) -> {
            long[] x = {rank, 10L * rank, 100L * rank};
            group.broadcast(x, 1);
            assertArrayEquals(new long[] {1, 10, 100}, x);
            group.barrier();
          });
    }
  }
}
