package io.jgloo.bench.compare;

import io.jgloo.bench.probe.ProbeMain;
import io.jgloo.bench.report.Sheet;
import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.Algorithms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How cost grows with ranks: measured on this machine, and predicted beyond it. */
final class Growth {

  private static final int ELEMENT_BYTES = 4;
  private static final int MOST_RANKS = 16_384;

  private Growth() {}

  /** The rows of one number of ranks, what was measured beside what theory says. */
  static List<Map<String, Object>> measure(
      int ranks, List<Long> sizes, String congestion, boolean threads, boolean quick)
      throws IOException, InterruptedException {
    ProbeMain.Request probe = new ProbeMain.Request("growth", congestion, quick, sizes);
    List<String> lines = threads ? probe.threads(ranks) : probe.processes(ranks);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Map<String, Object> measured : ProbeMain.rows(lines)) {
      Shape shape = shape(ranks, ((Number) measured.get("bytes")).longValue());
      Algorithm algorithm = Algorithms.select(shape, CostModel.LOOPBACK_TCP);
      Cost cost = algorithm.cost(shape);
      Map<String, Object> row =
          Sheet.row("mode", threads ? "threads" : "processes", "ranks", ranks);
      row.putAll(measured);
      row.put("algorithm", algorithm.name());
      row.put("modelUs", Algorithms.seconds(algorithm, shape, CostModel.LOOPBACK_TCP) * 1e6);
      row.put("messagesInTheory", messages(algorithm, shape));
      row.put("bytesInTheory", cost.bytes());
      rows.add(row);
    }
    return rows;
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

  /** What the model says of the algorithm it chooses, from two ranks on, doubling. */
  static List<Map<String, Object>> forecasts(List<Long> sizes) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (long bytes : sizes) {
      for (int ranks = 2; ranks <= MOST_RANKS; ranks *= 2) {
        Shape shape = shape(ranks, bytes);
        Algorithm algorithm = Algorithms.select(shape, CostModel.LOOPBACK_TCP);
        Cost cost = algorithm.cost(shape);
        rows.add(
            Sheet.row(
                "bytes",
                bytes,
                "ranks",
                ranks,
                "algorithm",
                algorithm.name(),
                "steps",
                cost.steps(),
                "micros",
                Algorithms.seconds(algorithm, shape, CostModel.LOOPBACK_TCP) * 1e6));
      }
    }
    return rows;
  }
}
