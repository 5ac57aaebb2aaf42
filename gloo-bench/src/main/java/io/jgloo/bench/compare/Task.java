package io.jgloo.bench.compare;

import java.util.List;

/**
 * What all peers are to measure beside each other.
 *
 * @param operation by its name on the command line
 * @param sizes in bytes per rank, ascending; 0 alone for an operation without vectors
 * @param millis that the timed calls of one size should take
 */
record Task(String operation, int ranks, List<Long> sizes, int millis) {

  boolean isSized() {
    return !sizes.equals(List.of(0L));
  }

  /** The sizes up to a limit. */
  List<Long> sizesTo(long most) {
    return sizes.stream().filter(bytes -> bytes <= most).toList();
  }

  /** Seconds as the drivers want them. */
  String seconds() {
    return Double.toString(millis / 1e3);
  }

  @Override
  public String toString() {
    return operation + " with " + ranks + " ranks";
  }
}
