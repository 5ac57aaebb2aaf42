package io.jgloo.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.algorithm.Algorithms;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/**
 * What the builder derives: which operation waits for which, and in which order messages are
 * issued.
 */
@Timeout(60)
class ProgramTest {
  private static final Shape SHAPE = Shape.allreduce(4, 100, 1).withInPlace(true);

  @Test
  void exchangeThroughScratch() {
    Program program = new Program(SHAPE, 0);
    program.send(1, output(0, 100));
    program.recv(1, scratch(0, 100));
    program.reduce(output(0, 100), scratch(0, 100), Order.SOURCE_FIRST);
    program.send(2, output(0, 50));
    program.recv(1, scratch(50, 50));
    Schedule schedule = program.schedule();
    assertArrayEquals(new int[] {2}, successors(schedule, 0));
    assertArrayEquals(new int[] {2}, successors(schedule, 1));
    assertArrayEquals(new int[] {3, 4}, successors(schedule, 2));
    assertEquals(2, schedule.indegree(2));
    assertEquals(1, schedule.indegree(4)); // after the reduction, hence after the first receive
    assertEquals(4, schedule.issueNext(1));
    assertTrue(schedule.issueWaits(4));
    assertFalse(schedule.issueWaits(3)); // another peer
    assertEquals(100, schedule.scratchBytes());
    assertTrue(schedule.sourceFirst(2));
    assertEquals("reduce scratch[0,100) into output[0,100), source first", schedule.describe(2));
  }

  /** Ranks 3 and 1 are 0 and 1 in the view; its vector is bytes 40 to 59 of the whole one. */
  @Test
  void viewRenumbersPeersAndMovesRanges() {
    Program program = new Program(SHAPE, 1);
    program.recv(0, output(50, 10));
    program.recv(0, output(90, 10));
    Range part = output(40, 20);
    Program view = program.within(Shape.allreduce(2, 20, 1), List.of(3, 1), part, part, 64);
    assertEquals(1, view.rank());
    view.send(0, output(10, 10));
    view.recv(0, scratch(8, 20));
    Schedule schedule = program.schedule();
    assertEquals("send output[50,60) to rank 3", schedule.describe(2));
    assertEquals("recv scratch[72,92) from rank 3", schedule.describe(3));
    assertArrayEquals(new int[] {2}, successors(schedule, 0));
    assertEquals(0, schedule.successors(1));
    assertRefused(() -> view.send(2, output(0, 4)));
    assertRefused(() -> view.send(1, output(0, 4))); // itself
    assertRefused(() -> view.send(0, output(10, 11)));
    Shape two = Shape.allreduce(2, 20, 1);
    assertRefused(() -> program.within(two, List.of(0, 3), part, part, 0));
    assertRefused(() -> program.within(two, List.of(0, 1, 3), part, part, 0));
  }

  @Test
  void signalsWaitForAllThatWasAwaited() {
    Program program = new Program(Shape.barrier(4), 0);
    program.await(1);
    program.await(2);
    program.signal(3);
    program.await(3);
    Schedule schedule = program.schedule();
    assertArrayEquals(new int[] {2}, successors(schedule, 0));
    assertArrayEquals(new int[] {2}, successors(schedule, 1));
    assertEquals(0, schedule.indegree(3));
    assertTrue(schedule.isSignal(2));
  }

  @Test
  void emptyRangesMakeNoOperation() {
    Program program = new Program(SHAPE, 0);
    program.send(1, output(10, 0));
    program.recv(1, output(10, 0));
    program.recvReduce(1, output(100, 0), Order.TARGET_FIRST);
    program.reduce(output(0, 0), scratch(0, 0), Order.TARGET_FIRST);
    program.copy(output(0, 0), scratch(0, 0));
    program.copy(output(8, 8), output(8, 8));
    assertEquals(0, program.schedule().operations());
  }

  @Test
  void refusesInvalidSchedules() {
    Program program = new Program(SHAPE, 1);
    assertRefused(() -> new Program(SHAPE, 4));
    assertRefused(() -> program.send(1, output(0, 4))); // itself
    assertRefused(() -> program.send(4, output(0, 4)));
    assertRefused(() -> program.send(2, output(97, 4))); // past the end
    assertRefused(() -> program.send(2, new Range(Space.INPUT, 0, 4))); // none in place
    assertRefused(() -> program.copy(output(0, 4), output(8, 5)));
    Program outOfPlace = new Program(SHAPE.withInPlace(false), 1);
    assertRefused(() -> outOfPlace.recv(2, new Range(Space.INPUT, 0, 4)));
  }

