package io.jgloo.bench.compare;

import io.jgloo.bench.compare.Peer.Timing;
import io.jgloo.bench.compare.Rounds.Sample;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.report.Comparison.Point;
import io.jgloo.bench.report.Statistic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Samples of all rounds, looked at point by point. */
final class Points {

  /** What is measured once a round. */
  private record Key(String operation, int ranks, String series, long bytes) {

    Key of(String other) {
      return new Key(operation, ranks, other, bytes);
    }
  }

  private final Map<Key, Map<Integer, Timing>> byRound = new LinkedHashMap<>();

  Points(List<Sample> samples) {
    for (Sample sample : samples) {
      Timing timing = sample.timing();
      Key key = new Key(sample.operation(), sample.ranks(), timing.series(), timing.bytes());
      byRound.computeIfAbsent(key, none -> new LinkedHashMap<>()).put(sample.round(), timing);
    }
  }

  /** All of them, in the order in which they were first measured. */
  List<Point> all() {
    return byRound.keySet().stream().map(this::point).toList();
  }

  private Point point(Key key) {
    Map<Integer, Timing> rounds = byRound.get(key);
    Statistic p50 = over(rounds, Timing::p50Us);
    Key ours = key.of(Series.ours(key.series));
    double algbw = p50.median() == 0 ? 0 : key.bytes / p50.median() / 1e3;
    return new Point(
        key.operation,
        key.ranks,
        key.series,
        key.bytes,
        p50,
        over(rounds, Timing::p99Us),
        key.series.equals(ours.series) ? null : ratio(ours, key).orElse(null),
        algbw * busFactor(key),
        rounds.size());
  }

  private static double busFactor(Key key) {
    return Operations.named(key.operation)
        .map(operation -> operation.busFactor(key.ranks))
        .orElse(0.0);
  }

  private static Statistic over(Map<Integer, Timing> rounds, ToDoubleFunction<Timing> what) {
    return Statistic.of(rounds.values().stream().map(what::applyAsDouble).toList());
  }

  /** One series' time by another's, round by round, of the rounds that have both. */
  private Optional<Statistic> ratio(Key one, Key other) {
    Map<Integer, Timing> theirs = byRound.getOrDefault(other, Map.of());
    List<Double> values = new ArrayList<>();
    byRound
        .getOrDefault(one, Map.of())
        .forEach(
            (round, timing) -> {
              Timing their = theirs.get(round);
              if (their != null) {
                values.add(timing.p50Us() / their.p50Us());
              }
            });
    return values.isEmpty() ? Optional.empty() : Optional.of(Statistic.of(values));
  }
}
