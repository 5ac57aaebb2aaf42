package io.jgloo.bench.soak;

import static io.jgloo.bench.command.Commands.require;
import static io.jgloo.bench.command.Commands.requireAtLeast;

import io.jgloo.bench.command.ByteSize;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Child.ProcessFigures;
import io.jgloo.bench.process.Job;
import io.jgloo.bench.report.Figures;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.Report;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.transport.PeerDepartedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Forms groups of processes one after another, and makes a fault in each.
 *
 * <p><em>Threads</em>: one.
 */
@Command(
    name = "gloo-bench/soak",
    description = {
      "",
      "Starts processes that verify collectives of random kinds, types, sizes and algorithms, and"
          + " kills and stops them meanwhile. After each fault a new group is formed. Ranks are"
          + " dealt anew for each group; process 0 is never killed, so that its memory can be"
          + " watched.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every result was right, and every fault reported in time",
      "1:a result was wrong",
      "2:the command line has an error",
      "3:a failure without a fault, a hang, or no report of a fault"
    })
public final class SoakCommand implements Commands.Command {
  static final Duration CONNECT = Duration.ofMinutes(1);
  private static final Duration SIGNAL = Duration.ofSeconds(30);
  private static final long PAUSE_MILLIS = 600;
  private static final long DUMP_SECONDS = 3;
  private static final int MOST_TEXTS = 20;

  /** Faults of a group while it works. */
  enum Fault {
    /** SIGKILL of one process, which is started anew. */
    KILL(4),

    /** One process is stopped for longer than the timeout of the calls. */
    STOP(1),

    /** One process is stopped for less than a second, which must not be noticed. */
    PAUSE(2);

    /** How often it is made, in proportion to the others. */
    final int weight;

    Fault(int weight) {
      this.weight = weight;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(names = "--minutes", description = "length of the run, fractions allowed (default: 1)")
  private double minutes = 1;

  @Option(
      names = "--kill-every",
      description = "seconds between faults on average (default: 10); 0: no faults")
  private double killEvery = 10;

  @Option(
      names = "--faults",
      split = ",",
      description =
          "which faults: kill, stop (longer than the timeout), pause (shorter); default: all")
  private List<Fault> faults = List.of(Fault.values());

  @Option(names = "--ranks", description = "processes, 2 to 64 (default: 4)")
  private int ranks = 4;

  @Option(
      names = "--memory-route",
      split = ",",
      description =
          "attribute memory of the device, of each group one of these: auto (shared memory), off"
              + " (sockets); default: both")
  private List<String> routes = List.of("auto", "off");

  @Option(names = "--max", converter = ByteSize.class, description = "longest vector (default: 1M)")
  long mostBytes = 1 << 20;

  @Option(names = "--algorithm", description = "where there is one; default: random ones")
  String algorithm;

  @Option(
      names = "--device-option",
      description = "attribute of device tcp, for example heartbeat=1000; repeatable")
  Map<String, String> attributes = new LinkedHashMap<>();

  @Option(names = "--timeout", description = "timeout of a call, in seconds (default: 10)")
  int timeout = 10;

  @Option(names = "--seed", description = "of all choices; default: a random one, printed")
  private long seed = new SplittableRandom().nextLong(Integer.MAX_VALUE);

  @Option(names = "--port", hidden = true)
  int port;

  @Option(names = "--format", description = Format.OPTION)
  private Format format = Format.TABLE;

  @Spec private CommandSpec spec;

  private PrintWriter err;
  private SplittableRandom random;
  private TcpStore store;
  private Job job;
  private final List<Rank> processes = new ArrayList<>();

  /** The process that is rank i of the present group. */
  private int[] processOf;

  private long epoch;
  private long groups;
  private long collectives;
  private final Map<Fault, Reports> reports = new EnumMap<>(Fault.class);
  private final Map<Integer, Use> uses = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();
  private final List<String> defects = new ArrayList<>();

  /** The faults of one kind, and when the other ranks reported them. */
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
      String fault, int count, int reports, int named, double p50Ms, double p99Ms, double maxMs) {}

