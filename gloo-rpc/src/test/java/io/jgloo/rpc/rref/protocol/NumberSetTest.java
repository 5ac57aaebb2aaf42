package io.jgloo.rpc.rref.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
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
  void anyOrder_givesEqualSets() {
    List<Long> numbers = new ArrayList<>();
    for (long number = 0; number < 5_000; number++) {
      numbers.add(number);
    }
    NumberSet ordered = new NumberSet();
    for (long number : numbers) {
      ordered.add(number);
    }
    Collections.shuffle(numbers, new Random(2));
    NumberSet shuffled = new NumberSet();
    for (long number : numbers) {
      shuffled.add(number);
    }
    assertEquals(ordered, shuffled);
    assertEquals(ordered.hashCode(), shuffled.hashCode());
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
