package io.jgloo.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 8, 16, 64, 1024})
  void documentationShowsWhatIsChosen(int size) throws IOException {
    List<String> allreduce = changes(count -> Shape.allreduce(size, count, 4));
    List<String> broadcast = changes(count -> Shape.broadcast(size, 0, count, 4));
    assertEquals("recursiveDoubling from 4 B", allreduce.get(0));
    assertEquals("tree from 4 B", broadcast.get(0));
    String second = allreduce.size() > 2 ? allreduce.get(2) + " " : "";
    String line =
        "| %d | %s | %s| %s |"
            .formatted(
                size, allreduce.get(1), second, broadcast.size() > 1 ? broadcast.get(1) : "tree");
    assertTrue(AlgorithmsPage.text().contains(line), line);
  }

  /** Each choice with the first power of two, in bytes, for which it is made. */
  private static List<String> changes(LongFunction<Shape> shapeOf) {
    List<String> changes = new ArrayList<>();
    String last = "";
    for (long bytes = 4; bytes <= 1L << 32; bytes *= 2) {
      Shape shape = shapeOf.apply(bytes / 4);
      String name = Algorithms.select(shape, CostModel.LOOPBACK_TCP).name();
      if (!name.equals(last)) {
        changes.add(name + " from " + inWords(bytes));
        last = name;
      }
    }
    return changes;
  }

  private static String inWords(long bytes) {
    if (bytes >= 1 << 20) {
      return (bytes >> 20) + " MiB";
    }
    return bytes >= 1 << 10 ? (bytes >> 10) + " KiB" : bytes + " B";
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
