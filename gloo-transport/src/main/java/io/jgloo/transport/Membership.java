package io.jgloo.transport;

import java.util.Collection;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * One rank's place in a group: which group, which incarnation of it, which rank of how many.
 *
 * @param group name of the group, as it appears in error messages; the same on all ranks
 * @param epoch incarnation of the group, 0 for the first; survivors of a failure meet at epoch + 1
 * @param rank this rank, 0 to size - 1
 * @param size number of ranks, at least 1
 */
public record Membership(String group, long epoch, int rank, int size) {

  /** Largest group: what a rank must fit in on the wire. */
  public static final int MAX_SIZE = 1 << 20;

  /**
   * @throws IllegalArgumentException if size or rank is out of range or epoch is negative
   */
  public Membership {
    Objects.requireNonNull(group, "group");
    if (size < 1 || size > MAX_SIZE) {
      throw new IllegalArgumentException("size must be 1 to " + MAX_SIZE + ", but is " + size);
    }
    if (rank < 0 || rank >= size) {
      throw new IllegalArgumentException(
          "rank must be 0 to " + (size - 1) + " in a group of size " + size + ", but is " + rank);
    }
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch must not be negative, but is " + epoch);
    }
  }

  /** Ranks as messages list them: ascending, four and more in a row as in {@code [1, 4-7, 9]}. */
  public static String list(Collection<Integer> ranks) {
    int[] all = ranks.stream().mapToInt(Integer::intValue).sorted().distinct().toArray();
    StringJoiner text = new StringJoiner(", ", "[", "]");
    for (int first = 0; first < all.length; ) {
      int end = first + 1;
      while (end < all.length && all[end] == all[end - 1] + 1) {
        end++;
      }
      if (end - first > 3) {
        text.add(all[first] + "-" + all[end - 1]);
        first = end;
      } else {
        text.add(String.valueOf(all[first++]));
      }
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return group + (epoch == 0 ? "" : "@" + epoch) + " rank " + rank + " of " + size;
  }
}
