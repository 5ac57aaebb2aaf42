package io.jgloo.bench.compare;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.Algorithms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How cost grows with ranks: measured on this machine, and foretold beyond it. */
final class Growth {

  private static final int ELEMENT_BYTES = 4;
  private static final int MOST_FORETOLD = 16_384;

  /**
   * One number of ranks at one size, an allreduce.
   *
   * @param mode what a rank is: thread or process
   * @param connectMillis of the slowest rank, for the full mesh
   * @param p50Us mean of the ranks' medians
   * @param foretoldUs by the cost model, which knows nothing of ranks that share a core
   * @param messages per rank and call, mean of all ranks
   * @param messagesInTheory the same, counted in the schedules
   * @param bytesSent by the busiest rank per call, with headers
   * @param bytesInTheory the same without headers, by the algorithm's formula
   * @param writes system calls per call of the busiest rank
   * @param reads likewise, those that brought nothing included
   */
  record Line(
      String mode,
      int ranks,
      double connectMillis,
      long bytes,
      String algorithm,
      double p50Us,
      double foretoldUs,
      double messages,
      double messagesInTheory,
      double bytesSent,
      long bytesInTheory,
      double writes,
      double reads) {}

  /** What the model says of the algorithm it chooses. */
  record Forecast(int ranks, long bytes, String algorithm, long steps, double micros) {}

  private Growth() {}

  static List<Line> measure(
      int ranks, List<Long> sizes, String congestion, boolean threads, int millis)
      throws IOException, InterruptedException {
    ProbeRun run = ProbeRun.of("growth", congestion).with(millis);
    for (long bytes : sizes) {
      run = run.with(bytes);
    }
    List<Line> lines = new ArrayList<>();
    double connectMillis = 0;
    for (String said : threads ? run.threads(ranks) : run.processes(ranks)) {
      String[] words = said.split(" ", -1);
      if (words[0].equals("connect")) {
        connectMillis = Double.parseDouble(words[1]);
      } else {
        lines.add(line(threads ? "threads" : "processes", ranks, connectMillis, words));
      }
    }
    return lines;
  }

  private static Line line(String mode, int ranks, double connectMillis, String[] words) {
    long bytes = Long.parseLong(words[1]);
    Shape shape = shape(ranks, bytes);
    Algorithm algorithm = Algorithms.select(shape, CostModel.LOOPBACK_TCP);
    Cost cost = algorithm.cost(shape);
    return new Line(
        mode,
        ranks,
        connectMillis,
        bytes,
        algorithm.name(),
        Double.parseDouble(words[2]),
        CostModel.LOOPBACK_TCP.seconds(cost) * 1e6,
        Double.parseDouble(words[3]),
        messages(algorithm, shape),
        Double.parseDouble(words[4]),
        cost.bytes(),
        Double.parseDouble(words[5]),
        Double.parseDouble(words[6]));
  }

  private static Shape shape(int ranks, long bytes) {
    return Shape.allreduce(ranks, bytes / ELEMENT_BYTES, ELEMENT_BYTES).withInPlace(true);
  }

  /** Messages per rank, mean of all. */
  private static double messages(Algorithm algorithm, Shape shape) {
    long sends = 0;
    for (int rank = 0; rank < shape.size(); rank++) {
      Schedule schedule = algorithm.schedule(shape, rank);
      for (int op = 0; op < schedule.operations(); op++) {
        sends += schedule.kind(op) == Schedule.Kind.SEND ? 1 : 0;
      }
    }
    return (double) sends / shape.size();
  }

  /** From two ranks on, doubling. */
  static List<Forecast> foretell(List<Long> sizes) {
    List<Forecast> forecasts = new ArrayList<>();
    for (long bytes : sizes) {
      for (int ranks = 2; ranks <= MOST_FORETOLD; ranks *= 2) {
        Shape shape = shape(ranks, bytes);
        Algorithm algorithm = Algorithms.select(shape, CostModel.LOOPBACK_TCP);
        Cost cost = algorithm.cost(shape);
        double micros = CostModel.LOOPBACK_TCP.seconds(cost) * 1e6;
        forecasts.add(new Forecast(ranks, bytes, algorithm.name(), cost.steps(), micros));
      }
    }
    return forecasts;
  }
}
