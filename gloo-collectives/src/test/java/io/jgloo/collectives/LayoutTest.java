package io.jgloo.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which ranks share a host, and what a shape makes of it. */
@Timeout(30)
class LayoutTest {
  @Test
  void nodesAreInTheOrderOfTheirLowestRanks() {
    Layout layout = Layout.of(List.of("b", "a", "b", "c", "a", "b"));
    assertEquals(3, layout.nodes());
    assertEquals(List.of(0, 2, 5), layout.members(0));
    assertEquals(List.of(1, 4), layout.members(1));
    assertEquals(1, layout.node(4));
    assertEquals(2, layout.localIndex(5));
    assertEquals(4, layout.member(1, 1));
    assertEquals(1, layout.leastLocalSize());
    assertEquals(3, layout.mostLocalSize());
    assertEquals(2, layout.mostCrossings()); // of ranks 0, 2 and 5, the successor of 5 is 0
    assertTrue(layout.hasTiers());
    assertEquals("3 nodes of 3, 2, 1 ranks", layout.toString());
  }

  @Test
  void shapesOfDifferentLayoutsDiffer() {
    Shape shape = Shape.allreduce(2, 3, 4);
    assertEquals(Layout.oneNode(2), shape.layout());
    Shape apart = shape.withLayout(Layout.of(List.of("a", "b")));
    assertNotEquals(shape, apart);
    assertEquals(apart, apart.withInPlace(true).withInPlace(false));
    assertThrows(IllegalArgumentException.class, () -> shape.withLayout(Layout.oneNode(3)));
  }
}
