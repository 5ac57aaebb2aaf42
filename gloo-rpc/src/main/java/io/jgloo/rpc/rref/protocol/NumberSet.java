package io.jgloo.rpc.rref.protocol;

import java.util.Map;
import java.util.TreeMap;

/** A set of numbers, as ranges: small when the numbers are dense. */
final class NumberSet {

  /** First number of each range to its last; no two ranges touch. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  boolean contains(long number) {
    Map.Entry<Long, Long> below = ranges.floorEntry(number);
    return below != null && number <= below.getValue();
  }

  /** Adds a number, which must not be negative. */
  void add(long number) {
    Map.Entry<Long, Long> below = ranges.floorEntry(number);
    if (below != null && number <= below.getValue()) {
      return;
    }
    Long last = ranges.remove(number + 1); // below 0 after the largest number: absent
    boolean joins = below != null && below.getValue() == number - 1;
    ranges.put(joins ? below.getKey() : number, last == null ? number : last);
  }

  int ranges() {
    return ranges.size();
  }

  NumberSet copy() {
    NumberSet copy = new NumberSet();
    copy.ranges.putAll(ranges);
    return copy;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NumberSet that && ranges.equals(that.ranges);
  }

  @Override
  public int hashCode() {
    return ranges.hashCode();
  }

  @Override
  public String toString() {
    return ranges.toString();
  }
}
