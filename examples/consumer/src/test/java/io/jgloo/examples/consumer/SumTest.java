package io.jgloo.examples.consumer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.testkit.Ranks;

/** The kit is all that its project adds for it. */
final class SumTest {

  @Ranks({1, 4})
  void allRanksHaveTheSum(ProcessGroup group) {
    int ranks = group.size();
    float[] vector = {group.rank(), 1, 2};
    group.allreduce(vector, ReduceOp.SUM);
    assertArrayEquals(new float[] {ranks * (ranks - 1) / 2f, ranks, 2 * ranks}, vector);
  }
}
