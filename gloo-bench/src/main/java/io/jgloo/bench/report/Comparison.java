package io.jgloo.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.jgloo.bench.report.Figures.Statistic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What {@code gloo-bench/compare} measured.
 *
 * @param rounds that were measured
 * @param quick whether nothing was warmed up, so that figures say nothing of speed
 * @param modes of the peers that are there
 * @param missing peers that are not, with what to install
 * @param failures what could not be measured
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Comparison(
    Machine machine,
    int rounds,
    boolean quick,
    Map<String, String> modes,
    List<String> missing,
    List<String> failures,
    List<Point> points)
    implements Document {

  /**
   * What all rounds say about one series at one size.
   *
   * @param p50Us of the rounds' medians
   * @param p99Us of their 99th percentiles
   * @param ratio ours by theirs, round by round; below 1 we are faster. Null for our own series,
   *     and where no round has both
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

    private String title() {
      return operation + ", " + ranks + " ranks";
    }

    private String csv() {
      return Figures.text(
          "%s,%d,%s,%d,%.3f,%.3f,%.3f,%.3f,%s,%.6f,%d\r\n",
          operation,
          ranks,
          Sheet.quote(series),
          bytes,
          p50Us.median(),
          p50Us.least(),
          p50Us.most(),
          p99Us.median(),
          ratio == null ? "" : Figures.fixed(4, ratio.median()),
          busbw,
          rounds);
    }
  }

  private static final String CSV_TITLES =
      "operation,ranks,series,size,p50_us,p50_least_us,p50_most_us,p99_us,ratio,busbw_gbs,rounds"
          + "\r\n";

  private static final String QUICK =
      "A quick run, to see that it works: nothing was warmed up, and no figure says how fast it"
          + " is.";

  @Override
  public String text() {
    List<Sheet> all = new ArrayList<>(List.of(about(), peers()));
    points.stream().map(Point::title).distinct().forEach(title -> all.add(times(title)));
    String tables = all.stream().map(Sheet::text).collect(Collectors.joining("\n"));
    return quick ? Sheet.wrap(QUICK) + "\n" + tables : tables;
  }

  @Override
  public String csv() {
    return points.stream().map(Point::csv).collect(Collectors.joining("", CSV_TITLES, ""));
  }

  private Sheet about() {
    return new Sheet(
        "Machine",
        "",
        List.of("", ""),
        List.of(
            List.of("date", machine.date()),
            List.of("processor", machine.processor() + ", " + machine.cores() + " cores"),
            List.of("system", machine.system()),
            List.of("JVM", machine.jvm()),
            List.of("congestion control of the others", machine.congestion()),
            List.of("congestion control of ours and of the limit", machine.ownCongestion()),
            List.of("load when it began", machine.load()),
            List.of("rounds", "" + rounds)));
  }

  private Sheet peers() {
    List<List<String>> rows = new ArrayList<>();
    modes.forEach((name, mode) -> rows.add(List.of(name, mode)));
    missing.forEach(line -> rows.add(List.of("missing", line)));
    failures.forEach(line -> rows.add(List.of("failed", line)));
    return new Sheet("Peers, and how each was run", "", List.of("peer", "mode"), rows);
  }

  /** A row per size, a column per series; in each the time and how ours compares. */
  private Sheet times(String title) {
    Map<Long, Map<String, Point>> bySize = new TreeMap<>();
    Set<String> series = new LinkedHashSet<>();
    for (Point point : points) {
      if (point.title().equals(title)) {
        series.add(point.series());
        bySize.computeIfAbsent(point.bytes(), none -> new HashMap<>()).put(point.series(), point);
      }
    }
    List<String> columns = new ArrayList<>(List.of("size"));
    columns.addAll(series);
    List<List<String>> rows = new ArrayList<>();
    bySize.forEach(
        (bytes, all) -> {
          List<String> row = new ArrayList<>(List.of(bytes == 0 ? "-" : Figures.bytes(bytes)));
          series.forEach(name -> row.add(all.containsKey(name) ? cell(all.get(name)) : ""));
          rows.add(row);
        });
    return new Sheet(
        title,
        "Median time of rank 0 in microseconds with its range over the rounds; behind the x, our"
            + " time over the same medium by theirs, median of the rounds.",
        columns,
        rows);
  }

  private static String cell(Point point) {
    String ratio = point.ratio() == null ? "" : " x" + Figures.figure(point.ratio().median());
    return point.p50Us() + ratio;
  }
}
