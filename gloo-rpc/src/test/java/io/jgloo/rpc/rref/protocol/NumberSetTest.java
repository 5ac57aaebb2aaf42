package io.jgloo.rpc.rref.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A set of numbers behaves as a set and stays small when the numbers are dense. */
@Timeout(60)
final class NumberSetTest {

  @Test
  void randomNumbers_areTheOnesOfAHashSet() {
    Random random = new Random(1);
    NumberSet set = new NumberSet();
    Set<Long> expected = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      long number = random.nextLong() >>> (1 + random.nextInt(62));
      set.add(number);
      expected.add(number);
      long probe = random.nextLong() >>> (1 + random.nextInt(62));
      assertEquals(expected.contains(probe), set.contains(probe), () -> "number " + probe);
    }
    for (long number : expected) {
      assertTrue(set.contains(number), () -> "number " + number);
    }
  }

  @Test
  void millionNumbersButOne_areOneRange() {
    NumberSet set = new NumberSet();
    for (long number = 1; number <= 1_000_000; number++) {
      set.add(number);
    }
    assertFalse(set.contains(0), "0 was left out");
    assertEquals(1, set.ranges());
  }

  @Test
  void largestNumber_isHeld() {
    NumberSet set = new NumberSet();
    set.add(0);
    set.add(Long.MAX_VALUE);
    assertTrue(set.contains(0) && set.contains(Long.MAX_VALUE), "both were added");
    assertFalse(set.contains(Long.MAX_VALUE - 1) || set.contains(-1), "not added");
  }
}
