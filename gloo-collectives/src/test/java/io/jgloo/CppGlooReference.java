package io.jgloo;

import java.util.ArrayList;
import java.util.List;

/**
 * What Gloo's reductions of float32 must come to, bit by bit: written from the description of its
 * algorithms, without segments, messages or anything of ours.
 */
final class CppGlooReference {
  private static final int BYTES = Float.BYTES;
  private static final long MOST_BYTES = 1 << 20;

  private CppGlooReference() {}

  /** Each rank's result of an allreduce by the algorithm of that name. */
  static float[][] allreduce(String algorithm, float[][] x) {
    return switch (algorithm) {
      case "glooRing" -> alike(x, ring(x, allreduceChunkElements(x)));
      case "glooBcube" -> alike(x, bcube(x));
      default -> throw new IllegalArgumentException("algorithm = " + algorithm);
    };
  }

  private static float[][] alike(float[][] x, float[] result) {
    float[][] all = new float[x.length][];
    java.util.Arrays.fill(all, result);
    return all;
  }

  /** The root's result of a reduce. */
  static float[] reduce(float[][] x) {
    return ring(x, reduceChunkElements(x));
  }

  private static long allreduceChunkElements(float[][] x) {
    long total = (long) x[0].length * BYTES;
    long size = x.length;
    long segments = up(Math.max(ceil(total, MOST_BYTES), 2 * size), size);
    return segments / size * up(ceil(total, segments), BYTES) / BYTES;
  }

  private static long reduceChunkElements(float[][] x) {
    long total = (long) x[0].length * BYTES;
    long size = x.length;
    if (total == 0) {
      return 1;
    }
    long segment = up(Math.min(ceil(total, 2 * size), MOST_BYTES), BYTES);
    long segments = up(Math.max(ceil(total, segment), 2 * size), size);
    return segments / size * segment / BYTES;
  }

  /** f(x_k, f(x_k+1, ... f(x_k-2, x_k-1))) for the elements of chunk k. */
  private static float[] ring(float[][] x, long chunkElements) {
    float[] result = new float[x[0].length];
    int size = x.length;
    for (int i = 0; i < result.length; i++) {
      int chunk = (int) (i / chunkElements);
      float sum = x[(chunk + size - 1) % size][i];
      for (int j = size - 2; j >= 0; j--) {
        sum = x[(chunk + j) % size][i] + sum;
      }
      result[i] = sum;
    }
    return result;
  }

  /** Groups of two while ranks can be halved, then one of the rest; ranges divided in each. */
  private static float[] bcube(float[][] x) {
    List<Integer> groups = new ArrayList<>();
    int left = x.length;
    for (; left % 2 == 0; left /= 2) {
      groups.add(2);
    }
    if (left > 1) {
      groups.add(left);
    }
    float[] result = new float[x[0].length];
    for (int i = 0; i < result.length; i++) {
      result[i] = bcube(x, groups, i);
    }
    return result;
  }

  /** Follows one element to the rank that ends with it, folding its group's values each time. */
  private static float bcube(float[][] x, List<Integer> groups, int element) {
    float[] values = new float[x.length];
    for (int rank = 0; rank < x.length; rank++) {
      values[rank] = x[rank][element];
    }
    int distance = 1;
    int from = 0;
    int count = x[0].length;
    int owner = 0;
    for (int members : groups) {
      int chunk = (count + members - 1) / members;
      int mine = (element - from) / chunk;
      float[] next = values.clone();
      for (int rank = 0; rank < x.length; rank++) {
        int first = rank - rank / distance % members * distance;
        if (first + mine * distance == rank) {
          for (int i = 0; i < members; i++) {
            next[rank] = i == mine ? next[rank] : next[rank] + values[first + i * distance];
          }
        }
      }
      values = next;
      owner += mine * distance;
      from += mine * chunk;
      count = Math.min(chunk, count - mine * chunk);
      distance *= members;
    }
    return values[owner];
  }

  private static long ceil(long amount, long unit) {
    return (amount + unit - 1) / unit;
  }

  private static long up(long amount, long unit) {
    return ceil(amount, unit) * unit;
  }
}
