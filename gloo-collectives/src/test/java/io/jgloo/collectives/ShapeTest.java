package io.jgloo.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shapes as keys of cached programs, and what they refuse. */
@Timeout(30)
class ShapeTest {
  @Test
  void equalWhenEverythingThatDecidesTheScheduleIs() {
    Shape shape = Shape.broadcast(4, 1, 100, 8);
    assertEquals(shape, Shape.broadcast(4, 1, 100, 8));
    assertEquals(shape.hashCode(), Shape.broadcast(4, 1, 100, 8).hashCode());
    assertEquals(shape, shape.withInPlace(true).withInPlace(false));
    assertNotEquals(shape, shape.withInPlace(true));
    assertNotEquals(shape, shape.withSegmentBytes(80));
    assertNotEquals(shape, Shape.broadcast(5, 1, 100, 8));
    assertNotEquals(shape, Shape.broadcast(4, 0, 100, 8));
    assertNotEquals(shape, Shape.broadcast(4, 1, 101, 8));
    assertNotEquals(shape, Shape.broadcast(4, 1, 200, 4));
    assertNotEquals(Shape.broadcast(4, 0, 100, 8), Shape.allreduce(4, 100, 8));
  }

  /** The table of the class comment, for three ranks with root 1 and one-byte elements. */
  @ParameterizedTest
  @CsvSource({
    "ALLREDUCE,       12 12 12, 12 12 12, 12 12 12",
    "SCAN,            12 12 12, 12 12 12, 12 12 12",
    "EXSCAN,          12 12 12, 12 12 12, 12 12 12",
    "BROADCAST,       0 12 0,   12 12 12, 12 12 12",
    "REDUCE,          12 12 12, 0 12 0,   12 12 12",
    "ALLGATHER,       4 4 4,    12 12 12, 12 12 12",
    "ALLGATHERV,      4 4 4,    12 12 12, 12 12 12",
    "GATHER,          4 4 4,    0 12 0,   4 12 4",
    "GATHERV,         4 4 4,    0 12 0,   4 12 4",
    "SCATTER,         0 12 0,   4 4 4,    4 12 4",
    "SCATTERV,        0 12 0,   4 4 4,    4 12 4",
    "REDUCE_SCATTER,  12 12 12, 4 4 4,    12 12 12",
    "REDUCE_SCATTERV, 12 12 12, 4 4 4,    12 12 12",
    "ALLTOALL,        12 12 12, 12 12 12, 12 12 12",
    "ALLTOALLV,       12 12 12, 12 12 12, 12 12 12",
    "BARRIER,         0 0 0,    0 0 0,    0 0 0",
  })
  void operands(Collective collective, String inputs, String outputs, String inPlace) {
    Shape shape = Shapes.of(collective, 3, 1, 12, 1);
    assertEquals(inputs, ofRanks(shape::inputBytes));
    assertEquals(outputs, ofRanks(shape::outputBytes));
    assertEquals("0 0 0", ofRanks(shape.withInPlace(true)::inputBytes));
    assertEquals(inPlace, ofRanks(shape.withInPlace(true)::outputBytes));
  }

  private static String ofRanks(IntToLongFunction bytes) {
    return IntStream.range(0, 3)
        .mapToObj(rank -> String.valueOf(bytes.applyAsLong(rank)))
        .collect(Collectors.joining(" "));
  }

  @Test
  void segmentsAreWholeElements() {
    assertEquals(1_048_576, Shape.allreduce(2, 10, 8).segmentBytes());
    assertEquals(1_048_572, Shape.allreduce(2, 10, 12).segmentBytes());
    assertEquals(3_000_000, Shape.allreduce(2, 10, 3_000_000).segmentBytes());
  }

  @Test
  void refusalsNameArgumentAndValue() {
    assertRefused("size = 0", () -> Shape.barrier(0));
    assertRefused("root = 4", () -> Shape.broadcast(4, 4, 1, 4));
    assertRefused("root = -1", () -> Shape.broadcast(4, -1, 1, 4));
    assertRefused("count = -1", () -> Shape.allreduce(4, -1, 4));
    assertRefused("count = " + Long.MAX_VALUE, () -> Shape.allreduce(4, Long.MAX_VALUE, 4));
    assertRefused("elementBytes = 0", () -> Shape.allreduce(4, 1, 0));
    assertRefused("segmentBytes = 0", () -> Shape.allreduce(4, 1, 4).withSegmentBytes(0));
    assertRefused("count = " + Long.MAX_VALUE / 4, () -> Shape.alltoall(8, Long.MAX_VALUE / 4, 4));
    assertRefused("counts[1] = -3", () -> Shape.gatherv(0, new long[] {1, -3}, 4));
    assertRefused("size = 0", () -> Shape.allgatherv(new long[0], 4));
    assertRefused("root = 2", () -> Shape.scatterv(2, new long[] {1, 3}, 4));
    assertRefused("received.length = 1", () -> Shape.alltoallv(new long[2], new long[1], 4));
    assertRefused(
        "in place, counts sent must be those received, but are blocks of [1, 2] x 4 B and blocks"
            + " of [2, 1] x 4 B",
        () -> Shape.alltoallv(new long[] {1, 2}, new long[] {2, 1}, 4).withInPlace(true));
    assertRefused("segmentBytes = 6", () -> Shape.allreduce(4, 1, 4).withSegmentBytes(6));
  }

  private static void assertRefused(String message, Executable run) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, run).getMessage());
  }
}
