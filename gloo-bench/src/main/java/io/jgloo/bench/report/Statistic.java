package io.jgloo.bench.report;

import java.util.Collection;
import java.util.List;

/**
 * Several rounds' figures in short.
 *
 * @param median the middle one, or the mean of the two in the middle
 * @param least the lowest
 * @param most the highest
 */
public record Statistic(double median, double least, double most) {
  /** The statistic of at least one value. */
  public static Statistic of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("values must not be empty");
    }
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Statistic(median, sorted[0], sorted[sorted.length - 1]);
  }

  /** A percentile of values in ascending order, with two decimals; 0 if there is none. */
  static double percentile(List<Double> sorted, int percent) {
    int index = Math.min(sorted.size() - 1, sorted.size() * percent / 100);
    return sorted.isEmpty() ? 0 : Math.round(sorted.get(index) * 100) / 100.0;
  }
}
