package io.jgloo.bench.compare;

import io.jgloo.bench.compare.Target.Kind;
import java.util.Optional;

/**
 * Whether a target is met at one size.
 *
 * @param oursUs median of ours; null if it was not measured
 * @param theirsUs of the other; null if it was not measured, or there is none
 * @param figure what the target limits, with its spread over the rounds; null if it is not known
 * @param met by the median; null if it is not known
 */
record Verdict(
    Target target, long bytes, Double oursUs, Double theirsUs, Statistic figure, Boolean met) {

  static Verdict of(Target target, long bytes, Points points) {
    String what = target.operation();
    int ranks = target.ranks();
    Optional<Statistic> ours = points.time(what, ranks, bytes, target.ours());
    Optional<Statistic> theirs = points.time(what, ranks, bytes, target.against());
    Optional<Statistic> figure =
        switch (target.kind()) {
          case RATIO -> points.ratio(what, ranks, bytes, target.ours(), target.against());
          case SHARE -> points.ratio(what, ranks, bytes, target.against(), target.ours());
          case TAIL -> points.tail(what, ranks, bytes, target.ours());
          case EXTRA -> points.extra(what, ranks, bytes, target.ours(), target.against());
        };
    return new Verdict(
        target,
        bytes,
        ours.map(Statistic::median).orElse(null),
        theirs.map(Statistic::median).orElse(null),
        figure.orElse(null),
        figure.map(value -> isMet(target, value.median())).orElse(null));
  }

  private static boolean isMet(Target target, double value) {
    return target.kind() == Kind.SHARE ? value >= target.limit() : value <= target.limit();
  }
}
