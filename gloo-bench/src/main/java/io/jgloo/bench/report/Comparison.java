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
 * <p>The last seven parts are tables whose columns are the keys of their rows.
 *
 * @param rounds that were measured
 * @param quick whether nothing was warmed up, so that figures say nothing of speed
 * @param modes of the peers that are there
 * @param missing peers that are not, with what to install
 * @param failures what could not be measured
 * @param kernels how fast two vectors are summed
 * @param protection what secret, heartbeats, checksums and TLS cost
 * @param systemCalls of an allreduce
 * @param load what a process holds while it works without a pause
 * @param groups several groups at once
 * @param growth how cost grows with ranks
 * @param forecasts what the cost model says of more ranks
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Comparison(
    Machine machine,
    int rounds,
    boolean quick,
    Map<String, String> modes,
    List<String> missing,
    List<String> failures,
    List<Point> points,
    List<Target.Result> targets,
    List<Map<String, Object>> kernels,
    List<Map<String, Object>> protection,
    List<Map<String, Object>> systemCalls,
    List<Map<String, Object>> load,
    List<Map<String, Object>> groups,
    List<Map<String, Object>> growth,
    List<Map<String, Object>> forecasts)
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
  private static final String RATIOS =
      "Medians over the rounds in microseconds. The figure is ours by theirs, round by round, with"
          + " the least and the greatest, unless the target says otherwise.";

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
    List<Sheet> all = new ArrayList<>(List.of(about(), peers(), targetSheet()));
    for (Measured each : measured()) {
      all.add(times(each));
    }
    all.addAll(parts());
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

  private Sheet targetSheet() {
    List<Target.Result> known = targets.stream().filter(each -> each.met() != null).toList();
    List<List<String>> rows = known.stream().map(Target.Result::cells).toList();
    int others = targets.size() - known.size();
    String text = others == 0 ? RATIOS : RATIOS + " " + others + " targets were not measured.";
    return new Sheet("Targets", text, Target.Result.COLUMNS, rows);
  }

  /** The table of targets with what a reader must know of it, in Markdown of 100 columns. */
  public String targetsMarkdown() {
    String where =
        "%s, %d rounds on %s, %d cores, %s; congestion control: ours and the limit's %s, the others'"
                .formatted(
                    machine.date(),
                    rounds,
                    machine.processor(),
                    machine.cores(),
                    machine.system(),
                    machine.ownCongestion())
            + " %s; hand-off between cores %s us. "
                .formatted(machine.congestion(), Figures.figure(machine.handoffUs()))
            + targetSheet().note();
    return Sheet.wrap((quick ? QUICK + " " : "") + where) + "\n" + targetSheet().markdown();
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
            + " time by theirs, median of the rounds.",
        columns,
        rows);
  }

  private static String cell(Point point) {
    String time = Figures.spread(point.p50Us());
    return point.ratio() == null ? time : time + " x" + Figures.figure(point.ratio().median());
  }

  private List<Sheet> parts() {
    return List.of(
        Sheet.of(
            "Kernels: sums of two vectors, one thread, 10^9 bytes of vector per second",
            "The loop is what a C programmer would write, compiled with -O3 for this processor."
                + " The least time of several batches.",
            kernels),
        Sheet.of(
            "Secret, heartbeats, checksums and TLS: allreduce of 2 processes, sockets",
            "Medians of rank 0 over the rounds. timesPlain is the time by that of plain TCP, round"
                + " by round. A bare engine is one that encrypts and decrypts on both ends of a"
                + " connection and does nothing else.",
            protection),
        Sheet.of(
            "System calls of an allreduce of 2 processes",
            "Per call and rank, by strace. A message below the staging limit should cost one send"
                + " and one receive. Empty ones and polls depend on how long a rank waits, which"
                + " tracing changes.",
            systemCalls),
        Sheet.of(
            "Under load: allreduces of 4 B to 1 MiB and barriers without a pause, 2 processes,"
                + " rank 0",
            "After warming up. Calls and bytes allocated by the calling thread count from the first"
                + " line on.",
            load),
        Sheet.of(
            "Several groups at once, a thread each, 2 processes, allreduce",
            "The median is that of the slowest group, the calls are those of all.",
            groups),
        Sheet.of(
            "Growth with ranks on this machine, allreduce",
            "Messages, bytes and system calls per rank and call. The model does not know of ranks"
                + " that share a core.",
            growth),
        Sheet.of("The cost model's curve, a core per rank, loopback's constants", "", forecasts));
  }

  @Override
  public Sheet flat() {
    return new Sheet("", "", Point.COLUMNS, points.stream().map(Point::cells).toList());
  }

  @Override
  public List<Chart> charts() {
    List<Chart> charts = new ArrayList<>();
    for (Measured what : measured()) {
      Chart times = Chart.bySize(what + ": median time", "us");
      Chart bandwidths = Chart.bySize(what + ": bus bandwidth", "GB/s");
      for (Point point : points(what)) {
        times.add(point.series(), (double) point.bytes(), point.p50Us().median());
        bandwidths.add(point.series(), (double) point.bytes(), point.busbw());
      }
      charts.add(times);
      charts.add(bandwidths);
    }
    Chart measured = Chart.byRanks("growth on this machine: median time of an allreduce", "us");
    Chart connecting = Chart.byRanks("growth on this machine: time to connect the mesh", "ms");
    for (Map<String, Object> row : growth) {
      String size = Figures.bytes((long) number(row, "bytes"));
      measured.add(size + ", " + row.get("mode"), number(row, "ranks"), number(row, "p50Us"));
      measured.add(size + ", model", number(row, "ranks"), number(row, "modelUs"));
      connecting.add("" + row.get("mode"), number(row, "ranks"), number(row, "connectMillis"));
    }
    Chart model = Chart.byRanks("the cost model's curve for an allreduce", "us");
    for (Map<String, Object> row : forecasts) {
      String size = Figures.bytes((long) number(row, "bytes"));
      model.add(size, number(row, "ranks"), number(row, "micros"));
    }
    charts.addAll(List.of(measured, connecting, model));
    return charts;
  }

  private static double number(Map<String, Object> row, String key) {
    return ((Number) row.get(key)).doubleValue();
  }
}
