package io.jgloo.lightgbm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.verify.Verifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reduce-scatter in LightGBM's order does what the collective promises. */
@Timeout(60)
class LightGbmAlgorithmsTest {

  private static final Algorithm ALGORITHM = new LightGbmAlgorithms().algorithms().get(0);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 16})
  void schedules_areVerified(int size) {
    long[] counts = new long[size];
    for (int rank = 0; rank < size; rank++) {
      counts[rank] = rank * 37L % 5; // some are 0
    }
    Shape few = Shape.reduceScatterv(counts, 16);
    counts[size / 2] = LightGbmAlgorithms.RING_BYTES / 16;
    Shape many = Shape.reduceScatterv(counts, 16);
    for (Shape shape : List.of(few, many)) {
      Verifier.verify(ALGORITHM, shape);
      Verifier.verify(ALGORITHM, shape.withInPlace(true));
    }
  }

  @Test
  void numbersOfRanksThatAreNoPowers_halveBelowTheBound_andUseARingFromThere() {
    long below = LightGbmAlgorithms.RING_BYTES / 16 / 3 - 1;
    assertEquals(List.of(1, 2), sends(3, below));
    assertEquals(List.of(2, 2), sends(3, below + 2));
    assertEquals(sends(4, 1).size(), sends(4, below).size());
  }

  /** Messages that ranks 0 and 1 send, counting the segments of a range once. */
  private static List<Integer> sends(int size, long count) {
    long[] counts = new long[size];
    java.util.Arrays.fill(counts, count);
    Shape shape = Shape.reduceScatterv(counts, 16).withInPlace(true).withSegmentBytes(1L << 40);
    List<Integer> sends = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      Schedule schedule = ALGORITHM.schedule(shape, rank);
      int messages = 0;
      for (int op = 0; op < schedule.operations(); op++) {
        messages += schedule.kind(op) == Schedule.Kind.SEND ? 1 : 0;
      }
      sends.add(messages);
    }
    return sends;
  }
}
