package io.jgloo.bench.soak;

import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.bench.soak.SoakCommand.Fault;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.transport.PeerDepartedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Forms groups of processes one after another, and makes a fault in each.
 *
 * <p><em>Threads</em>: one.
 */
final class Soak {
  static final Duration CONNECT = Duration.ofMinutes(1);
  private static final long PAUSE_MILLIS = 600;
  private static final long DUMP_SECONDS = 3;

  private final SoakCommand options;
  private final List<String> arguments;
  private final List<Fault> kinds;
  private final PrintWriter err;
  private final SplittableRandom random;
  private final SoakTally tally = new SoakTally();
  private final List<SoakProcess> processes = new ArrayList<>();
  private TcpStore store;
  private Job job;

  /** The process that is rank i of the present group. */
  private int[] processOf;

  private long epoch;

  /**
   * @param arguments that the options were read from
   */
  Soak(SoakCommand options, List<String> arguments, Set<Fault> kinds, PrintWriter err) {
    this.options = options;
    this.arguments = arguments;
    this.kinds =
        kinds.stream().flatMap(kind -> Collections.nCopies(kind.weight, kind).stream()).toList();
    this.err = err;
    random = new SplittableRandom(options.seed);
  }

  /** Returns what was found. */
  SoakTally run() throws IOException, InterruptedException {
    try (TcpStore served = Stores.serve("127.0.0.1", 0, CONNECT);
        Job started = new Job()) {
      store = served;
      job = started;
      for (int number = 0; number < options.ranks; number++) {
        processes.add(start(number));
      }
      for (SoakProcess process : processes) {
        awaitReady(process);
      }
      long end = System.nanoTime() + (long) (options.minutes * 60e9);
      while (!done(0) && tally.faults(Fault.KILL) < options.kills && System.nanoTime() - end < 0) {
        group(end);
        processes.forEach(SoakProcess::hasWorked);
      }
      processes.forEach(each -> tally.life(each.use()));
      return tally;
    }
  }

  private SoakProcess start(int number) throws IOException {
    List<String> command = Child.java(SoakRank.class);
    command.add(1, "-Xmx256m");
    command.addAll(arguments);
    command.addAll(List.of("--port", "" + store.port()));
    return new SoakProcess(job, number, command);
  }

  private void awaitReady(SoakProcess process) throws IOException, InterruptedException {
    List<String> answer = process.answer(in((double) CONNECT.toSeconds()));
    if (answer == null || !answer.get(0).equals(SoakRank.READY)) {
      throw new IOException("a process has not started: " + answer + " " + process.child.errors());
    }
  }

  private static long in(double seconds) {
    return System.nanoTime() + (long) (seconds * 1e9);
  }

  private SoakProcess rank(int rank) {
    return processes.get(processOf[rank]);
  }

  /** One group, from its forming to its end by a fault or by the end of the run. */
  private void group(long end) throws IOException, InterruptedException {
    epoch++;
    deal();
    String route = options.routes.get(random.nextInt(options.routes.size()));
    long seed = random.nextLong();
    for (int rank = 0; rank < options.ranks; rank++) {
      rank(rank).order("form %d %d %d %s %d".formatted(epoch, rank, options.ranks, route, seed));
    }
    for (int rank = 0; rank < options.ranks; rank++) {
      if (next(rank, SoakRank.FORMED, in(2.0 * CONNECT.toSeconds())) == null) {
        return;
      }
    }
    Fault fault = null;
    while (fault == null || fault == Fault.PAUSE) {
      boolean none = kinds.isEmpty() || options.killEvery == 0;
      long next = none ? end : in(random.nextDouble(2 * options.killEvery));
      boolean last = next - end >= 0;
      if (!work(last ? end : next)) {
        return;
      }
      if (last || done(calls())) {
        stop();
        return;
      }
      fault = kinds.get(random.nextInt(kinds.size()));
      tally.fault(fault);
      make(fault, route);
    }
    tally.group(calls());
  }

  private void deal() {
    processOf = new int[options.ranks];
    for (int i = 0; i < processOf.length; i++) {
      int place = random.nextInt(i + 1);
      processOf[i] = processOf[place];
      processOf[place] = i;
    }
  }

  private long calls() {
    return processes.stream().mapToLong(SoakProcess::calls).max().orElse(0);
  }

  /**
   * Whether enough was verified, or something found that ends the run.
   *
   * @param calls of a group that works now, which the tally does not have yet
   */
  private boolean done(long calls) {
    return !tally.isSound() || tally.collectives() + calls >= options.collectives;
  }

  /** Waits while the ranks work; false if one of them failed without a fault. */
  private boolean work(long until) throws IOException, InterruptedException {
    while (System.nanoTime() - until < 0 && !done(calls())) {
      for (int rank = 0; rank < options.ranks; rank++) {
        long look = Math.min(until - System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(50));
        List<String> answer = rank(rank).answer(System.nanoTime() + look);
        if (answer != null && !isWrong(answer)) {
          defect("rank " + rank + " failed without a fault: " + answer);
          return false;
        }
        if (rank(rank).hasEnded()) {
          defect("rank " + rank + " ended without a fault");
          return false;
        }
      }
    }
    return true;
  }

  private boolean isWrong(List<String> answer) {
    boolean wrong = answer.get(0).equals(SoakRank.WRONG);
    if (wrong) {
      tally.addWrong(String.join(" ", answer));
    }
    return wrong;
  }

