package io.jgloo.bench.soak;

import static io.jgloo.bench.command.Commands.require;
import static io.jgloo.bench.command.Commands.requireAtLeast;
import static java.util.stream.Collectors.toCollection;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.bench.report.Figures;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.Report;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Kills one process of several ranks, and collects what the other ranks report.
 *
 * <p><em>Threads</em>: one.
 */
@Command(
    name = "gloo-bench/kill",
    showDefaultValues = true,
    description = {
      "",
      "Starts processes of several ranks each, which are threads, and kills the last process while"
          + " all ranks make small calls. Reports when the other ranks fail, with which error and"
          + " which rank in it, and when they have formed a group without the lost ranks (shrink)"
          + " and verified a call in it.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every other rank named a killed rank, and is in the new group",
      "1:a result was wrong",
      "2:the command line has an error",
      "3:a rank named another rank or none, or is not in the new group"
    })
public final class KillCommand implements Commands.Command {
  private static final int MOST_DEFECTS = 20;

  /** Verified at every rank before the process is killed. */
  private static final int CALLS = 5;

  @Option(names = "--ranks", description = "of all processes")
  int ranks = 64;

  @Option(names = "--processes", description = "that the ranks are in, the first in the first")
  int processes = 8;

  @Option(
      names = "--timeout",
      description = "seconds of a call, of connecting and of forming the new group")
  int timeout = 120;

  @Option(
      names = "--device-option",
      description = "attribute of device tcp, for example connecting=eager; repeatable")
  Map<String, String> attributes = new LinkedHashMap<>();

  // Of a process of ranks.

  @Option(names = "--port", hidden = true)
  int port;

  @Option(names = "--first", hidden = true)
  int first;

  @Option(names = "--end", hidden = true)
  int end;

  @Option(names = "--format", description = Format.OPTION)
  private Format format = Format.TABLE;

  @Spec private CommandSpec spec;

  private final BlockingQueue<List<String>> lines = new LinkedBlockingQueue<>();
  private final Map<String, Map<Integer, List<String>>> heard = new TreeMap<>();
  private final List<String> defects = new ArrayList<>();
  private final List<Double> failures = new ArrayList<>();
  private final List<Double> formations = new ArrayList<>();
  private final Map<String, Integer> errors = new TreeMap<>();
  private final Map<String, Integer> named = new TreeMap<>();

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

  @Override
  public int run(PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
    requireAtLeast(2, "--processes", processes);
    require(
        ranks >= processes,
        "--ranks must be at least the " + processes + " processes, but is " + ranks);
    requireAtLeast(1, "--timeout", timeout);
    try (TcpStore store = Stores.serve("127.0.0.1", 0, Duration.ofSeconds(timeout));
        Job job = new Job()) {
      long start = System.nanoTime();
      Child last = null;
      for (int process = 0; process < processes; process++) {
        last = start(job, process, store.port());
      }
      await(KillRank.WORKING, ranks);
      double ready = (System.nanoTime() - start) / 1e9;
      if (defects.isEmpty()) {
        kill(last);
      }
      out.print(format.render(report(ready)));
    }
    defects.forEach(defect -> err.println("gloo-bench: " + defect));
    if (!heard(KillRank.WRONG).isEmpty()) {
      return ExitCode.WRONG;
    }
    return defects.isEmpty() ? ExitCode.VERIFIED : ExitCode.FAILURE;
  }

  private int first(int process) {
    return (int) ((long) process * ranks / processes);
  }

  private Child start(Job job, int process, int port) throws IOException {
    List<String> command = Child.java(KillRank.class);
    command.addAll(spec.commandLine().getParseResult().originalArgs());
    command.addAll(List.of("--port", "" + port, "--first", "" + first(process)));
    command.addAll(List.of("--end", "" + first(process + 1)));
    Child child = job.start("process " + process, new ProcessBuilder(command));
    child.follow(this::hear, null, null);
    return child;
  }

  /** Lines are words and, at the end of some, a text. */
  private void hear(String line) {
    if (KillRank.WORDS.contains(line.split(" ", 2)[0])) { // else it is of the virtual machine
      lines.add(List.of(line.split(" ", 6)));
    }
  }

