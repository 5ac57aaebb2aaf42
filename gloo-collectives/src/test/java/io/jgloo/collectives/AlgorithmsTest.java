package io.jgloo.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of algorithms, and what is chosen from it. */
@Timeout(30)
class AlgorithmsTest {
  @ParameterizedTest
  @EnumSource(Collective.class)
  void everyCollectiveHasAlgorithmsOfDistinctNames(Collective collective) {
    Set<String> names = new HashSet<>();
    for (Algorithm algorithm : Algorithms.of(collective)) {
      assertSame(collective, algorithm.collective());
      assertTrue(names.add(algorithm.name()), algorithm.name());
      assertTrue(algorithm.name().matches("[a-z][a-zA-Z0-9]*"), algorithm.name());
      assertSame(algorithm, Algorithms.named(collective, algorithm.name()));
    }
    assertTrue(names.size() >= 2, collective + ": " + names);
  }

  @Test
  void unknownNameListsTheKnownOnes() {
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> Algorithms.named(Collective.BARRIER, "ring"))
            .getMessage();
    assertEquals("barrier algorithm = ring; there are [dissemination, tree]", message);
  }

  @Test
  void refusesAShapeOfAnotherCollective() {
    for (Algorithm algorithm : Algorithms.all()) {
      Shape other =
          algorithm.collective() == Collective.BARRIER
              ? Shape.allreduce(2, 8, 4)
              : Shape.barrier(2);
      assertThrows(IllegalArgumentException.class, () -> algorithm.schedule(other, 0));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2, 4, recursiveDoubling",
    "2, 4096, recursiveDoubling",
    "2, 16777216, ring",
    "3, 4, recursiveDoubling",
    "4, 4, recursiveDoubling",
    "4, 131072, halvingDoubling",
    "4, 16777216, ring",
    "64, 1024, recursiveDoubling",
    "64, 1048576, halvingDoubling",
    "64, 1073741824, ring",
    "16384, 4, recursiveDoubling",
  })
  void allreduceOnLoopback(int size, long bytes, String expected) {
    Shape shape = Shape.allreduce(size, bytes / 4, 4);
    assertEquals(expected, Algorithms.select(shape, CostModel.LOOPBACK_TCP).name());
  }

  @ParameterizedTest
  @CsvSource({"8, 4, tree", "8, 67108864, pipelinedChain", "2, 4, tree", "1024, 65536, tree"})
  void broadcastOnLoopback(int size, long bytes, String expected) {
    Shape shape = Shape.broadcast(size, 1, bytes / 4, 4);
    assertEquals(expected, Algorithms.select(shape, CostModel.LOOPBACK_TCP).name());
  }

  @Test
  void barrierTakesTheFewestSteps() {
    Shape shape = Shape.barrier(48);
    assertEquals("dissemination", Algorithms.select(shape, CostModel.LOOPBACK_TCP).name());
  }

  /** The cheaper a message is against a byte, the more of them are worth sending. */
  @Test
  void choiceFollowsTheModel() {
    Shape shape = Shape.allreduce(16, 1 << 16, 4);
    assertEquals("recursiveDoubling", Algorithms.select(shape, new CostModel(1, 0, 0)).name());
    assertEquals("ring", Algorithms.select(shape, new CostModel(0, 1e-9, 1e-9)).name());
  }
}
