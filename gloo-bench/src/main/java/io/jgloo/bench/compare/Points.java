package io.jgloo.bench.compare;

import io.jgloo.bench.compare.Peer.Timing;
import io.jgloo.bench.compare.Rounds.Sample;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.report.Comparison.Point;
import io.jgloo.bench.report.Statistic;
import io.jgloo.bench.report.Target;
import io.jgloo.bench.report.Target.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
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
    double algbw = p50.median() == 0 ? 0 : key.bytes / p50.median() / 1e3;
    return new Point(
        key.operation,
        key.ranks,
        key.series,
        key.bytes,
        p50,
        over(rounds, Timing::p99Us),
        key.series.equals(Series.OURS)
            ? null
            : ratio(key.operation, key.ranks, key.bytes, Series.OURS, key.series).orElse(null),
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

  /** Whether a target is met at one size. */
  Target.Result result(Target target, long bytes) {
    String what = target.operation();
    int ranks = target.ranks();
    Optional<Statistic> figure =
        switch (target.kind()) {
          case RATIO -> ratio(what, ranks, bytes, target.ours(), target.against());
          case SHARE -> ratio(what, ranks, bytes, target.against(), target.ours());
          case TAIL -> tail(what, ranks, bytes, target.ours());
          case EXTRA -> extra(what, ranks, bytes, target.ours(), target.against());
        };
    return new Target.Result(
        target,
        bytes,
        time(what, ranks, bytes, target.ours()),
        time(what, ranks, bytes, target.against()),
        figure.orElse(null),
        figure.map(value -> target.isMetBy(value.median())).orElse(null));
  }

  /** The median time of a series; null if it was not measured there. */
  private Double time(String operation, int ranks, long bytes, String series) {
    return Optional.ofNullable(byRound.get(new Key(operation, ranks, series, bytes)))
        .map(rounds -> over(rounds, Timing::p50Us).median())
        .orElse(null);
  }

  /** The 99th percentile by the median, round by round. */
  private Optional<Statistic> tail(String operation, int ranks, long bytes, String series) {
    return Optional.ofNullable(byRound.get(new Key(operation, ranks, series, bytes)))
        .map(rounds -> over(rounds, timing -> timing.p99Us() / timing.p50Us()));
  }

  /** One series' time by another's, of the rounds that have both. */
  Optional<Statistic> ratio(String operation, int ranks, long bytes, String one, String other) {
    Key key = new Key(operation, ranks, one, bytes);
    return both(key, key.of(other), (ours, theirs) -> ours / theirs);
  }

  /** One series' time less another's, of the rounds that have both. */
  private Optional<Statistic> extra(
      String operation, int ranks, long bytes, String one, String other) {
    Key key = new Key(operation, ranks, one, bytes);
    return both(key, key.of(other), (ours, theirs) -> ours - theirs);
  }

  private Optional<Statistic> both(Key one, Key other, DoubleBinaryOperator how) {
    Map<Integer, Timing> theirs = byRound.getOrDefault(other, Map.of());
    List<Double> values = new ArrayList<>();
    byRound
        .getOrDefault(one, Map.of())
        .forEach(
            (round, timing) -> {
              Timing their = theirs.get(round);
              if (their != null) {
                values.add(how.applyAsDouble(timing.p50Us(), their.p50Us()));
              }
            });
    return values.isEmpty() ? Optional.empty() : Optional.of(Statistic.of(values));
  }
}