  private void kill(Child process) throws InterruptedException {
    int victims = first(processes - 1);
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
  private Collection<List<String>> await(String word, int count) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(2L * timeout);
    Map<Integer, List<String>> found = heard(word);
    while (found.size() + heard(KillRank.BROKEN).size() < count) {
      List<String> line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null) {
        Set<Integer> missing =
            IntStream.range(0, count).boxed().collect(toCollection(TreeSet::new));
        missing.removeAll(found.keySet());
        String who = Membership.list(missing);
        defect("ranks " + who + " have not " + word + " in " + 2 * timeout + " s");
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
    int killed = ranks - first(processes - 1);
    String note =
        "%d ranks in %d processes, ready after %.1f s; times after the signal."
            .formatted(ranks, processes, ready);
    List<Times> times =
        List.of(
            Times.of("failed", failures), Times.of("verified a call in the new group", formations));
    List<Count> counts = new ArrayList<>();
    errors.forEach((error, count) -> counts.add(new Count(error, count)));
    String names = "They name " + named.size() + " ranks.";
    return new Report(Machine.now())
        .fact("ranks", ranks)
        .fact("processes", processes)
        .fact("killed", killed)
        .fact("readySeconds", ready)
        .fact("named", named)
        .fact("wrong", heard(KillRank.WRONG).size())
        .fact("defects", defects)
        .table("times", "A process of " + killed + " of " + ranks + " ranks killed", note, times)
        .table("errors", "Errors", names, counts);
  }

  private void defect(String text) {
    if (defects.size() < MOST_DEFECTS) {
      defects.add(text);
    }
  }

  /**
   * A process whose threads are ranks: they make calls until one fails, then form a group of the
   * ranks that are alive.
   *
   * <p>Arguments are those of the command. Writes lines of one of the words below, a rank, and what
   * the word says; ends when standard input does.
   */
  static final class KillRank {
    /** Calls were verified. */
    static final String WORKING = "working";

    /**
     * Instant in nanoseconds, class of the error, the rank that it names or {@code -}, its text.
     */
    static final String FAILED = "failed";

    /** Instant in nanoseconds and size of the new group, in which a call was verified. */
    static final String FORMED = "formed";

    /** What was wrong with the result of a call. */
    static final String WRONG = "wrong";

    /** Why this rank is in no new group, or was in none at all. */
    static final String BROKEN = "broken";

    private static final Set<String> WORDS = Set.of(WORKING, FAILED, FORMED, WRONG, BROKEN);

    private final PrintStream out = System.out;
    private final KillCommand options = new KillCommand();
    private final TcpStore store;

    private KillRank(String... arguments) {
      System.setOut(System.err); // for what others print there
      Commands.read(options, arguments);
      options.attributes.putIfAbsent("bind", "127.0.0.1");
      store = Stores.connect("127.0.0.1", options.port, timeout());
    }

    public static void main(String[] arguments) {
      KillRank ranks = new KillRank(arguments);
      for (int rank = ranks.options.first; rank < ranks.options.end; rank++) {
        int number = rank;
        new Thread(() -> ranks.run(number), "kill-rank-" + rank).start();
      }
      Child.haltAtEndOfInput(ExitCode.VERIFIED);
    }

    private Duration timeout() {
      return Duration.ofSeconds(options.timeout);
    }

    private void run(int rank) {
      try {
        ProcessGroup group = connect(rank);
        try {
          work(group, rank);
        } catch (JGlooException e) {
          long now = System.nanoTime();
          SoakRank.say(
              out,
              FAILED,
              rank,
              now,
              e.getClass().getSimpleName(),
              SoakRank.named(e),
              e.getMessage());
        }
        shrink(group, rank);
      } catch (RuntimeException | Error e) {
        SoakRank.say(out, BROKEN, rank, e);
      }
    }

    private ProcessGroup connect(int rank) {
      return ProcessGroup.builder()
          .name("kill")
          .rank(rank)
          .size(options.ranks)
          .device("tcp", DeviceOptions.of(options.attributes))
          .timeout(timeout())
          .connectTimeout(timeout())
          .store(store)
          .connect();
    }

    private void work(ProcessGroup group, int rank) {
      for (int call = 1; ; call++) {
        verify(group, call);
        if (call == CALLS) {
          SoakRank.say(out, WORKING, rank);
        }
      }
    }

    /** The group stays open: its end would be reported as the loss of a rank. */
    private void shrink(ProcessGroup failed, int rank) {
      ProcessGroup group = failed.shrink(timeout());
      verify(group, 1);
      SoakRank.say(out, FORMED, rank, System.nanoTime(), group.size());
    }

    private void verify(ProcessGroup group, int call) {
      int[] sum = {group.rank() + call};
      group.allreduce(sum, ReduceOp.SUM);
      int expected = group.size() * call + group.size() * (group.size() - 1) / 2;
      if (sum[0] != expected) {
        SoakRank.say(
            out,
            WRONG,
            group.rank(),
            "the sum of call " + call + " is " + sum[0] + " not " + expected);
      }
    }
  }
}
