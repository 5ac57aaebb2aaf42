package io.jgloo;

import java.util.ArrayList;
import java.util.List;

/**
 * What Gloo's reductions of float32 must come to, bit by bit: written from the description of its
 * algorithms, without segments, messages or anything of ours.
 */
final class GlooReference {
  private static final int BYTES = Float.BYTES;
  private static final long MOST_BYTES = 1 << 20;

  private GlooReference() {}

  /** Each rank's result of an allreduce by the algorithm of that name. */
  static float[][] allreduce(String algorithm, float[][] x) {
    return switch (algorithm) {
      case "glooRing" -> alike(x, ring(x, allreduceChunkElements(x)));
      case "glooBcube" -> alike(x, bcube(x));
      case "allreduceRing" -> classRing(x);
      case "allreduceRingChunked" -> alike(x, ringChunked(x));
      case "allreduceHalvingDoubling" -> alike(x, halving(x));
      case "allreduceBcube" -> alike(x, bcube(x));
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

  /** Every rank adds to its own what the ranks before it had, the nearest first. */
  private static float[][] classRing(float[][] x) {
    int size = x.length;
    float[][] result = new float[size][x[0].length];
    for (int rank = 0; rank < size; rank++) {
      for (int i = 0; i < x[0].length; i++) {
        float sum = x[rank][i];
        for (int far = 1; far < size; far++) {
          sum = sum + x[(rank - far + size) % size][i];
        }
        result[rank][i] = sum;
      }
    }
    return result;
  }

  /** Half a rank's share goes round from its rank to the right. */
  private static float[] ringChunked(float[][] x) {
    int size = x.length;
    int count = x[0].length;
    int chunk = Math.max(256, (count + 2 * size - 1) / (2 * size));
    float[] result = new float[count];
    for (int i = 0; i < count; i++) {
      int first = i / chunk / 2;
      float sum = x[first][i];
      for (int far = 1; far < size; far++) {
        sum = x[(first + far) % size][i] + sum;
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

  /** Halves within blocks of ranks, then block after block, the smallest first. */
  static float[] halving(float[][] x) {
    int size = x.length;
    int count = x[0].length;
    int steps = 31 - Integer.numberOfLeadingZeros(size);
    int chunk = (count + (1 << steps) - 1) >> steps;
    float[] result = new float[count];
    for (int i = 0; i < count; i++) {
      float carried = 0;
      boolean any = false;
      for (int bit = 0; bit <= steps; bit++) {
        int block = 1 << bit;
        if ((size & block) != 0) {
          int first = (size >> (bit + 1)) << (bit + 1);
          float own = inBlock(x, first, bit, steps, i / chunk, i);
          carried = any ? own + carried : own;
          any = true;
        }
      }
      result[i] = carried;
    }
    return result;
  }

  /**
   * The element's sum in a block; in round k the rank whose bit k is that of the range keeps it.
   */
  private static float inBlock(
      float[][] x, int first, int bits, int steps, int chunk, int element) {
    int block = 1 << bits;
    float[] values = new float[block];
    for (int rank = 0; rank < block; rank++) {
      values[rank] = x[first + rank][element];
    }
    int owner = 0;
    for (int round = 0; round < bits; round++) {
      int bit = chunk >> (steps - 1 - round) & 1;
      float[] next = values.clone();
      for (int rank = 0; rank < block; rank++) {
        next[rank] = values[rank] + values[rank ^ 1 << round];
      }
      values = next;
      owner |= bit << round;
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