  /** What was verified in all; each call counts once, not once for each rank. */
  private record Total(
      long seed, int ranks, long seconds, long groups, long collectives, int wrong, int defects) {}

  /** What a process held at the end of its first group, and at its own end. */
  private record Use(
      int process,
      long seconds,
      long firstResidentKib,
      long residentKib,
      long firstDescriptors,
      long descriptors,
      long firstThreads,
      long threads) {}

  /** A {@link SoakRank} as its parent sees it: what it has written, and its signals. */
  private final class Rank {
    final Child child;
    private final int number;
    private final long start = System.nanoTime();
    private final BlockingQueue<List<String>> answers = new LinkedBlockingQueue<>();
    private ProcessFigures first = ProcessFigures.NONE;
    private volatile boolean ended;

    /** Calls of the epoch that it last reported. */
    private volatile long calls;

    /**
     * @param number of the process, from 0; a process that is started anew has that of the old one
     */
    Rank(int number) throws IOException {
      this.number = number;
      List<String> command = Child.java(SoakRank.class);
      command.add(1, "-Xmx256m");
      command.addAll(spec.commandLine().getParseResult().originalArgs());
      command.addAll(List.of("--port", "" + store.port()));
      child = job.start("process " + number, new ProcessBuilder(command));
      child.follow(this::hear, null, unused -> ended = true);
    }

    /** Lines are words and, at the end of some, a text. */
    private void hear(String line) {
      List<String> words = List.of(line.split(" ", 7));
      if (words.get(0).equals(SoakRank.AT)) {
        calls = Long.parseLong(words.get(2));
      } else if (SoakRank.ANSWERS.contains(words.get(0))) {
        answers.add(words);
      } else {
        child.keep(line); // a thread dump
      }
    }

    /** The next answer, as words; null if there is none until then. */
    List<String> answer(long deadlineNanos) throws InterruptedException {
      return answers.poll(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    void awaitReady() throws IOException, InterruptedException {
      List<String> answer = answer(in((double) CONNECT.toSeconds()));
      if (answer == null || !answer.get(0).equals(SoakRank.READY)) {
        throw new IOException("a process has not started: " + answer + " " + child.errors());
      }
    }

    /** Sends a signal by its short name. */
    void signal(String name) throws IOException, InterruptedException {
      Job.run(SIGNAL, List.of("kill", "-" + name, "" + child.pid()));
    }

    /** Adds what it holds; of the lives of a process the longest is reported. */
    void addUse() {
      ProcessFigures now = ProcessFigures.of(child.pid());
      Use use =
          new Use(
              number,
              TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
              first.residentKib(),
              now.residentKib(),
              first.descriptors(),
              now.descriptors(),
              first.threads(),
              now.threads());
      uses.merge(number, use, (a, b) -> b.seconds() > a.seconds() ? b : a);
    }
  }

  @Override
  public int run(PrintWriter out, PrintWriter errors) throws IOException, InterruptedException {
    require(minutes > 0, "--minutes must be more than 0, but is " + minutes);
    require(killEvery >= 0, "--kill-every must be at least 0, but is " + killEvery);
    require(ranks >= 2 && ranks <= 64, "--ranks must be 2 to 64, but is " + ranks);
    requireAtLeast(1, "--timeout", timeout);
    err = errors;
    err.println("gloo-bench: --seed " + seed);
    random = new SplittableRandom(seed);
    long start = System.nanoTime();
    try (TcpStore served = Stores.serve("127.0.0.1", 0, CONNECT);
        Job started = new Job()) {
      store = served;
      job = started;
      for (int number = 0; number < ranks; number++) {
        processes.add(new Rank(number));
      }
      for (Rank process : processes) {
        process.awaitReady();
      }
      long end = System.nanoTime() + (long) (minutes * 60e9);
      while (isSound() && System.nanoTime() - end < 0) {
        group(end);
        for (Rank process : processes) {
          if (process.first.equals(ProcessFigures.NONE)) {
            process.first = ProcessFigures.of(process.child.pid());
          }
        }
      }
      processes.forEach(Rank::addUse);
    }
    out.print(format.render(report(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start))));
    return !wrong.isEmpty()
        ? ExitCode.WRONG
        : defects.isEmpty() ? ExitCode.VERIFIED : ExitCode.FAILURE;
  }

