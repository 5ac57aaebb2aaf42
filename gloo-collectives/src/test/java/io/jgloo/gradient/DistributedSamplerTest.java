package io.jgloo.gradient;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The shares of ranks are those that PyTorch's DistributedSampler gives in its own order. */
class DistributedSamplerTest {

  private static int[] indices(int samples, int ranks, int rank) {
    return DistributedSampler.of(samples, ranks, rank).indices(0);
  }

  private static int[] dropping(int samples, int ranks, int rank) {
    return DistributedSampler.of(samples, ranks, rank).droppingLast().indices(0);
  }

  @Test
  void samplesInOrder_areDividedAsInPyTorch() {
    assertArrayEquals(new int[] {0, 3, 6, 9}, indices(10, 3, 0));
    assertArrayEquals(new int[] {1, 4, 7, 0}, indices(10, 3, 1));
    assertArrayEquals(new int[] {2, 5, 8, 1}, indices(10, 3, 2));
    assertArrayEquals(new int[] {0, 3, 6}, dropping(10, 3, 0));
    assertArrayEquals(new int[] {2, 5, 8}, dropping(10, 3, 2));
    assertArrayEquals(new int[] {1, 4}, indices(6, 3, 1));
    assertArrayEquals(new int[] {1, 4}, dropping(6, 3, 1));
    assertArrayEquals(new int[] {0}, indices(2, 5, 4)); // repeated more than once
    assertArrayEquals(new int[] {}, dropping(2, 5, 1));
    assertArrayEquals(new int[] {}, indices(0, 2, 1));
  }

  private static int[] all(int ranks, int epoch, long seed) {
    List<int[]> shares = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      DistributedSampler sampler = DistributedSampler.of(100, ranks, rank).shuffled(seed);
      shares.add(sampler.indices(epoch));
      assertEquals(sampler.count(), shares.get(rank).length);
    }
    return IntStream.range(0, ranks * shares.get(0).length)
        .map(i -> shares.get(i % ranks)[i / ranks])
        .toArray();
  }

  @Test
  void shuffledSamples_areAllDividedInOneOrderOfTheEpoch() {
    int[] alone = all(1, 3, 7);
    assertArrayEquals(IntStream.range(0, 100).toArray(), Arrays.stream(alone).sorted().toArray());
    assertArrayEquals(alone, all(4, 3, 7));
    assertArrayEquals(alone, Arrays.copyOf(all(7, 3, 7), 100));
    assertFalse(Arrays.equals(alone, all(1, 4, 7)));
    assertFalse(Arrays.equals(alone, all(1, 3, 8)));
    assertFalse(Arrays.equals(alone, IntStream.range(0, 100).toArray()));
  }

  @Test
  void badArguments_areRefused() {
    for (int[] bad : new int[][] {{-1, 1, 0}, {5, 2, 2}, {5, 2, -1}, {5, 0, 0}}) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> DistributedSampler.of(bad[0], bad[1], bad[2]));
      assertFalse(e.getMessage().isEmpty());
    }
  }
}
