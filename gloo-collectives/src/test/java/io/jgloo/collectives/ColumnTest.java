package io.jgloo.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ColumnTest {
  @Test
  void numbersAreThoseGiven_whateverTheirWidth() {
    long[][] columns = {
      {7, 7, 7},
      {-1, -1},
      {Long.MIN_VALUE},
      {0, Character.MAX_VALUE, 1},
      {0, Character.MAX_VALUE + 1, 1},
      {3, -1},
      {Integer.MIN_VALUE, Integer.MAX_VALUE, 0},
      {0, Integer.MAX_VALUE + 1L},
      {0, Integer.MIN_VALUE - 1L},
      {Long.MIN_VALUE, Long.MAX_VALUE},
    };
    for (long[] numbers : columns) {
      Column column = Column.of(numbers.length, i -> numbers[i]);
      for (int i = 0; i < numbers.length; i++) {
        assertEquals(numbers[i], column.get(i));
      }
    }
  }

  @Test
  void noOthers() {
    Column column = Column.of(2, i -> i);
    assertThrows(ArrayIndexOutOfBoundsException.class, () -> column.get(2));
  }
}
