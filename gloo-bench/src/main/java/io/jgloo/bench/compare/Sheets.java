package io.jgloo.bench.compare;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The tables of a report. */
final class Sheets {

  static final String QUICK =
      "A quick run, to see that it works: nothing was warmed up, and no figure says how fast it is.";

  private final Results results;

  Sheets(Results results) {
    this.results = results;
  }

  List<Sheet> all() {
    List<Sheet> all = new ArrayList<>();
    all.add(about());
    all.add(peers());
    all.add(targets());
    for (Operation each : operations()) {
      all.add(times(each));
    }
    all.addAll(new SideSheets(results).all());
    return all.stream().filter(sheet -> !sheet.rows().isEmpty()).toList();
  }

  /** What has a table and a chart of its own. */
  record Operation(String name, int ranks) {}

  Set<Operation> operations() {
    Set<Operation> all = new LinkedHashSet<>();
    results.points().forEach(point -> all.add(new Operation(point.operation(), point.ranks())));
    return all;
  }

  private Sheet about() {
    Machine machine = results.machine();
    return new Sheet(
        "Machine",
        results.quick() ? QUICK : "",
        List.of("", ""),
        List.of(
            List.of("date", machine.date()),
            List.of("processor", machine.processor() + ", " + machine.cores() + " cores"),
            List.of("system", machine.system()),
            List.of("JVM", machine.jvm()),
            List.of("congestion control of the system", machine.congestion()),
            List.of("congestion control of ours and of the limit", machine.ownCongestion()),
            List.of("load when it began", machine.load()),
            List.of("hand-off between cores", Words.figure(machine.handoffUs()) + " us"),
            List.of("rounds", "" + results.rounds())));
  }

  private Sheet peers() {
    List<List<String>> rows = new ArrayList<>();
    results.modes().forEach((name, mode) -> rows.add(List.of(name, mode)));
    results.missing().forEach(line -> rows.add(List.of("missing", line)));
    results.failures().forEach(line -> rows.add(List.of("failed", line)));
    return new Sheet("Who was measured, and how", "", List.of("peer", "mode"), rows);
  }

  Sheet targets() {
    return new Sheet(
        "Targets",
        "Medians over the rounds in microseconds; the figure is ours by theirs, round by round,"
            + " with the least and the greatest, unless the target says otherwise.",
        List.of("work", "against", "ours", "theirs", "figure", "target", "met"),
        results.verdicts().stream().map(Words::row).toList());
  }

  /** A row per size, a column per series; in each the time and how ours compares. */
  private Sheet times(Operation what) {
    List<Point> points = results.points(what.name, what.ranks);
    Set<String> series = new LinkedHashSet<>();
    Set<Long> sizes = new TreeSet<>();
    for (Point point : points) {
      series.add(point.series());
      sizes.add(point.bytes());
    }
    List<String> columns = new ArrayList<>(List.of("size"));
    columns.addAll(series);
    List<List<String>> rows = new ArrayList<>();
    for (long bytes : sizes) {
      List<String> row = new ArrayList<>(List.of(bytes == 0 ? "-" : Words.bytes(bytes)));
      for (String name : series) {
        row.add(
            points.stream()
                .filter(point -> point.bytes() == bytes && point.series().equals(name))
                .findFirst()
                .map(Sheets::cell)
                .orElse(""));
      }
      rows.add(row);
    }
    return new Sheet(
        what.name + ", " + what.ranks + " ranks",
        "Median time of rank 0 in microseconds with its spread over the rounds; behind the x, our"
            + " time by theirs, median of the rounds.",
        columns,
        rows);
  }

  private static String cell(Point point) {
    String time = Words.spread(point.p50Us());
    return point.ratio() == null ? time : time + " x" + Words.figure(point.ratio().median());
  }
}
