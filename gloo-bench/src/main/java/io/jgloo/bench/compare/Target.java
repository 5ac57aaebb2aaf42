package io.jgloo.bench.compare;

import java.util.List;
import java.util.Locale;

/**
 * What is to be reached, at each of some sizes.
 *
 * @param against whose figure ours is held against; empty for our own
 * @param limit that the figure must not be beyond
 */
record Target(
    Kind kind,
    String operation,
    int ranks,
    List<Long> sizes,
    String ours,
    String against,
    double limit) {

  /** How a target compares. */
  enum Kind {
    /** Our time by theirs, at most. */
    RATIO,
    /** Their time by ours, at least: the share of a limit that is used. */
    SHARE,
    /** Our time less theirs, in microseconds, at most. */
    EXTRA,
    /** Our 99th percentile by our median, at most. */
    TAIL
  }

  /** The limit as a table shows it. */
  String wanted() {
    return switch (kind) {
      case RATIO -> String.format(Locale.ROOT, "<= %.2f", limit);
      case SHARE -> String.format(Locale.ROOT, ">= %.2f", limit);
      case EXTRA -> String.format(Locale.ROOT, "<= +%.1f us", limit);
      case TAIL -> String.format(Locale.ROOT, "p99/p50 <= %.0f", limit);
    };
  }
}
