package io.jgloo.bench.foreign;

/** How long the parts are where they may differ, some of them zero: as in {@code gloo_rank.cc}. */
final class Parts {
  private Parts() {}

  /** What each rank has. */
  static long[] each(int count, int size) {
    long[] parts = new long[size];
    for (int rank = 0; rank < size; rank++) {
      parts[rank] = rank % 3 == 2 ? 0 : count + rank;
    }
    return parts;
  }

  /** What a rank sends to each. */
  static long[] sent(int count, int from, int size) {
    long[] parts = new long[size];
    for (int to = 0; to < size; to++) {
      parts[to] = between(count, from, to);
    }
    return parts;
  }

  /** What a rank receives from each. */
  static long[] received(int count, int to, int size) {
    long[] parts = new long[size];
    for (int from = 0; from < size; from++) {
      parts[from] = between(count, from, to);
    }
    return parts;
  }

  static int total(long[] parts) {
    long total = 0;
    for (long part : parts) {
      total += part;
    }
    return Math.toIntExact(total);
  }

  private static long between(int count, int from, int to) {
    return (from + to) % 3 == 2 ? 0 : count + from + 2L * to;
  }
}