  /** Whether nothing was found that ends the run. */
  private boolean isSound() {
    return defects.isEmpty() && wrong.size() < MOST_TEXTS;
  }

  private static long in(double seconds) {
    return System.nanoTime() + (long) (seconds * 1e9);
  }

  private Rank rank(int rank) {
    return processes.get(processOf[rank]);
  }

  /** One group, from its forming to its end by a fault or by the end of the run. */
  private void group(long end) throws IOException, InterruptedException {
    epoch++;
    List<Integer> dealt = new ArrayList<>();
    for (int i = 0; i < ranks; i++) {
      dealt.add(random.nextInt(i + 1), i);
    }
    processOf = dealt.stream().mapToInt(Integer::intValue).toArray();
    String route = routes.get(random.nextInt(routes.size()));
    long callsSeed = random.nextLong();
    for (int rank = 0; rank < ranks; rank++) {
      rank(rank).calls = 0;
      String order = "form %d %d %d %s %d".formatted(epoch, rank, ranks, route, callsSeed);
      rank(rank).child.write(order);
    }
    for (int rank = 0; rank < ranks; rank++) {
      if (next(rank, SoakRank.FORMED, in(2.0 * CONNECT.toSeconds())) == null) {
        return;
      }
    }
    List<Fault> kinds =
        faults.stream().flatMap(each -> Collections.nCopies(each.weight, each).stream()).toList();
    Fault fault = null;
    while (fault == null || fault == Fault.PAUSE) {
      boolean none = kinds.isEmpty() || killEvery == 0;
      long next = none ? end : in(random.nextDouble(2 * killEvery));
      boolean last = next - end >= 0;
      if (!work(last ? end : next)) {
        return;
      }
      if (last || !isSound()) {
        stop();
        return;
      }
      fault = kinds.get(random.nextInt(kinds.size()));
      reports.computeIfAbsent(fault, unused -> new Reports()).faults++;
      make(fault, route);
    }
    groups++;
    collectives += processes.stream().mapToLong(process -> process.calls).max().orElse(0);
  }

  /** Waits while the ranks work; false if one of them failed without a fault. */
  private boolean work(long until) throws IOException, InterruptedException {
    while (System.nanoTime() - until < 0 && isSound()) {
      for (int rank = 0; rank < ranks; rank++) {
        long look = Math.min(until - System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(50));
        List<String> answer = rank(rank).answer(System.nanoTime() + look);
        if (answer != null && !isWrong(answer)) {
          defect("rank " + rank + " failed without a fault: " + answer);
          return false;
        }
        if (rank(rank).ended) {
          defect("rank " + rank + " ended without a fault");
          return false;
        }
      }
    }
    return true;
  }

  private boolean isWrong(List<String> answer) {
    boolean isWrong = answer.get(0).equals(SoakRank.WRONG);
    if (isWrong && wrong.size() < MOST_TEXTS) {
      wrong.add(String.join(" ", answer));
    }
    return isWrong;
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
    for (Rank process : processes) {
      process.child.write("stop");
    }
    long calls = 0;
    for (int rank = 0; rank < ranks; rank++) {
      List<String> answer = next(rank, SoakRank.STOPPED, patience());
      calls = answer == null ? calls : Long.parseLong(answer.get(2));
    }
    groups++;
    collectives += calls;
  }

  /** When a call that has begun must have ended, on a loaded machine too. */
  private long patience() {
    return in(2.0 * timeout + 30);
  }

