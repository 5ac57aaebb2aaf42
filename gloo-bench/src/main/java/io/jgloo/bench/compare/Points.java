package io.jgloo.bench.compare;

import io.jgloo.bench.compare.Peer.Timing;
import io.jgloo.bench.compare.Rounds.Sample;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.report.Comparison.Point;
import io.jgloo.bench.report.Figures.Statistic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Samples of all rounds, looked at point by point. */
final class Points {

  /** What is measured once a round. */
  private record Key(String operation, int ranks, String series, long bytes) {}

  private final Map<Key, Map<Integer, Timing>> byRound = new LinkedHashMap<>();

  private Points(List<Sample> samples) {
    for (Sample sample : samples) {
      Timing timing = sample.timing();
      Key key = new Key(sample.operation(), sample.ranks(), timing.series(), timing.bytes());
      byRound.computeIfAbsent(key, none -> new LinkedHashMap<>()).put(sample.round(), timing);
    }
  }

  /** All points of these samples, in the order in which they were first measured. */
  static List<Point> of(List<Sample> samples) {
    Points points = new Points(samples);
    return points.byRound.keySet().stream().map(points::point).toList();
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
    String series = Series.ours(theirs.series);
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
}
