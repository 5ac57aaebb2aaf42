package io.jgloo.rendezvous.store;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker of {@link StoreHistory} can tell right from wrong. */
final class StoreHistoryTest {
  private static StoreHistory.Operation operation(
      String kind, String first, String second, String result, long from, long to) {
    return new StoreHistory.Operation(kind, first, second, result, from, to);
  }

  @Test
  void staleRead_isNotLinearizable() {
    StoreHistory.Operation set = operation("set", "1", "", "", 10, 20);
    assertTrue(StoreHistory.isLinearizable(List.of(set, operation("get", "", "", "-", 15, 30))));
    assertTrue(StoreHistory.isLinearizable(List.of(set, operation("get", "", "", "1", 15, 30))));
    assertFalse(StoreHistory.isLinearizable(List.of(set, operation("get", "", "", "-", 21, 30))));
    assertFalse(StoreHistory.isLinearizable(List.of(set, operation("get", "", "", "1", 1, 9))));
  }

  @Test
  void lostUpdate_isNotLinearizable() {
    StoreHistory.Operation one = operation("add", "", "", "1", 10, 20);
    assertTrue(StoreHistory.isLinearizable(List.of(one, operation("add", "", "", "2", 10, 20))));
    assertFalse(StoreHistory.isLinearizable(List.of(one, operation("add", "", "", "1", 10, 20))));
    assertFalse(StoreHistory.isLinearizable(List.of(one, operation("add", "", "", "2", 1, 9))));
  }

  @Test
  void twoWinnersOfOneExchange_areNotLinearizable() {
    StoreHistory.Operation mine = operation("compareSet", "", "1", "1", 10, 20);
    StoreHistory.Operation lost = operation("compareSet", "", "2", "1", 10, 20);
    StoreHistory.Operation won = operation("compareSet", "", "2", "2", 10, 20);
    assertTrue(StoreHistory.isLinearizable(List.of(lost, mine)));
    assertFalse(StoreHistory.isLinearizable(List.of(won, mine)));
  }

  @Test
  void lostOperation_explainsItsEffectOnceOrNever() {
    StoreHistory.Operation lost = operation("add", "", "", null, 10, Long.MAX_VALUE);
    StoreHistory.Operation two = operation("add", "", "", "2", 20, 30);
    assertTrue(StoreHistory.isLinearizable(List.of(lost, operation("get", "", "", "-", 20, 30))));
    assertTrue(StoreHistory.isLinearizable(List.of(lost, two)));
    assertTrue(StoreHistory.isLinearizable(List.of(lost, operation("get", "", "", "1", 90, 99))));
    assertFalse(StoreHistory.isLinearizable(List.of(lost, operation("get", "", "", "1", 1, 9))));
    assertFalse(StoreHistory.isLinearizable(List.of(lost, operation("add", "", "", "3", 20, 30))));
  }
}
