package io.jgloo.bench.report;

import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;

/**
 * What {@code gloo-bench/kill} has found.
 *
 * @param killed ranks of the killed process, the last ones
 * @param readySeconds from the start of the first process until all ranks had made their calls
 * @param errors classes of the errors of the other ranks, and how many had each
 * @param named ranks that these errors name, and how many do
 * @param failed when the other ranks failed, in milliseconds after the signal
 * @param formed when they had verified a call in the new group, likewise
 * @param wrong results
 * @param defects what must not be, as text
 */
public record KillReport(
    Machine machine,
    int ranks,
    int processes,
    int killed,
    double readySeconds,
    Map<String, Integer> errors,
    Map<String, Integer> named,
    Times failed,
    Times formed,
    int wrong,
    List<String> defects)
    implements Document {

  /** Times of ranks, in milliseconds. */
  public record Times(int ranks, double firstMs, double p50Ms, double p99Ms, double maxMs) {
    /** Those of these ranks. */
    public static Times of(List<Double> millis) {
      List<Double> sorted = millis.stream().sorted().toList();
      return new Times(
          sorted.size(),
          Statistic.percentile(sorted, 0),
          Statistic.percentile(sorted, 50),
          Statistic.percentile(sorted, 99),
          Statistic.percentile(sorted, 100));
    }

    private Map<String, Object> row(String what) {
      return Sheet.row(
          "ranks that",
          what,
          "count",
          ranks,
          "firstMs",
          firstMs,
          "p50Ms",
          p50Ms,
          "p99Ms",
          p99Ms,
          "maxMs",
          maxMs);
    }
  }

  @Override
  public String title() {
    return "A process of " + killed + " of " + ranks + " ranks killed";
  }

  @Override
  public List<String> notes() {
    return machine.notes();
  }

  @Override
  public List<Sheet> sheets() {
    String notes =
        "%d ranks in %d processes, ready after %.1f s; times after the signal. %s"
            .formatted(ranks, processes, readySeconds, String.join("; ", machine.notes()));
    List<Map<String, Object>> times =
        List.of(failed.row("failed"), formed.row("verified a call in the new group"));
    List<Map<String, Object>> reports = new ArrayList<>();
    errors.forEach((error, count) -> reports.add(Sheet.row("error", error, "count", count)));
    return List.of(Sheet.of(title(), notes, times), Sheet.of("Errors", names(), reports));
  }

  private String names() {
    IntSummaryStatistics reports =
        named.values().stream().mapToInt(Integer::intValue).summaryStatistics();
    return "They name %d ranks, each %d to %d times."
        .formatted(named.size(), named.isEmpty() ? 0 : reports.getMin(), reports.getMax());
  }

  @Override
  public Sheet flat() {
    return sheets().get(0);
  }
}
