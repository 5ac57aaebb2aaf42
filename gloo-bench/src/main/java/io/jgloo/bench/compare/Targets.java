package io.jgloo.bench.compare;

import io.jgloo.bench.compare.Target.Kind;
import io.jgloo.bench.operation.Operations;
import java.util.ArrayList;
import java.util.List;

/** The table of targets: two ranks on two cores over loopback TCP, unless a row says otherwise. */
final class Targets {

  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final List<Long> SMALL = List.of(4L, 64L, KIB, 4 * KIB);
  private static final List<Long> MIDDLE = List.of(64 * KIB, MIB);
  private static final List<Long> LARGE = List.of(4 * MIB, 16 * MIB, 64 * MIB);
  private static final List<Long> NONE = List.of(0L);

  private Targets() {}

  static List<Target> all() {
    List<Target> all = new ArrayList<>();
    all.add(ratio("allreduce", 2, SMALL, Series.GLOO, 0.10));
    all.add(ratio("allreduce", 2, SMALL, Series.POLLING, 0.60));
    all.add(ratio("allreduce", 2, SMALL, Series.MPI_TCP, 0.90));
    all.add(ratio("allreduce", 2, MIDDLE, Series.GLOO, 0.45));
    all.add(ratio("allreduce", 2, LARGE, Series.GLOO, 0.50));
    all.add(ratio("allreduce", 2, LARGE, Series.MPI_TCP, 0.75));
    List<Long> bulk = List.of(MIB, 4 * MIB);
    all.add(target(Kind.SHARE, bulk, Series.OURS, Series.EXCHANGE, 0.85));
    all.add(ratio("barrier", 2, NONE, Series.GLOO, 0.10));
    all.add(ratio("barrier", 2, NONE, Series.MPI_TCP, 0.90));
    for (String operation : List.of("broadcast", "allgather", "alltoall", "reduceScatter")) {
      if (Operations.all().stream().anyMatch(each -> each.name().equals(operation))) {
        all.add(ratio(operation, 2, List.of(MIB), Series.GLOO, 0.50));
      }
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
}
