package io.jgloo.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What {@code gloo-bench/regret} has measured.
 *
 * @param network about it, in words; may be empty
 * @param model that was calibrated at the beginning, as {@code CostModel.parse} takes it
 * @param rounds in each of which every algorithm had its turn
 * @param errors wrong elements
 */
public record RegretReport(
    Machine machine,
    int ranks,
    String layout,
    String network,
    String model,
    int rounds,
    long errors,
    List<Point> points)
    implements Document {

  /**
   * An operation at one size.
   *
   * @param bytes of the vector, of all blocks together
   * @param chosen the algorithm that the model chooses
   */
  public record Point(String operation, long bytes, String chosen, List<Measured> measured) {
    private Measured ofChosen() {
      return measured.stream()
          .filter(each -> each.algorithm().equals(chosen))
          .findAny()
          .orElseThrow();
    }

    private Measured best() {
      return measured.stream().min(Comparator.comparing(Measured::p50Us)).orElseThrow();
    }

    /** Median time of the chosen algorithm by that of the fastest. */
    public double regret() {
      return ofChosen().p50Us() / best().p50Us();
    }
  }

  /** Times of an algorithm: predicted, and the median, least and greatest of the rounds. */
  public record Measured(
      String algorithm, double modelUs, double p50Us, double leastUs, double mostUs) {}

  @Override
  public String title() {
    return "Choice of algorithms: " + layout;
  }

  @Override
  public List<String> notes() {
    List<String> notes = new ArrayList<>(machine.notes());
    notes.add("model " + model + (network.isEmpty() ? "" : "; " + network));
    return notes;
  }

  @Override
  public List<Sheet> sheets() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Point point : points) {
      Measured chosen = point.ofChosen();
      Measured best = point.best();
      rows.add(
          Sheet.row(
              "operation", point.operation(),
              "bytes", point.bytes(),
              "chosen", point.chosen(),
              "modelUs", chosen.modelUs(),
              "p50Us", chosen.p50Us(),
              "leastUs", chosen.leastUs(),
              "mostUs", chosen.mostUs(),
              "modelByMeasured", chosen.modelUs() / chosen.p50Us(),
              "fastest", best.algorithm(),
              "itsUs", best.p50Us(),
              "regret", point.regret()));
    }
    return List.of(Sheet.of(title(), String.join("; ", notes()), rows));
  }

  /** A row for each algorithm. */
  @Override
  public Sheet flat() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Point point : points) {
      for (Measured each : point.measured()) {
        rows.add(
            Sheet.row(
                "operation", point.operation(),
                "bytes", point.bytes(),
                "ranks", ranks,
                "algorithm", each.algorithm(),
                "modelUs", each.modelUs(),
                "p50Us", each.p50Us(),
                "leastUs", each.leastUs(),
                "mostUs", each.mostUs()));
      }
    }
    return Sheet.of(title(), "", rows);
  }
}
