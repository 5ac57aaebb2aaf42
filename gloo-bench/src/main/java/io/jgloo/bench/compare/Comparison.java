package io.jgloo.bench.compare;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.jgloo.bench.compare.Peer.Task;
import io.jgloo.bench.compare.Peer.Timing;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.report.Figures;
import io.jgloo.bench.report.Figures.Statistic;
import io.jgloo.bench.report.Report;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The times of all rounds, looked at point by point. */
final class Comparison {

  /** What is measured once a round. */
  private record Key(String operation, int ranks, String series, long bytes) {}

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
  record Point(
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

    private String cell() {
      return p50Us + (ratio == null ? "" : " x" + Figures.figure(ratio.median()));
    }
  }

  private final Map<Key, Map<Integer, Timing>> byRound = new LinkedHashMap<>();

  void add(Task task, int round, Timing timing) {
    Key key = new Key(task.operation(), task.ranks(), timing.series(), timing.bytes());
    byRound.computeIfAbsent(key, none -> new LinkedHashMap<>()).put(round, timing);
  }

  /** All points, in the order in which they were first measured. */
  List<Point> points() {
    return byRound.keySet().stream().map(this::point).toList();
  }

  private Point point(Key key) {
    Map<Integer, Timing> rounds = byRound.get(key);
    Statistic p50 = over(rounds, Timing::p50Us);
    double algbw = p50.median() == 0 ? 0 : key.bytes / p50.median() / 1e3;
    double busFactor =
        Operations.named(key.operation).map(each -> each.busFactor(key.ranks)).orElse(0.0);
    return new Point(
        key.operation,
        key.ranks,
        key.series,
        key.bytes,
        p50,
        over(rounds, Timing::p99Us),
        ratio(key),
        algbw * busFactor,
        rounds.size());
  }

  private static Statistic over(Map<Integer, Timing> rounds, ToDoubleFunction<Timing> what) {
    return Statistic.of(rounds.values().stream().map(what::applyAsDouble).toList());
  }

  /** Our time by that of a series, round by round, of the rounds that have both; null if none. */
  private Statistic ratio(Key theirs) {
    String series = Peer.ours(theirs.series);
    Key key = new Key(theirs.operation, theirs.ranks, series, theirs.bytes);
    Map<Integer, Timing> ours = byRound.getOrDefault(key, Map.of());
    List<Double> values = new ArrayList<>();
    byRound
        .get(theirs)
        .forEach(
            (round, timing) -> {
              if (ours.containsKey(round)) {
                values.add(ours.get(round).p50Us() / timing.p50Us());
              }
            });
    return values.isEmpty() || key.equals(theirs) ? null : Statistic.of(values);
  }

  /** Adds a table for each operation: a row per size, a column per series. */
  void tables(Report report, int rounds) {
    Map<String, Map<Long, Map<String, Point>>> tables = new LinkedHashMap<>();
    Set<String> series = new LinkedHashSet<>();
    for (Point point : points()) {
      series.add(point.series());
      tables
          .computeIfAbsent(point.title(), none -> new TreeMap<>())
          .computeIfAbsent(point.bytes(), none -> new HashMap<>())
          .put(point.series(), point);
    }
    tables.forEach(
        (title, bySize) -> {
          List<String> columns = new ArrayList<>(series);
          columns.removeIf(name -> bySize.values().stream().noneMatch(p -> p.containsKey(name)));
          List<List<String>> rows = new ArrayList<>();
          bySize.forEach(
              (bytes, all) -> {
                List<String> row =
                    new ArrayList<>(List.of(bytes == 0 ? "-" : Figures.bytes(bytes)));
                columns.forEach(n -> row.add(all.containsKey(n) ? all.get(n).cell() : ""));
                rows.add(row);
              });
          columns.add(0, "size");
          report.sheet(
              title,
              "Median time of rank 0 in microseconds with its range over "
                  + rounds
                  + " rounds; behind the x, our time over the same medium by theirs, median of the"
                  + " rounds.",
              columns,
              rows);
        });
  }
}
