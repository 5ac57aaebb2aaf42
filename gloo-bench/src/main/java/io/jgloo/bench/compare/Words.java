package io.jgloo.bench.compare;

import java.util.List;
import java.util.Locale;

/** How figures are written, in every form of the report. */
final class Words {

  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  private Words() {}

  static String bytes(long bytes) {
    if (bytes >= MIB && bytes % MIB == 0) {
      return bytes / MIB + " MiB";
    }
    return bytes >= KIB && bytes % KIB == 0 ? bytes / KIB + " KiB" : bytes + " B";
  }

  /** Three digits that count, or more before the point. */
  static String figure(double value) {
    double size = Math.abs(value);
    String form = size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f";
    return String.format(Locale.ROOT, form, value);
  }

  static String figure(Double value) {
    return value == null ? "-" : figure(value.doubleValue());
  }

  /** The median and, of several rounds, from where to where they went. */
  static String spread(Statistic statistic) {
    if (statistic == null) {
      return "-";
    }
    String median = figure(statistic.median());
    return statistic.least() == statistic.most()
        ? median
        : median + " (" + figure(statistic.least()) + " - " + figure(statistic.most()) + ")";
  }

  /** What a target is about, as its row says it. */
  static String work(Verdict verdict) {
    Target target = verdict.target();
    String what = target.operation();
    if (verdict.bytes() > 0) {
      what += " " + bytes(verdict.bytes());
    }
    if (target.ranks() != 2) {
      what += ", " + target.ranks() + " ranks";
    }
    String whose = target.ours().equals(Series.OURS) ? "" : ", " + target.ours();
    return target.kind() == Target.Kind.SHARE ? what + ", share of bandwidth" : what + whose;
  }

  static String met(Verdict verdict) {
    return verdict.met() == null ? "not measured" : verdict.met() ? "yes" : "no";
  }

  /** A row of the table of targets. */
  static List<String> row(Verdict verdict) {
    String against = verdict.target().against();
    return List.of(
        work(verdict),
        against.isEmpty() ? "-" : against,
        figure(verdict.oursUs()),
        figure(verdict.theirsUs()),
        spread(verdict.figure()),
        verdict.target().wanted(),
        met(verdict));
  }
}
