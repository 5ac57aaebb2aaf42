package io.jgloo.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SoakTest {

  private static List<String> failed(String kind, String named) {
    return List.of(SoakRank.FAILED, "90", "0", kind, named, "3100", "a message");
  }

  /** Rank 0 is stopped; rank 1 waited for its message, ranks 2 and 3 for rank 1. */
  @Test
  void reportOfARankThatHasLeft_isRightIfThatRankNamedTheRightOne() {
    Map<Integer, List<String>> answers =
        Map.of(
            1, failed("OperationTimeoutException", "0"),
            2, failed("PeerDepartedException", "1"),
            3, failed("PeerLostException", "1"));
    assertEquals(Set.of(1, 2), SoakCommand.right(answers, 0));
    assertEquals(Set.of(), SoakCommand.right(answers, 5));
  }
}
