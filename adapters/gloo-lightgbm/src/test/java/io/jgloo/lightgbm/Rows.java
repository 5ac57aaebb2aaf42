package io.jgloo.lightgbm;

import java.util.Random;

/** Generated rows, the same for the same seed; feature 0 and 1 have few whole values. */
final class Rows {
  static final int COLUMNS = 10;

  final double[] values;
  final float[] labels;

  /**
   * Makes rows.
   *
   * @param classes number of labels; 0 for numbers
   */
  Rows(int seed, int count, int classes) {
    Random random = new Random(seed);
    values = new double[count * COLUMNS];
    labels = new float[count];
    for (int row = 0; row < count; row++) {
      double sum = 0.3 * random.nextGaussian();
      for (int column = 0; column < COLUMNS; column++) {
        double value = column < 2 ? random.nextInt(12) : random.nextGaussian();
        values[row * COLUMNS + column] = value;
        sum += column < 2 ? (value * (5 + column) % 7 - 3) / 4 : value * (column - 5) / 8;
      }
      int part = (int) Math.floor((1 / (1 + Math.exp(-sum))) * classes);
      labels[row] = classes == 0 ? (float) sum : Math.min(classes - 1, part);
    }
  }

  TrainingRows training() {
    return TrainingRows.dense(values, COLUMNS).labels(labels);
  }

  /** Queries of 1 to 20 rows. */
  TrainingRows queries(int seed) {
    Random random = new Random(seed);
    int[] sizes = new int[labels.length];
    int queries = 0;
    for (int left = labels.length; left > 0; left -= sizes[queries++]) {
      sizes[queries] = Math.min(left, 1 + random.nextInt(20));
    }
    return training().queries(java.util.Arrays.copyOf(sizes, queries));
  }

  /** Area under the curve of scores for labels 0 and 1. */
  double auc(double[] scores) {
    return auc(scores, labels);
  }

  static double auc(double[] scores, float[] labels) {
    Integer[] order = new Integer[scores.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    java.util.Arrays.sort(order, (a, b) -> Double.compare(scores[a], scores[b]));
    double pairs = 0;
    long negative = 0;
    for (int start = 0; start < order.length; ) {
      int end = start;
      int positives = 0;
      while (end < order.length && scores[order[end]] == scores[order[start]]) {
        positives += labels[order[end++]] > 0 ? 1 : 0;
      }
      int negatives = end - start - positives;
      pairs += positives * (negative + negatives / 2.0);
      negative += negatives;
      start = end;
    }
    return pairs / ((double) negative * (order.length - negative));
  }
}
