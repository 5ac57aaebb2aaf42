package io.jgloo.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

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
    assertRefused("segmentBytes = 6", () -> Shape.allreduce(4, 1, 4).withSegmentBytes(6));
  }

  private static void assertRefused(String message, Executable run) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, run).getMessage());
  }
}
