package io.jgloo.bench.report;

import java.util.List;

/**
 * Whether a target is met at one size.
 *
 * @param oursUs median of ours; null if it was not measured
 * @param theirsUs of the other; null if it was not measured, or there is none
 * @param figure what the target limits, with its spread over the rounds; null if it is not known
 * @param met by the median; null if it is not known
 */
public record TargetResult(
    Target target, long bytes, Double oursUs, Double theirsUs, Statistic figure, Boolean met) {
  static final List<String> COLUMNS =
      List.of("work", "against", "ours", "theirs", "figure", "target", "met");

  /** A cell for each of {@link #COLUMNS}. */
  public List<String> cells() {
    return List.of(
        target.work(bytes),
        target.against().isEmpty() ? "-" : target.against(),
        Figures.figure(oursUs),
        Figures.figure(theirsUs),
        Figures.spread(figure),
        target.limitText(),
        met == null ? "not measured" : met ? "yes" : "no");
  }
}
