package io.jgloo.testkit;

import io.jgloo.ProcessGroup;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

/**
 * Assertions on what a rank has and what its calls have cost. Those on values are calls of the
 * group: every rank makes them.
 *
 * <p>Values are arrays of {@code float}, {@code double}, {@code int} or {@code long}.
 */
public final class RankAssertions {

  private RankAssertions() {}

  /**
   * Fails at all ranks unless they have the same bits.
   *
   * @param values an array, as long at all ranks
   * @throws AssertionError that names the first element that differs, and its values by rank
   */
  public static void assertSameBits(ProcessGroup group, Object values) {
    long[] own = bits(values);
    long[] counts = new long[group.size()];
    group.allgather(new long[] {own.length}, counts);
    for (int rank = 1; rank < counts.length; rank++) {
      if (counts[rank] != counts[0]) {
        throw new AssertionError(
            "rank 0 has %d elements, rank %d has %d".formatted(counts[0], rank, counts[rank]));
      }
    }
    long[] all = new long[own.length * group.size()];
    group.allgather(own, all);
    for (int i = 0; i < own.length; i++) {
      for (int rank = 1; rank < group.size(); rank++) {
        if (all[rank * own.length + i] != all[i]) {
          throw new AssertionError("element " + i + " differs: " + byRank(group, values, i, all));
        }
      }
    }
  }

  private static List<String> byRank(ProcessGroup group, Object values, int i, long[] all) {
    List<String> found = new ArrayList<>();
    int length = Array.getLength(values);
    for (int rank = 0; rank < group.size(); rank++) {
      long bits = all[rank * length + i];
      Object value =
          values instanceof float[]
              ? (Object) Float.intBitsToFloat((int) bits)
              : values instanceof double[] ? (Object) Double.longBitsToDouble(bits) : bits;
      found.add("rank " + rank + " has " + value);
    }
    return found;
  }

  private static long[] bits(Object values) {
    if (!(values instanceof float[]
        || values instanceof double[]
        || values instanceof int[]
        || values instanceof long[])) {
      throw new IllegalArgumentException(
          "values must be float[], double[], int[] or long[], but are "
              + values.getClass().getSimpleName());
    }
    long[] bits = new long[Array.getLength(values)];
    for (int i = 0; i < bits.length; i++) {
      bits[i] =
          values instanceof float[] floats
              ? Float.floatToRawIntBits(floats[i])
              : values instanceof double[] doubles
                  ? Double.doubleToRawLongBits(doubles[i])
                  : Array.getLong(values, i);
    }
    return bits;
  }

  /**
   * Fails unless the values are the reference, within a tolerance. It is no call of a group.
   *
   * @param reference an array of the same kind
   * @param relative the largest difference as a share of the reference; 0 for equal
   * @throws AssertionError that names the first element that differs
   */
  public static void assertReference(Object reference, Object values, double relative) {
    long[] expected = bits(reference);
    long[] found = bits(values);
    if (expected.length != found.length || reference.getClass() != values.getClass()) {
      throw new AssertionError(
          "reference is %s of %d elements, values are %s of %d"
              .formatted(
                  reference.getClass().getSimpleName(),
                  expected.length,
                  values.getClass().getSimpleName(),
                  found.length));
    }
    for (int i = 0; i < expected.length; i++) {
      double want = Array.getDouble(reference, i);
      double difference = Math.abs(Array.getDouble(values, i) - want);
      if (expected[i] != found[i] && !(difference <= relative * Math.abs(want))) {
        throw new AssertionError(
            "element %d is %s, not %s".formatted(i, Array.get(values, i), Array.get(reference, i)));
      }
    }
  }

  /**
   * Fails if this rank sends more bytes to others by the end of calls, headers included.
   *
   * @return the number of bytes
   */
  public static long assertBytesAtMost(ProcessGroup group, long bytes, Runnable calls) {
    return assertCountAtMost(group, "bytesOut", "bytes", bytes, calls);
  }

  /**
   * Fails if calls make this rank send and receive more messages.
   *
   * @return the number of messages
   */
  public static long assertMessagesAtMost(ProcessGroup group, long messages, Runnable calls) {
    return assertCountAtMost(group, "requests", "messages", messages, calls);
  }

  private static long assertCountAtMost(
      ProcessGroup group, String counter, String unit, long limit, Runnable calls) {
    Long before = group.counters().get(counter);
    if (before == null) {
      throw new IllegalStateException("the transport of " + group + " does not count " + unit);
    }
    calls.run();
    long count = group.counters().getOrDefault(counter, 0L) - before;
    if (count > limit) {
      throw new AssertionError("the calls took %d %s, more than %d".formatted(count, unit, limit));
    }
    return count;
  }

  /** Fails unless the last collective of this rank was done by that algorithm. */
  public static void assertAlgorithm(ProcessGroup group, String algorithm) {
    String last = "none";
    for (String call : PendingCalls.calls(group)) {
      last = call.contains("sequence:") ? call : last;
    }
    if (!last.contains("algorithm:" + algorithm + ",")) {
      throw new AssertionError("the last call was not done by " + algorithm + ": " + last);
    }
  }
}
