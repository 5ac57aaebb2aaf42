package io.jgloo.bench.regret;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.operation.Trial;
import io.jgloo.bench.operation.Trial.Findings;
import io.jgloo.bench.operation.Vector;
import io.jgloo.bench.operation.Workload;
import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.RegretReport;
import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.Algorithms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Calibrates the model and times algorithms, at one rank.
 *
 * <p><em>Threads</em>: one.
 */
final class RegretRank {
  /** How long the calls of one turn should take together: many times a pause of the machine's. */
  private static final double TURN_SECONDS = 0.1;

  private static final int LEAST_CALLS = 4;
  private static final int MOST_CALLS = 1000;

  /** Of the calls of a turn, so many are made once more before it, and not timed. */
  private static final int WARM_UP_SHARE = 4;

  /** TCP begins anew with a small window on connections that other algorithms have not used. */
  private static final int LEAST_WARM_UP = 2;

  /** Algorithms that are predicted to take so much longer than the best are left out if long. */
  private static final double HOPELESS = 4;

  private static final double LONG_SECONDS = 0.25;

  private final ProcessGroup group;
  private final int rounds;
  private final CostModel model;
  private long errors;

  RegretRank(ProcessGroup group, int rounds) {
    this.group = group;
    this.rounds = rounds;
    model = calibrate();
  }

  /** Twice, as the first time the calls are not compiled. */
  private CostModel calibrate() {
    Operation calibrate = Operations.named("calibrate").orElseThrow();
    try (Trial trial = calibrate.trial(group, work(Optional.empty()), 0)) {
      trial.settle();
      trial.settle();
      return CostModel.parse(trial.algorithm());
    }
  }

  private static Workload work(Optional<String> algorithm) {
    return new Workload(DataType.FLOAT32, ReduceOp.SUM, 0, algorithm, true, Vector.Kind.DIRECT);
  }

  /** Wrong elements at all ranks. */
  long errors() {
    return errors;
  }

  RegretReport report(List<RegretReport.Point> points, String network, Machine machine) {
    return new RegretReport(
        machine,
        group.size(),
        group.layout().toString(),
        network,
        model.toString(),
        rounds,
        errors,
        points);
  }

  /** Measures; the same at all ranks. */
  List<RegretReport.Point> points(List<String> operations, List<Long> sizes) {
    List<RegretReport.Point> points = new ArrayList<>();
    for (String name : operations) {
      for (long bytes : sizes) {
        points.add(point(Operations.named(name).orElseThrow(), bytes));
      }
    }
    return points;
  }

  private RegretReport.Point point(Operation operation, long bytes) {
    long count = operation.count(bytes / Float.BYTES, group.size());
    Shape shape = shape(operation.name(), count);
    Algorithm chosen = Algorithms.select(shape, model);
    List<Algorithm> candidates = candidates(shape);
    double[][] seconds = new double[candidates.size()][rounds];
    for (int round = -1; round < rounds; round++) {
      for (int turn = 0; turn < seconds.length; turn++) {
        int i = (turn + round + 1) % seconds.length; // the first one of a round may be slower
        double took = turn(operation, count, candidates.get(i), calls(shape), round < 0);
        if (round >= 0) {
          seconds[i][round] = took;
        }
      }
    }
    double behind = operation.rooted() ? barrier() : 0;
    List<RegretReport.Measured> measured = new ArrayList<>();
    for (int i = 0; i < seconds.length; i++) {
      Algorithm algorithm = candidates.get(i);
      agree(seconds[i]);
      measured.add(
          new RegretReport.Measured(
              algorithm.name(),
              micros(Algorithms.seconds(algorithm, shape, model) + behind),
              micros(seconds[i][rounds / 2]),
              micros(seconds[i][0]),
              micros(seconds[i][rounds - 1])));
    }
    return new RegretReport.Point(operation.name(), count * Float.BYTES, chosen.name(), measured);
  }

  /** As the group has it when it chooses. */
  private Shape shape(String operation, long count) {
    int size = group.size();
    Shape shape =
        switch (operation) {
          case "allreduce" -> Shape.allreduce(size, count, Float.BYTES);
          case "broadcast" -> Shape.broadcast(size, 0, count, Float.BYTES);
          case "allgather" -> Shape.allgather(size, count / size, Float.BYTES);
          default -> throw new IllegalArgumentException("operation = " + operation);
        };
    return shape.withLayout(group.layout()).withInPlace(true);
  }

  /** Predicted seconds of a barrier. */
  private double barrier() {
    Shape shape = Shape.barrier(group.size()).withLayout(group.layout());
    return Algorithms.seconds(Algorithms.select(shape, model), shape, model);
  }

  private List<Algorithm> candidates(Shape shape) {
    double best = Algorithms.seconds(Algorithms.select(shape, model), shape, model);
    return Algorithms.of(shape.collective()).stream()
        .filter(algorithm -> !algorithm.name().equals("flat")) // for cells only
        .filter(
            algorithm -> {
              double predicted = Algorithms.seconds(algorithm, shape, model);
              return predicted < LONG_SECONDS || predicted < HOPELESS * best;
            })
        .toList();
  }

  private int calls(Shape shape) {
    double best = Algorithms.seconds(Algorithms.select(shape, model), shape, model);
    return (int) Math.max(LEAST_CALLS, Math.min(MOST_CALLS, TURN_SECONDS / best));
  }

  /** Seconds of a call by an algorithm; a broadcast has a barrier behind it. */
  private double turn(
      Operation operation, long count, Algorithm algorithm, int calls, boolean verified) {
    Workload work = work(Optional.of(algorithm.name()));
    try (Trial trial = operation.trial(group, work, count)) {
      if (verified) {
        Findings findings = new Findings();
        trial.verify(0, findings);
        long[] wrong = {findings.errors()};
        group.allreduce(wrong, ReduceOp.SUM);
        errors += wrong[0];
      }
      trial.settle();
      int warm = Math.max(LEAST_WARM_UP, calls / WARM_UP_SHARE);
      long start = System.nanoTime();
      for (int i = -warm; i < calls; i++) {
        if (i == 0) {
          group.barrier();
          start = System.nanoTime();
        }
        trial.call();
        if (operation.rooted()) {
          group.barrier(); // else the root runs ahead
        }
      }
      return (System.nanoTime() - start) / 1e9 / calls;
    }
  }

  /** Makes times of a rank those of the slowest, in ascending order. */
  private void agree(double[] seconds) {
    group.allreduce(seconds, ReduceOp.MAX);
    Arrays.sort(seconds);
  }

  private static double micros(double seconds) {
    return Math.round(seconds * 1e7) / 10.0;
  }
}
