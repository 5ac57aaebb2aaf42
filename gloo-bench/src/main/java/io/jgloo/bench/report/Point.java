package io.jgloo.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * What all rounds say about one series at one size.
 *
 * @param p50Us of the rounds' medians
 * @param p99Us of their 99th percentiles
 * @param ratio ours by theirs, round by round; below 1 we are faster. Null for our own series, and
 *     where no round has both
 * @param busbw bytes by median time and the operation's bus factor, in GB/s
 * @param rounds that measured it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Point(
    String operation,
    int ranks,
    String series,
    long bytes,
    Statistic p50Us,
    Statistic p99Us,
    Statistic ratio,
    double busbw,
    int rounds) {
  static final List<String> COLUMNS =
      List.of(
          "operation",
          "ranks",
          "series",
          "size",
          "p50_us",
          "p50_least_us",
          "p50_most_us",
          "p99_us",
          "ratio",
          "busbw_gbs",
          "rounds");

  /** A cell for each of {@link #COLUMNS}. */
  List<String> cells() {
    return List.of(
        operation,
        "" + ranks,
        series,
        "" + bytes,
        Figures.fixed(3, p50Us.median()),
        Figures.fixed(3, p50Us.least()),
        Figures.fixed(3, p50Us.most()),
        Figures.fixed(3, p99Us.median()),
        ratio == null ? "" : Figures.fixed(4, ratio.median()),
        Figures.fixed(6, busbw),
        "" + rounds);
  }
}