  /** Waits for an answer of a rank; null, and a defect, if it says another word or none. */
  private List<String> next(int rank, String word, long deadline)
      throws IOException, InterruptedException {
    List<String> answer = rank(rank).answer(deadline);
    while (answer != null && isWrong(answer)) {
      answer = rank(rank).answer(deadline);
    }
    if (answer != null && answer.get(0).equals(word) && answer.get(1).equals("" + epoch)) {
      return answer;
    }
    defect("rank " + rank + " must say '" + word + "', but says " + answer);
    return null;
  }

  private void stop() throws IOException, InterruptedException {
    for (SoakProcess process : processes) {
      process.child.write("stop");
    }
    long calls = 0;
    for (int rank = 0; rank < options.ranks; rank++) {
      List<String> answer = next(rank, SoakRank.STOPPED, patience());
      calls = answer == null ? calls : Long.parseLong(answer.get(2));
    }
    tally.group(calls);
  }

  /** When a call that has begun must have ended, on a loaded machine too. */
  private long patience() {
    return in(2.0 * options.timeout + 30);
  }

  private void make(Fault fault, String route) throws IOException, InterruptedException {
    int victim = random.nextInt(options.ranks);
    while (fault == Fault.KILL && processOf[victim] == 0) {
      victim = random.nextInt(options.ranks);
    }
    int other = (victim + 1 + random.nextInt(options.ranks - 1)) % options.ranks;
    String text = String.format("group %d (%s): %s of rank %d", epoch, route, fault, victim);
    switch (fault) {
      case KILL -> {
        tally.life(rank(victim).use());
        collect(fault, rank(victim).kill(), List.of(victim), List.of(victim), text);
        replace(processOf[victim]);
      }
      case STOP -> {
        long instant = System.nanoTime();
        rank(victim).signal("STOP");
        try {
          collect(fault, instant, List.of(victim), List.of(victim), text);
        } finally {
          rank(victim).signal("CONT");
        }
        next(victim, SoakRank.FAILED, patience());
      }
      case PAUSE -> {
        rank(victim).signal("STOP");
        TimeUnit.MILLISECONDS.sleep(random.nextLong(PAUSE_MILLIS));
        rank(victim).signal("CONT");
        print(text);
      }
      case CUT -> {
        long instant = Programs.cut(rank(victim).child.pid(), rank(other).child.pid());
        String both = text + " from rank " + other;
        collect(fault, instant, List.of(), List.of(victim, other), both);
      }
    }
  }

  /** What all ranks but the lost ones report; the ranks they name must be those at fault. */
  private void collect(
      Fault fault, long instant, List<Integer> lost, List<Integer> atFault, String text)
      throws IOException, InterruptedException {
    Map<Integer, List<String>> answers = new TreeMap<>();
    for (int rank = 0; rank < options.ranks; rank++) {
      if (!lost.contains(rank)) {
        List<String> answer = next(rank, SoakRank.FAILED, patience());
        if (answer == null) {
          return;
        }
        answers.put(rank, answer);
      }
    }
    Set<Integer> right = right(answers, atFault);
    StringBuilder times = new StringBuilder();
    answers.forEach(
        (rank, answer) -> {
          double millis = (Long.parseLong(answer.get(2)) - instant) / 1e6;
          tally.report(fault, millis, right.contains(rank));
          times.append(String.format(Locale.ROOT, " %.1f", millis));
          if (!right.contains(rank)) {
            times.append(" (names ").append(answer.get(4)).append(')');
            err.println(text + ": rank " + rank + ": " + String.join(" ", answer));
          }
        });
    print(text + ": reported after" + times + " ms");
  }

  /**
   * The ranks that name one at fault, or that were told of the end of such a rank. A message that
   * times out fails its call only: its rank names the peer and leaves the group, and the others, in
   * a later call, learn that it has left.
   */
  static Set<Integer> right(Map<Integer, List<String>> answers, List<Integer> atFault) {
    Set<Integer> right = named(answers, atFault);
    Map<Integer, List<String>> left = new TreeMap<>(answers);
    String departed = PeerDepartedException.class.getSimpleName();
    left.values().removeIf(answer -> !answer.get(3).equals(departed));
    Set<Integer> all = new TreeSet<>(right);
    all.addAll(named(left, right));
    return all;
  }

  /**
   * The ranks whose answers name one at fault: of two ranks that lost each other each names the
   * other, and a third one either.
   */
  private static Set<Integer> named(
      Map<Integer, List<String>> answers, Collection<Integer> atFault) {
    return answers.keySet().stream()
        .filter(
            rank ->
                atFault.stream()
                    .anyMatch(
                        each -> !each.equals(rank) && answers.get(rank).get(4).equals("" + each)))
        .collect(Collectors.toSet());
  }

  private void replace(int number) throws IOException, InterruptedException {
    processes.set(number, start(number));
    awaitReady(processes.get(number));
  }

  private void print(String line) {
    if (options.verbose) {
      err.println(line);
    }
  }

  /** Records what must not be, with the stacks of all processes. */
  private void defect(String text) throws IOException, InterruptedException {
    tally.addDefect("group " + epoch + ": " + text);
    err.println("gloo-bench: group " + epoch + ": " + text);
    for (SoakProcess process : processes) {
      if (!process.hasEnded()) {
        process.signal("QUIT");
      }
    }
    TimeUnit.SECONDS.sleep(DUMP_SECONDS); // while the virtual machines print their stacks
    for (SoakProcess process : processes) {
      err.println("---- process " + process.child.pid());
      process.child.errors().forEach(err::println);
    }
  }
}
