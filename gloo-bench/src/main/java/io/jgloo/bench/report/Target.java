package io.jgloo.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * What is to be reached, at each of some sizes.
 *
 * @param ours the series whose figure is compared
 * @param against the series it is compared with; empty for our own
 * @param limit that the figure must not be beyond
 */
public record Target(
    Kind kind,
    String operation,
    int ranks,
    List<Long> sizes,
    String ours,
    String against,
    double limit) {

  /** How a target compares. */
  public enum Kind {
    /** Our time by theirs, at most. */
    RATIO,
    /** Their time by ours, at least: the share of a limit that is used. */
    SHARE,
    /** Our time less theirs, in microseconds, at most. */
    EXTRA,
    /** Our 99th percentile by our median, at most. */
    TAIL
  }

  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final List<Long> SMALL = List.of(4L, 64L, KIB, 4 * KIB);
  private static final List<Long> MIDDLE = List.of(64 * KIB, MIB);
  private static final List<Long> LARGE = List.of(4 * MIB, 16 * MIB, 64 * MIB);
  private static final List<Long> BULK = List.of(MIB, 4 * MIB);
  private static final List<Long> NONE = List.of(0L);

  /** All targets: two ranks on two cores over loopback TCP, unless a row says otherwise. */
  public static List<Target> all() {
    List<Target> all = new ArrayList<>();
    all.add(ratio("allreduce", 2, SMALL, Series.GLOO, 0.10));
    all.add(ratio("allreduce", 2, SMALL, Series.POLLING, 0.60));
    all.add(ratio("allreduce", 2, SMALL, Series.MPI_TCP, 0.90));
    all.add(ratio("allreduce", 2, MIDDLE, Series.GLOO, 0.45));
    all.add(ratio("allreduce", 2, LARGE, Series.GLOO, 0.50));
    all.add(ratio("allreduce", 2, LARGE, Series.MPI_TCP, 0.75));
    all.add(target(Kind.SHARE, BULK, Series.OURS, Series.EXCHANGE, 0.85));
    all.add(ratio("barrier", 2, NONE, Series.GLOO, 0.10));
    all.add(ratio("barrier", 2, NONE, Series.MPI_TCP, 0.90));
    for (String operation : List.of("broadcast", "allgather", "alltoall", "reduceScatter")) {
      all.add(ratio(operation, 2, List.of(MIB), Series.GLOO, 0.50));
    }
    all.add(ratio("allreduce", 4, List.of(4L), Series.GLOO, 0.20));
    all.add(ratio("allreduce", 4, List.of(MIB), Series.GLOO, 0.40));
    all.add(ratio("allreduce", 4, List.of(16 * MIB), Series.GLOO, 0.50));
    all.add(target(Kind.RATIO, List.of(MIB), Series.HEAP, Series.OURS, 1.30));
    all.add(target(Kind.EXTRA, List.of(4L), Series.OURS, Series.PAIR, 1.0));
    all.add(target(Kind.TAIL, List.of(4L), Series.OURS, "", 3));
    return all;
  }

  private static Target ratio(
      String operation, int ranks, List<Long> sizes, String against, double limit) {
    return new Target(Kind.RATIO, operation, ranks, sizes, Series.OURS, against, limit);
  }

  private static Target target(
      Kind kind, List<Long> sizes, String ours, String against, double limit) {
    return new Target(kind, "allreduce", 2, sizes, ours, against, limit);
  }

  /** Whether a figure reaches it. */
  public boolean isMetBy(double figure) {
    return kind == Kind.SHARE ? figure >= limit : figure <= limit;
  }

  /** The limit as a table shows it. */
  String limitText() {
    return switch (kind) {
      case RATIO -> "<= " + Figures.fixed(2, limit);
      case SHARE -> ">= " + Figures.fixed(2, limit);
      case EXTRA -> "<= +" + Figures.fixed(1, limit) + " us";
      case TAIL -> "p99/p50 <= " + Figures.fixed(0, limit);
    };
  }

  /** What it is about at one of its sizes, as its row says it. */
  String work(long bytes) {
    String what = operation + (bytes > 0 ? " " + Figures.bytes(bytes) : "");
    if (ranks != 2) {
      what += ", " + ranks + " ranks";
    }
    String whose = ours.equals(Series.OURS) ? "" : ", " + ours;
    return kind == Kind.SHARE ? what + ", share of bandwidth" : what + whose;
  }
}
