package io.jgloo.collectives.algorithm.pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the two trees are for: that the work of forwarding is shared. */
@Timeout(30)
class DoubleTreeTest {
  static IntStream sizes() {
    return IntStream.rangeClosed(2, 130);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void noRankForwardsInBothTrees(int size) {
    int root = size / 3;
    for (int rank = 0; rank < size; rank++) {
      long first = sends(size, root, rank, 0);
      long second = sends(size, root, rank, 1);
      String where = "rank " + rank + " of " + size + " below " + root;
      assertTrue(first <= 2 && second <= 2, where);
      if (rank == root) {
        assertEquals(1, first, where);
        assertEquals(1, second, where);
      } else {
        assertTrue(first == 0 || second == 0, where + ": " + first + " and " + second);
      }
    }
  }

  private static long sends(int size, int root, int rank, int segment) {
    Shape shape = Shape.broadcast(size, root, 1, 4).withInPlace(true);
    Program program = new Program(shape, rank);
    Range range = new Range(Space.OUTPUT, 0, 4);
    new DoubleTree(program, shape, rank).down(segment, range, range);
    Schedule schedule = program.schedule();
    return IntStream.range(0, schedule.operations())
        .filter(op -> schedule.kind(op) == Schedule.Kind.SEND)
        .count();
  }
}