  /**
   * Random programs against the definition: an operation waits, directly or not, for an earlier one
   * if and only if a chain of conflicts leads from one to the other.
   */
  @RepeatedTest(100)
  void orderIsThatOfTheConflicts(RepetitionInfo repetition) {
    SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
    Program program = new Program(SHAPE, 0);
    int operations = 60;
    boolean[][] read = new boolean[operations][200];
    boolean[][] written = new boolean[operations][200];
    for (int op = 0; op < operations; op++) {
      Range one = randomRange(random, 20);
      Range two = new Range(random.nextBoolean() ? Space.OUTPUT : Space.SCRATCH, 0, one.length());
      switch (random.nextInt(3)) {
        case 0 -> program.send(1, one);
        case 1 -> program.recv(1, one);
        default -> program.reduce(one, two, Order.TARGET_FIRST);
      }
      Schedule.Kind kind = program.schedule().kind(op);
      mark(kind == Schedule.Kind.SEND ? read[op] : written[op], one);
      if (kind == Schedule.Kind.REDUCE) {
        mark(read[op], two);
      }
    }
    BitSet[] expected = new BitSet[operations];
    for (int op = 0; op < operations; op++) {
      expected[op] = new BitSet();
      for (int earlier = 0; earlier < op; earlier++) {
        if (conflict(read[op], written[op], read[earlier], written[earlier])) {
          expected[op].or(expected[earlier]);
          expected[op].set(earlier);
        }
      }
    }
    assertArrayEquals(expected, ancestors(program.schedule()));
  }

  /** A gigabyte among two ranks, 1 MiB at a time. */
  @Test
  void gigabyteRingWaitsForFewAndIsBuiltOnce() {
    Shape shape = Shape.allreduce(2, 1L << 28, 4).withInPlace(true);
    Schedule schedule = Algorithms.named(Collective.ALLREDUCE, "ring").schedule(shape, 0);
    assertEquals(4 * 512, schedule.operations());
    int most = IntStream.range(0, schedule.operations()).map(schedule::indegree).max().orElse(0);
    assertTrue(most <= 2, "an operation waits for " + most);
    assertEquals(0, schedule.scratchBytes());
  }

  @Test
  void scratchOfRecursiveDoublingIsBounded() {
    Shape shape = Shape.allreduce(64, 1L << 28, 4).withInPlace(true);
    Algorithm algorithm = Algorithms.named(Collective.ALLREDUCE, "recursiveDoubling");
    assertEquals(2 * 6 * shape.segmentBytes(), algorithm.schedule(shape, 5).scratchBytes());
  }

  private static BitSet[] ancestors(Schedule schedule) {
    BitSet[] found = new BitSet[schedule.operations()];
    for (int op = 0; op < found.length; op++) {
      found[op] = new BitSet();
    }
    for (int op = 0; op < found.length; op++) {
      for (int later : successors(schedule, op)) {
        found[later].or(found[op]);
        found[later].set(op);
      }
    }
    return found;
  }

  private static boolean conflict(boolean[] r1, boolean[] w1, boolean[] r2, boolean[] w2) {
    for (int at = 0; at < r1.length; at++) {
      if ((w1[at] && (r2[at] || w2[at])) || (r1[at] && w2[at])) {
        return true;
      }
    }
    return false;
  }

  private static void mark(boolean[] bytes, Range range) {
    for (long at = range.offset(); at < range.end(); at++) {
      bytes[(int) at + (range.space() == Space.SCRATCH ? 100 : 0)] = true;
    }
  }

  private static Range randomRange(SplittableRandom random, int longest) {
    int length = random.nextInt(1, longest + 1);
    return new Range(
        random.nextBoolean() ? Space.OUTPUT : Space.SCRATCH,
        random.nextInt(0, 101 - length),
        length);
  }

  private static int[] successors(Schedule schedule, int op) {
    return IntStream.range(0, schedule.successors(op))
        .map(index -> schedule.successor(op, index))
        .toArray();
  }

  private static Range output(long offset, long length) {
    return new Range(Space.OUTPUT, offset, length);
  }

  private static Range scratch(long offset, long length) {
    return new Range(Space.SCRATCH, offset, length);
  }

  private static void assertRefused(Executable run) {
    assertThrows(IllegalArgumentException.class, run);
  }
}
