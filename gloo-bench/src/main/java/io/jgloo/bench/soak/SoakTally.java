package io.jgloo.bench.soak;

import io.jgloo.bench.report.Figures;
import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.Report;
import io.jgloo.bench.soak.SoakCommand.Fault;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a soak has found so far.
 *
 * <p><em>Threads</em>: one.
 */
final class SoakTally {
  private static final int MOST_TEXTS = 20;

  private static final class Reports {
    int faults;
    int named;
    final List<Double> millis = new ArrayList<>();
  }

  /**
   * Faults of one kind, and the reports of them by the other ranks.
   *
   * @param named reports that name the right rank
   */
  private record FaultTimes(
      String fault, int count, int reports, int named, double p50Ms, double p99Ms, double maxMs) {
    static FaultTimes of(Fault fault, Reports all) {
      List<Double> sorted = all.millis.stream().sorted().toList();
      return new FaultTimes(
          fault.toString(),
          all.faults,
          sorted.size(),
          all.named,
          Figures.percentile(sorted, 50),
          Figures.percentile(sorted, 99),
          Figures.percentile(sorted, 100));
    }
  }

  /** What was verified in all; each call counts once, not once for each rank. */
  private record Total(
      long seed, int ranks, long seconds, long groups, long collectives, int wrong, int defects) {}

  private final long start = System.nanoTime();
  private final Map<Fault, Reports> reports = new EnumMap<>(Fault.class);
  private final List<String> wrong = new ArrayList<>();
  private final List<String> defects = new ArrayList<>();
  private final Map<Integer, SoakProcess.Use> uses = new TreeMap<>();
  private long groups;
  private long collectives;

  void group(long calls) {
    groups++;
    collectives += calls;
  }

  long collectives() {
    return collectives;
  }

  void fault(Fault fault) {
    of(fault).faults++;
  }

  /** How many faults of a kind there were. */
  int faults(Fault fault) {
    return of(fault).faults;
  }

  void report(Fault fault, double millis, boolean named) {
    of(fault).millis.add(millis);
    of(fault).named += named ? 1 : 0;
  }

  private Reports of(Fault fault) {
    return reports.computeIfAbsent(fault, unused -> new Reports());
  }

  /** Adds a call whose result was wrong at a rank. */
  void addWrong(String text) {
    add(wrong, text);
  }

  /** Adds what else must not be. */
  void addDefect(String text) {
    add(defects, text);
  }

  private static void add(List<String> texts, String text) {
    if (texts.size() < MOST_TEXTS) {
      texts.add(text);
    }
  }

  List<String> wrong() {
    return wrong;
  }

  List<String> defects() {
    return defects;
  }

  /** Whether nothing was found that ends the run. */
  boolean isSound() {
    return defects.isEmpty() && wrong.size() < MOST_TEXTS;
  }

  /** Of the lives of a process the longest is reported. */
  void life(SoakProcess.Use use) {
    uses.merge(use.process(), use, (a, b) -> b.seconds() > a.seconds() ? b : a);
  }

  Report report(long seed, int ranks) {
    long seconds = (System.nanoTime() - start) / 1_000_000_000;
    List<String> texts = new ArrayList<>(wrong);
    texts.addAll(defects);
    List<FaultTimes> times = new ArrayList<>();
    reports.forEach(
        (fault, all) -> {
          if (all.faults > 0) {
            times.add(FaultTimes.of(fault, all));
          }
        });
    Total total =
        new Total(seed, ranks, seconds, groups, collectives, wrong.size(), defects.size());
    String when = "Time from the fault to the error at each other rank.";
    String which = "The longest life of each: at the end of its first group, and at its end.";
    return new Report(Machine.now())
        .table("total", "Verified collectives", String.join("\n", texts), List.of(total))
        .table("faults", "Faults", when, times)
        .table("uses", "Processes", which, List.copyOf(uses.values()))
        .fact("wrong", wrong)
        .fact("defects", defects);
  }
}
