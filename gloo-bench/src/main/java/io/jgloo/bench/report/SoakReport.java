package io.jgloo.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What {@code gloo-bench/soak} has found.
 *
 * @param seed of all random choices but the instants at which processes see them
 * @param collectives verified calls; each counts once, not once for each rank
 * @param wrong calls whose result was wrong at a rank, as text
 * @param defects what else must not be, as text
 * @param faults by kind
 * @param uses of the longest life of each process
 */
public record SoakReport(
    Machine machine,
    long seed,
    int ranks,
    long seconds,
    long groups,
    long collectives,
    List<String> wrong,
    List<String> defects,
    List<FaultTimes> faults,
    List<Use> uses)
    implements Document {

  /**
   * Faults of one kind, and the reports of them by the other ranks.
   *
   * @param named reports that name the right rank
   */
  public record FaultTimes(
      String fault, int count, int reports, int named, double p50Ms, double p99Ms, double maxMs) {

    /** Those of reports that came after so many milliseconds. */
    public static FaultTimes of(String fault, int count, int named, List<Double> millis) {
      List<Double> sorted = millis.stream().sorted().toList();
      return new FaultTimes(
          fault,
          count,
          sorted.size(),
          named,
          Statistic.percentile(sorted, 50),
          Statistic.percentile(sorted, 99),
          Statistic.percentile(sorted, 100));
    }
  }

  /**
   * What a process held at the end of its life, and the change per minute after its first quarter.
   *
   * @param residentKib with garbage, and with what the JVM keeps to use it again
   * @param heapKib after a collection
   * @param outsideKib memory of JGloo outside the heap, direct and mapped buffers
   */
  public record Use(
      int process,
      long seconds,
      long residentKib,
      double residentKibPerMinute,
      long heapKib,
      double heapKibPerMinute,
      long outsideKib,
      double outsideKibPerMinute,
      long descriptors,
      double descriptorsPerMinute,
      long threads,
      double threadsPerMinute) {}

  @Override
  public String title() {
    return "Soak: verified collectives under faults";
  }

  @Override
  public List<String> notes() {
    return machine.notes();
  }

  @Override
  public List<Sheet> sheets() {
    List<Map<String, Object>> total =
        List.of(
            Sheet.row(
                "seed", seed,
                "ranks", ranks,
                "seconds", seconds,
                "groups", groups,
                "collectives", collectives,
                "wrong", wrong.size(),
                "defects", defects.size()));
    List<Map<String, Object>> times = new ArrayList<>();
    for (FaultTimes each : faults) {
      times.add(
          Sheet.row(
              "fault", each.fault(),
              "count", each.count(),
              "reports", each.reports(),
              "named", each.named(),
              "p50Ms", each.p50Ms(),
              "p99Ms", each.p99Ms(),
              "maxMs", each.maxMs()));
    }
    List<Map<String, Object>> held = new ArrayList<>();
    for (Use use : uses) {
      held.add(
          Sheet.row(
              "process", use.process(),
              "seconds", use.seconds(),
              "residentKib", use.residentKib(),
              "kibPerMinute", use.residentKibPerMinute(),
              "heapKib", use.heapKib(),
              "heapKibPerMinute", use.heapKibPerMinute(),
              "outsideKib", use.outsideKib(),
              "outsideKibPerMinute", use.outsideKibPerMinute(),
              "descriptors", use.descriptors(),
              "descriptorsPerMinute", use.descriptorsPerMinute(),
              "threads", use.threads(),
              "threadsPerMinute", use.threadsPerMinute()));
    }
    return List.of(
        Sheet.of("Verified collectives", String.join("\n", all()), total),
        Sheet.of("Faults", "Time from the fault to the error at each other rank.", times),
        Sheet.of("Processes", "The longest life of each; slopes without its first quarter.", held));
  }

  private List<String> all() {
    List<String> all = new ArrayList<>(wrong);
    all.addAll(defects);
    return all;
  }

  @Override
  public Sheet flat() {
    return sheets().get(1);
  }
}
