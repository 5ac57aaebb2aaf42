package io.jgloo.bench.report;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** The way figures are written, in every form of a report. */
public final class Figures {
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  private Figures() {}

  /**
   * Several rounds' figures in short.
   *
   * @param median the middle one, or the mean of the two in the middle
   * @param least the lowest
   * @param most the highest
   */
  public record Statistic(double median, double least, double most) {

    /** Returns the statistic of at least one value. */
    public static Statistic of(Collection<Double> values) {
      double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      if (sorted.length == 0) {
        throw new IllegalArgumentException("values must not be empty");
      }
      double median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
      return new Statistic(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** Returns the median and, of several rounds, the range. */
    @Override
    public String toString() {
      String range = " (" + figure(least) + " - " + figure(most) + ")";
      return figure(median) + (least == most ? "" : range);
    }
  }

  /** Returns a percentile of values in ascending order, with two decimals; 0 if there is none. */
  public static double percentile(List<Double> sorted, int percent) {
    int index = Math.min(sorted.size() - 1, sorted.size() * percent / 100);
    return sorted.isEmpty() ? 0 : Math.round(sorted.get(index) * 100) / 100.0;
  }

  /** Returns a number of bytes in the greatest unit that divides it. */
  public static String bytes(long bytes) {
    if (bytes >= MIB && bytes % MIB == 0) {
      return bytes / MIB + " MiB";
    }
    return bytes >= KIB && bytes % KIB == 0 ? bytes / KIB + " KiB" : bytes + " B";
  }

  /** Returns a formatted text, with a point before decimals. */
  public static String text(String format, Object... figures) {
    return String.format(Locale.ROOT, format, figures);
  }

  static String fixed(int decimals, double value) {
    return text("%." + decimals + "f", value);
  }

  /** Returns three digits that count, or more before the point. */
  public static String figure(double value) {
    double size = Math.abs(value);
    return fixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3, value);
  }
}
