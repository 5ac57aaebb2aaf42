package io.jgloo.bench.soak;

import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.SoakReport;
import io.jgloo.bench.report.SoakReport.FaultTimes;
import io.jgloo.bench.soak.SoakCommand.Fault;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  private final long start = System.nanoTime();
  private final Map<Fault, Reports> reports = new EnumMap<>(Fault.class);
  private final List<String> wrong = new ArrayList<>();
  private final List<String> defects = new ArrayList<>();
  private final Map<Integer, SoakReport.Use> uses = new HashMap<>();
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

  void wrong(String text) {
    add(wrong, text);
  }

  void defect(String text) {
    add(defects, text);
  }

  private static void add(List<String> texts, String text) {
    if (texts.size() < MOST_TEXTS) {
      texts.add(text);
    }
  }

  /** Whether nothing was found that ends the run. */
  boolean isSound() {
    return defects.isEmpty() && wrong.size() < MOST_TEXTS;
  }

  /** Of the lives of a process the longest is reported. */
  void life(SoakReport.Use use) {
    uses.merge(use.process(), use, (a, b) -> b.seconds() > a.seconds() ? b : a);
  }

  SoakReport report(long seed, int ranks, Machine machine) {
    List<FaultTimes> times = new ArrayList<>();
    reports.forEach(
        (fault, all) -> {
          if (all.faults > 0) {
            times.add(FaultTimes.of(fault.toString(), all.faults, all.named, all.millis));
          }
        });
    return new SoakReport(
        machine,
        seed,
        ranks,
        (System.nanoTime() - start) / 1_000_000_000,
        groups,
        collectives,
        wrong,
        defects,
        times,
        uses.values().stream().sorted(Comparator.comparing(SoakReport.Use::process)).toList());
  }
}
