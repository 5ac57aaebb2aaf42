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

  /**
   * Whether a target is met at one size.
   *
   * @param oursUs median of ours; null if it was not measured
   * @param theirsUs of the other; null if it was not measured, or there is none
   * @param figure what the target limits, with its spread over the rounds; null if it is not known
   * @param met by the median; null if it is not known
   */
  public record Result(
      Target target, long bytes, Double oursUs, Double theirsUs, Statistic figure, Boolean met) {
    static final List<String> COLUMNS =
        List.of("work", "against", "ours", "theirs", "figure", "target", "met");

    /** A cell for each of {@link #COLUMNS}. */
    public List<String> cells() {
      return List.of(
          target.work(bytes),
          target.against().isEmpty() ? "-" : target.against(),
          Figures.figure(oursUs),
          Figures.figure(theirsUs),
          Figures.spread(figure),
          target.limitText(),
          met == null ? "not measured" : met ? "yes" : "no");
    }
  }

  /** The names under which figures go into reports and targets. */
  public static final class Series {

    public static final String OURS = "JGloo";
    public static final String SHARED = "JGloo, shared memory";
    public static final String ALLOCATED = "JGloo, allocated memory";
    public static final String HEAP = "JGloo, heap arrays";
    public static final String OURS_AS_GLOO = "JGloo, wire gloo";
    public static final String PAIR = "JGloo, bare pair";
    public static final String GLOO = "C++ Gloo default";
    public static final String POLLING = "C++ Gloo sync+busy-poll";
    public static final String MPI_TCP = "Open MPI TCP";
    public static final String MPI_SHM = "Open MPI shared memory";
    public static final String EXCHANGE = "C limit, both ways";
    public static final String ONE_WAY = "C limit, one way";
    public static final String PINGPONG = "C limit, ping-pong";

    private Series() {}
  }

  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final List<Long> SMALL = List.of(4L, 64L, KIB, 4 * KIB);
  private static final List<Long> LARGE = List.of(MIB, 4 * MIB, 16 * MIB, 64 * MIB);
  private static final List<Long> ALL =
      List.of(4L, 64L, KIB, 4 * KIB, 64 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB);
  private static final List<Long> SOME = List.of(4L, 4 * KIB, 64 * KIB, MIB);
  private static final List<Long> NONE = List.of(0L);

  /** All targets: on two cores, over loopback TCP or through shared memory. */
  public static List<Target> all() {
    List<Target> all = new ArrayList<>();
    sockets(all);
    sharedMemory(all);
    return all;
  }

  private static void sockets(List<Target> all) {
    String ours = Series.OURS;
    all.add(ratio("allreduce", 2, SMALL, ours, Series.GLOO, 0.10));
    all.add(ratio("allreduce", 2, LARGE, ours, Series.GLOO, 0.50));
    all.add(ratio("allreduce", 2, SMALL, ours, Series.POLLING, 0.60));
    all.add(ratio("allreduce", 2, ALL, ours, Series.MPI_TCP, 0.90));
    all.add(target(Kind.SHARE, LARGE, ours, Series.EXCHANGE, 0.80));
    all.add(ratio("allreduce", 2, LARGE, ours, Series.OURS_AS_GLOO, 1.00));
    all.add(ratio("allreduce", 2, List.of(MIB, 16 * MIB, 64 * MIB), Series.HEAP, ours, 1.25));
    all.add(ratio("barrier", 2, NONE, ours, Series.GLOO, 0.10));
    all.add(ratio("barrier", 2, NONE, ours, Series.MPI_TCP, 0.90));
    for (String operation : List.of("broadcast", "allgather", "alltoall", "reduceScatter")) {
      all.add(ratio(operation, 2, List.of(MIB), ours, Series.GLOO, 0.50));
    }
    all.add(ratio("allreduce", 4, ALL, ours, Series.MPI_TCP, 0.90));
    all.add(ratio("allgather", 4, SOME, ours, Series.MPI_TCP, 0.90));
    all.add(ratio("reduceScatter", 4, SOME, ours, Series.MPI_TCP, 0.90));
    all.add(target(Kind.EXTRA, List.of(4L), ours, Series.PAIR, 1.0));
    all.add(target(Kind.TAIL, List.of(4L), ours, "", 3));
  }

  private static void sharedMemory(List<Target> all) {
    double[] two = {1.00, 0.50, 0.35, 0.40, 0.50, 0.35};
    double[] four = {1.00, 0.60, 0.50, 0.50, 0.50, 0.40};
    List<Long> sizes = List.of(4L, 4 * KIB, 64 * KIB, MIB, 16 * MIB, 64 * MIB);
    for (int i = 0; i < two.length; i++) {
      List<Long> size = sizes.subList(i, i + 1);
      all.add(ratio("allreduce", 2, size, Series.SHARED, Series.MPI_SHM, two[i]));
      all.add(ratio("allreduce", 4, size, Series.SHARED, Series.MPI_SHM, four[i]));
    }
    all.add(ratio("allreduce", 2, List.of(MIB), Series.ALLOCATED, Series.MPI_SHM, 0.20));
    for (int ranks : new int[] {2, 4}) {
      all.add(ratio("barrier", ranks, NONE, Series.SHARED, Series.MPI_SHM, 1.00));
      for (String operation : List.of("broadcast", "allgather", "alltoall", "reduceScatter")) {
        all.add(ratio(operation, ranks, SOME, Series.SHARED, Series.MPI_SHM, 1.00));
      }
    }
  }

  private static Target ratio(
      String operation, int ranks, List<Long> sizes, String ours, String against, double limit) {
    return new Target(Kind.RATIO, operation, ranks, sizes, ours, against, limit);
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
