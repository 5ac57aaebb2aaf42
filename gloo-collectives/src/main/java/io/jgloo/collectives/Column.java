package io.jgloo.collectives;

import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whole numbers in as few bytes as their greatest takes: none if all are the same, else 2, 4 or 8
 * each.
 *
 * <p><em>Threads</em>: any; immutable.
 */
final class Column {
  private final char @Nullable [] chars;
  private final int @Nullable [] ints;
  private final long @Nullable [] longs;
  private final long same; // where there is none of the three

  private Column(
      char @Nullable [] chars, int @Nullable [] ints, long @Nullable [] longs, long same) {
    this.chars = chars;
    this.ints = ints;
    this.longs = longs;
    this.same = same;
  }

  /** The first {@code count} numbers. */
  static Column of(int count, IntToLongFunction numbers) {
    long least = count == 0 ? 0 : numbers.applyAsLong(0);
    long greatest = least;
    for (int i = 1; i < count; i++) {
      long number = numbers.applyAsLong(i);
      least = Math.min(least, number);
      greatest = Math.max(greatest, number);
    }
    if (least == greatest) {
      return new Column(null, null, null, least);
    }
    if (least >= Character.MIN_VALUE && greatest <= Character.MAX_VALUE) {
      char[] chars = new char[count];
      for (int i = 0; i < count; i++) {
        chars[i] = (char) numbers.applyAsLong(i);
      }
      return new Column(chars, null, null, 0);
    }
    if (least >= Integer.MIN_VALUE && greatest <= Integer.MAX_VALUE) {
      int[] ints = new int[count];
      for (int i = 0; i < count; i++) {
        ints[i] = (int) numbers.applyAsLong(i);
      }
      return new Column(null, ints, null, 0);
    }
    long[] longs = new long[count];
    for (int i = 0; i < count; i++) {
      longs[i] = numbers.applyAsLong(i);
    }
    return new Column(null, null, longs, 0);
  }

  /** The number at an index, which is checked where the numbers differ. */
  long get(int index) {
    if (chars != null) {
      return chars[index];
    }
    if (ints != null) {
      return ints[index];
    }
    return longs != null ? longs[index] : same;
  }
}
