package io.jgloo.bench.report;

import java.util.Locale;

/** How figures are written, in every form of a report. */
final class Figures {
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  private Figures() {}

  static String bytes(long bytes) {
    if (bytes >= MIB && bytes % MIB == 0) {
      return bytes / MIB + " MiB";
    }
    return bytes >= KIB && bytes % KIB == 0 ? bytes / KIB + " KiB" : bytes + " B";
  }

  static String fixed(int decimals, double value) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /** Three digits that count, or more before the point. */
  static String figure(double value) {
    double size = Math.abs(value);
    return fixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3, value);
  }

  static String figure(Double value) {
    return value == null ? "-" : figure(value.doubleValue());
  }

  /** The median and, of several rounds, the range. */
  static String spread(Statistic statistic) {
    if (statistic == null) {
      return "-";
    }
    String median = figure(statistic.median());
    return statistic.least() == statistic.most()
        ? median
        : median + " (" + figure(statistic.least()) + " - " + figure(statistic.most()) + ")";
  }
}
