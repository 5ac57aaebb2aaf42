package io.jgloo.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

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

  private static final String QUICK =
      "A quick run, to see that it works: nothing was warmed up, and no figure says how fast it"
          + " is.";

  @Override
  public String title() {
    return "JGloo beside others";
  }

  @Override
  public String warning() {
    return quick ? QUICK : "";
  }

  @Override
  public List<String> notes() {
    return List.of();
  }

  @Override
  public List<Sheet> sheets() {
    List<Sheet> all = new ArrayList<>(List.of(about(), peers()));
    for (Measured each : measured()) {
      all.add(times(each));
    }
    return all.stream().filter(sheet -> !sheet.rows().isEmpty()).toList();
  }

  /** An operation with one number of ranks: it has a table and charts of its own. */
  private record Measured(String operation, int ranks) {
    @Override
    public String toString() {
      return operation + ", " + ranks + " ranks";
    }
  }

  private Set<Measured> measured() {
    Set<Measured> all = new LinkedHashSet<>();
    points.forEach(point -> all.add(new Measured(point.operation(), point.ranks())));
    return all;
  }

  private List<Point> points(Measured what) {
    return points.stream()
        .filter(point -> point.operation().equals(what.operation) && point.ranks() == what.ranks)
        .toList();
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
            List.of("hand-off between cores", Figures.figure(machine.handoffUs()) + " us"),
            List.of("rounds", "" + rounds)));
  }

  private Sheet peers() {
    List<List<String>> rows = new ArrayList<>();
    modes.forEach((name, mode) -> rows.add(List.of(name, mode)));
    missing.forEach(line -> rows.add(List.of("missing", line)));
    failures.forEach(line -> rows.add(List.of("failed", line)));
    return new Sheet("Peers, and how each was run", "", List.of("peer", "mode"), rows);
  }

  /** The tables of times with what a reader must know of them, in Markdown of 100 columns. */
  public String markdown() {
    String where =
        "%s, %d rounds on %s, %d cores, %s; congestion control: ours and the limit's %s, the others'"
                .formatted(
                    machine.date(),
                    rounds,
                    machine.processor(),
                    machine.cores(),
                    machine.system(),
                    machine.ownCongestion())
            + " %s; hand-off between cores %s us."
                .formatted(machine.congestion(), Figures.figure(machine.handoffUs()));
    StringBuilder text = new StringBuilder(Sheet.wrap((quick ? QUICK + " " : "") + where));
    for (Measured each : measured()) {
      text.append("\n## ").append(each).append("\n\n").append(times(each).markdown());
    }
    return text.toString();
  }

  /** A row per size, a column per series; in each the time and how ours compares. */
  private Sheet times(Measured what) {
    List<Point> all = points(what);
    Set<String> series = new LinkedHashSet<>();
    Set<Long> sizes = new TreeSet<>();
    for (Point point : all) {
      series.add(point.series());
      sizes.add(point.bytes());
    }
    List<String> columns = new ArrayList<>(List.of("size"));
    columns.addAll(series);
    List<List<String>> rows = new ArrayList<>();
    for (long bytes : sizes) {
      List<String> row = new ArrayList<>(List.of(bytes == 0 ? "-" : Figures.bytes(bytes)));
      for (String name : series) {
        row.add(
            all.stream()
                .filter(point -> point.bytes() == bytes && point.series().equals(name))
                .findFirst()
                .map(Comparison::cell)
                .orElse(""));
      }
      rows.add(row);
    }
    return new Sheet(
        what.toString(),
        "Median time of rank 0 in microseconds with its range over the rounds; behind the x, our"
            + " time over the same medium by theirs, median of the rounds.",
        columns,
        rows);
  }

  private static String cell(Point point) {
    String time = Figures.spread(point.p50Us());
    return point.ratio() == null ? time : time + " x" + Figures.figure(point.ratio().median());
  }

  @Override
  public Sheet flat() {
    return new Sheet("", "", Point.COLUMNS, points.stream().map(Point::cells).toList());
  }

  @Override
  public List<Chart> charts() {
    List<Chart> charts = new ArrayList<>();
    for (Measured what : measured()) {
      Chart times = Chart.bySize(what + ": median time, band to the slowest round", "us");
      Chart bandwidths = Chart.bySize(what + ": bus bandwidth", "GB/s");
      for (Point point : points(what)) {
        Statistic time = point.p50Us();
        times.add(point.series(), (double) point.bytes(), time.median(), time.most(), "");
        bandwidths.add(point.series(), (double) point.bytes(), point.busbw());
      }
      charts.add(times);
      charts.add(bandwidths);
    }
    return charts;
  }
}
