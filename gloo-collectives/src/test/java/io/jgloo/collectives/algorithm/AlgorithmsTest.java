package io.jgloo.collectives.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.Shapes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of algorithms, and what is chosen from it. */
@Timeout(30)
class AlgorithmsTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

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
    assertFalse(names.isEmpty(), collective + " has none");
  }

  @Test
  void unknownNameListsTheKnownOnes() {
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> Algorithms.named(Collective.BARRIER, "ring"))
            .getMessage();
    assertEquals("barrier algorithm = ring; there are [dissemination, leaders, flat]", message);
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
  @CsvSource({"8, 4, tree", "8, 67108864, doubleTree", "2, 4, tree", "1024, 16384, tree"})
  void broadcastOnLoopback(int size, long bytes, String expected) {
    Shape shape = Shape.broadcast(size, 1, bytes / 4, 4);
    assertEquals(expected, Algorithms.select(shape, CostModel.LOOPBACK_TCP).name());
  }

  /**
   * What a rank of 16,384 computes to find its part of a call that it makes for the first time. An
   * alltoall has a block for each rank; all others have log P or two peers.
   */
  @ParameterizedTest
  @EnumSource(Collective.class)
  void scheduleOfManyRanks_takesLittleMemory(Collective collective) {
    int size = 16_384;
    boolean toAll = collective == Collective.ALLTOALL || collective == Collective.ALLTOALLV;
    for (long bytes : new long[] {4, 64 << 10, 1 << 20}) {
      Shape shape = Shapes.of(collective, size, 1, bytes / 4, 4);
      Algorithm algorithm = Algorithms.select(shape, CostModel.LOOPBACK_TCP);
      for (int rank : new int[] {0, 1, size - 1}) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        int operations = algorithm.schedule(shape, rank).operations();
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        String what = algorithm.name() + " of " + shape + ", rank " + rank + ": ";
        assertTrue(operations <= (toAll ? 3 * size : 200), what + operations + " operations");
        assertTrue(allocated <= (toAll ? 24 << 20 : 1 << 20), what + allocated + " bytes");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("chosen")
  void documentationShowsWhatIsChosen(String line) throws IOException {
    assertTrue(AlgorithmsPage.text().contains(line), line);
  }

  /** The lines of the table, one for all numbers of ranks for which the choice is the same. */
  static List<String> chosen() {
    List<String> lines = new ArrayList<>();
    for (Collective collective : Collective.values()) {
      if (collective.uneven()) {
        continue; // as that of even blocks
      }
      lines.addAll(chosen(collective, false));
      if (!Algorithms.of(collective).stream().allMatch(Algorithm::ordered)) {
        lines.addAll(chosen(collective, true));
      }
    }
    return lines;
  }

  private static List<String> chosen(Collective collective, boolean ordered) {
    Map<String, String> sizes = new LinkedHashMap<>();
    for (int size : new int[] {2, 4, 8, 64}) {
      sizes.merge(changes(collective, size, ordered), "" + size, (many, one) -> many + ", " + one);
    }
    String what = collective.label() + (ordered ? ", ordered" : "");
    return sizes.entrySet().stream()
        .map(entry -> "| " + what + " | " + entry.getValue() + " | " + entry.getKey() + " |")
        .toList();
  }

  /** Each choice with the first power of two, in bytes, for which it is made. */
  private static String changes(Collective collective, int size, boolean ordered) {
    List<String> changes = new ArrayList<>();
    String last = "";
    boolean blocks = Shapes.of(collective, size, 0, size, 4).count() == 1 && size > 1;
    for (long bytes = 4; bytes <= 1L << 30; bytes *= 2) {
      long count = bytes / 4 * (blocks ? size : 1);
      Shape shape = Shapes.of(collective, size, 0, count, 4);
      String name = Algorithms.select(shape, CostModel.LOOPBACK_TCP, ordered).name();
      if (!name.equals(last)) {
        changes.add(changes.isEmpty() ? name : name + " from " + inWords(bytes));
        last = name;
      }
    }
    return String.join(", ", changes);
  }

  private static String inWords(long bytes) {
    if (bytes >= 1 << 20) {
      return (bytes >> 20) + " MiB";
    }
    return bytes >= 1 << 10 ? (bytes >> 10) + " KiB" : bytes + " B";
  }

  @ParameterizedTest
  @EnumSource(Collective.class)
  void everyCollectiveHasAnOrderedAlgorithm(Collective collective) {
    for (long count : new long[] {0, 1, 1000, 100_000_000}) {
      Shape shape = Shapes.of(collective, 7, 3, count, 4);
      assertTrue(Algorithms.select(shape, CostModel.LOOPBACK_TCP, true).ordered());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "aabb, 4, leaders",
    "aabb, 65536, hierarchical",
    "aabb, 16777216, hierarchical",
    "aaaabbbbccccdddd, 16777216, hierarchical",
    "aaaabb, 16777216, hierarchical",
    "abab, 16777216, hierarchical",
    "abcd, 4, recursiveDoubling",
    "abcd, 16777216, ring",
    "aaaa, 4, recursiveDoubling",
    "aaaa, 16777216, ring",
  })
  void allreduceBetweenHosts(String hosts, long bytes, String expected) {
    Shape shape = Shape.allreduce(hosts.length(), bytes / 4, 4).withLayout(layout(hosts));
    assertEquals(expected, Algorithms.select(shape, CostModel.DEFAULT).name());
  }

  @ParameterizedTest
  @CsvSource({
    "BROADCAST, aaaabbbb, 4, leaders",
    "BROADCAST, aaaabbbb, 16777216, pipelinedChain",
    "BROADCAST, abababab, 16777216, leaders",
    "REDUCE, aaaabbbb, 4, leaders",
    "REDUCE, aaaabbbb, 16777216, leaders",
    "BARRIER, aaaabbbb, 0, leaders",
    "ALLGATHER, aaaabbbb, 4194304, hierarchical",
    "REDUCE_SCATTER, aaaabbbb, 4194304, hierarchical",
  })
  void othersBetweenTwoHosts(Collective collective, String hosts, long bytes, String expected) {
    Shape shape = Shapes.of(collective, 8, 1, bytes / 4, 4).withLayout(layout(hosts));
    assertEquals(expected, Algorithms.select(shape, CostModel.DEFAULT).name());
  }

  private static Layout layout(String hosts) {
    return Layout.of(hosts.chars().mapToObj(Character::toString).toList());
  }
}
