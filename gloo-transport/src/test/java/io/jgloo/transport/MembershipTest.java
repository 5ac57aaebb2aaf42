package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How messages list ranks. */
class MembershipTest {

  @Test
  void listsRanks_inRuns() {
    assertEquals("[]", Membership.list(List.of()));
    assertEquals("[7]", Membership.list(List.of(7)));
    assertEquals("[0, 1, 2]", Membership.list(List.of(2, 0, 1)));
    assertEquals("[0, 4-7, 9, 10, 11, 13]", Membership.list(List.of(13, 9, 10, 11, 7, 6, 5, 4, 0)));
    assertEquals("[1-511]", Membership.list(IntStream.range(1, 512).boxed().toList()));
  }
}
