package io.jgloo.bench.soak;

import static java.util.stream.Collectors.toCollection;

import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.bench.report.Figures;
import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.Report;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.transport.Membership;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Kills one process of several ranks, and collects what the other ranks report.
 *
 * <p><em>Threads</em>: one.
 */
final class Kill {
  private static final int MOST_DEFECTS = 20;

  private final KillCommand options;
  private final BlockingQueue<List<String>> lines = new LinkedBlockingQueue<>();
  private final Map<String, Map<Integer, List<String>>> heard = new TreeMap<>();
  private final List<String> defects = new ArrayList<>();
  private final List<Double> failures = new ArrayList<>();
  private final List<Double> formations = new ArrayList<>();
  private final Map<String, Integer> errors = new TreeMap<>();
  private final Map<String, Integer> named = new TreeMap<>();

  Kill(KillCommand options) {
    this.options = options;
  }

  /** Times of ranks, in milliseconds after the signal. */
  private record Times(
      String ranksThat, int count, double firstMs, double p50Ms, double p99Ms, double maxMs) {
    static Times of(String what, List<Double> millis) {
      List<Double> sorted = millis.stream().sorted().toList();
      return new Times(
          what,
          sorted.size(),
          Figures.percentile(sorted, 0),
          Figures.percentile(sorted, 50),
          Figures.percentile(sorted, 99),
          Figures.percentile(sorted, 100));
    }
  }

  private record Count(String error, int count) {}

  Report run() throws IOException, InterruptedException {
    try (TcpStore store = Stores.serve("127.0.0.1", 0, Duration.ofSeconds(options.timeout));
        Job job = new Job()) {
      long start = System.nanoTime();
      Child last = null;
      for (int process = 0; process < options.processes; process++) {
        last = start(job, process, store.port());
      }
      await(KillRank.WORKING, options.ranks);
      double ready = (System.nanoTime() - start) / 1e9;
      if (defects.isEmpty()) {
        kill(last);
      }
      return report(ready);
    }
  }

  private int first(int process) {
    return (int) ((long) process * options.ranks / options.processes);
  }

  private Child start(Job job, int process, int port) throws IOException {
    List<String> command = Child.java(KillRank.class);
    command.addAll(List.of("" + port, "" + options.timeout, "" + options.calls));
    command.addAll(List.of("" + options.ranks, "" + first(process), "" + (first(process + 1) - 1)));
    options.attributes.forEach((name, value) -> command.add(name + "=" + value));
    Child child = job.start("process " + process, new ProcessBuilder(command));
    child.follow(this::hear, null, null);
    return child;
  }

  /** Lines are words and, at the end of some, a text. */
  private void hear(String line) {
    if (KillRank.isWord(line.split(" ", 2)[0])) {
      lines.add(List.of(line.split(" ", 6)));
    }
  }

  private void kill(Child process) throws InterruptedException {
    int victims = first(options.processes - 1);
    long instant = System.nanoTime();
    process.kill();
    for (List<String> line : await(KillRank.FAILED, victims)) {
      failures.add(millis(line, instant));
      errors.merge(line.get(3), 1, Integer::sum);
      named.merge(line.get(4), 1, Integer::sum);
      boolean right = line.get(4).matches("\\d+") && Integer.parseInt(line.get(4)) >= victims;
      if (!right) {
        defect("rank " + line.get(1) + " names no killed rank: " + line.subList(3, line.size()));
      }
    }
    for (List<String> line : await(KillRank.FORMED, victims)) {
      formations.add(millis(line, instant));
      if (!line.get(3).equals("" + victims)) {
        defect("rank " + line.get(1) + " is in a group of " + line.get(3) + ", not " + victims);
      }
    }
  }

  private static double millis(List<String> line, long instant) {
    return (Long.parseLong(line.get(2)) - instant) / 1e6;
  }

  /** The lines that begin with a word, one of each of the first ranks that has no other answer. */
  private Collection<List<String>> await(String word, int ranks) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(2L * options.timeout);
    Map<Integer, List<String>> found = heard(word);
    while (found.size() + heard(KillRank.BROKEN).size() < ranks) {
      List<String> line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null) {
        Set<Integer> missing =
            IntStream.range(0, ranks).boxed().collect(toCollection(TreeSet::new));
        missing.removeAll(found.keySet());
        String who = Membership.list(missing);
        defect("ranks " + who + " have not " + word + " in " + 2 * options.timeout + " s");
        break;
      }
      heard(line.get(0)).put(Integer.parseInt(line.get(1)), line);
      if (line.get(0).equals(KillRank.WRONG) || line.get(0).equals(KillRank.BROKEN)) {
        defect(String.join(" ", line));
      }
    }
    return found.values();
  }

  private Map<Integer, List<String>> heard(String word) {
    return heard.computeIfAbsent(word, unused -> new TreeMap<>());
  }

  private Report report(double ready) {
    int killed = options.ranks - first(options.processes - 1);
    String note =
        "%d ranks in %d processes, ready after %.1f s; times after the signal."
            .formatted(options.ranks, options.processes, ready);
    List<Times> times =
        List.of(
            Times.of("failed", failures), Times.of("verified a call in the new group", formations));
    List<Count> counts = new ArrayList<>();
    errors.forEach((error, count) -> counts.add(new Count(error, count)));
    IntSummaryStatistics each =
        named.values().stream().mapToInt(Integer::intValue).summaryStatistics();
    String names =
        "They name %d ranks, each %d to %d times."
            .formatted(named.size(), named.isEmpty() ? 0 : each.getMin(), each.getMax());
    return new Report(Machine.now())
        .fact("ranks", options.ranks)
        .fact("processes", options.processes)
        .fact("killed", killed)
        .fact("readySeconds", ready)
        .fact("named", named)
        .fact("wrong", wrong())
        .fact("defects", defects)
        .table(
            "times",
            "A process of " + killed + " of " + options.ranks + " ranks killed",
            note,
            times)
        .table("errors", "Errors", names, counts);
  }

  /** Wrong results. */
  int wrong() {
    return heard(KillRank.WRONG).size();
  }

  /** What must not be, as text. */
  List<String> defects() {
    return defects;
  }

  private void defect(String text) {
    if (defects.size() < MOST_DEFECTS) {
      defects.add(text);
    }
  }
}