  private void make(Fault fault, String route) throws IOException, InterruptedException {
    int victim = random.nextInt(ranks);
    while (fault == Fault.KILL && processOf[victim] == 0) {
      victim = random.nextInt(ranks);
    }
    String text = String.format("group %d (%s): %s of rank %d", epoch, route, fault, victim);
    Rank process = rank(victim);
    long instant = System.nanoTime();
    switch (fault) {
      case KILL -> {
        process.addUse();
        process.child.kill();
        collect(fault, instant, victim, text);
        int number = processOf[victim];
        processes.set(number, new Rank(number));
        processes.get(number).awaitReady();
      }
      case STOP -> {
        process.signal("STOP");
        try {
          collect(fault, instant, victim, text);
        } finally {
          process.signal("CONT");
        }
        next(victim, SoakRank.FAILED, patience());
      }
      case PAUSE -> {
        process.signal("STOP");
        TimeUnit.MILLISECONDS.sleep(random.nextLong(PAUSE_MILLIS));
        process.signal("CONT");
      }
    }
  }

  /** What all ranks but the lost one report. */
  private void collect(Fault fault, long instant, int victim, String text)
      throws IOException, InterruptedException {
    Map<Integer, List<String>> answers = new TreeMap<>();
    for (int rank = 0; rank < ranks; rank++) {
      if (rank != victim) {
        List<String> answer = next(rank, SoakRank.FAILED, patience());
        if (answer == null) {
          return;
        }
        answers.put(rank, answer);
      }
    }
    Set<Integer> right = right(answers, victim);
    Reports all = reports.get(fault);
    answers.forEach(
        (rank, answer) -> {
          all.millis.add((Long.parseLong(answer.get(2)) - instant) / 1e6);
          all.named += right.contains(rank) ? 1 : 0;
          if (!right.contains(rank)) {
            err.println(text + ": rank " + rank + ": " + String.join(" ", answer));
          }
        });
  }

  /**
   * The ranks that name the victim, or that were told of the end of such a rank. A message that
   * times out fails its call only: its rank names the peer and leaves the group, and the others, in
   * a later call, learn that it has left.
   */
  static Set<Integer> right(Map<Integer, List<String>> answers, int victim) {
    Set<Integer> right = new TreeSet<>(answers.keySet());
    right.removeIf(rank -> !answers.get(rank).get(4).equals("" + victim));
    String departed = PeerDepartedException.class.getSimpleName();
    Set<Integer> all = new TreeSet<>(right);
    answers.forEach(
        (rank, answer) -> {
          if (answer.get(3).equals(departed)
              && right.stream().anyMatch(each -> answer.get(4).equals("" + each))) {
            all.add(rank);
          }
        });
    return all;
  }

  /** Records what must not be, with the stacks of all processes. */
  private void defect(String text) throws IOException, InterruptedException {
    if (defects.size() < MOST_TEXTS) {
      defects.add("group " + epoch + ": " + text);
    }
    err.println("gloo-bench: group " + epoch + ": " + text);
    for (Rank process : processes) {
      if (!process.ended) {
        process.signal("QUIT");
      }
    }
    TimeUnit.SECONDS.sleep(DUMP_SECONDS); // while the virtual machines print their stacks
    for (Rank process : processes) {
      err.println("---- process " + process.child.pid());
      process.child.errors().forEach(err::println);
    }
  }

  private Report report(long seconds) {
    List<String> texts = new ArrayList<>(wrong);
    texts.addAll(defects);
    List<FaultTimes> times = new ArrayList<>();
    reports.forEach(
        (fault, all) -> {
          List<Double> sorted = all.millis.stream().sorted().toList();
          times.add(
              new FaultTimes(
                  fault.toString(),
                  all.faults,
                  sorted.size(),
                  all.named,
                  Figures.percentile(sorted, 50),
                  Figures.percentile(sorted, 99),
                  Figures.percentile(sorted, 100)));
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
