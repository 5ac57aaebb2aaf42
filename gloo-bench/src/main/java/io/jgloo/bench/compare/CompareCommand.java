package io.jgloo.bench.compare;

import static io.jgloo.bench.command.Commands.require;
import static io.jgloo.bench.command.Commands.requireAtLeast;

import io.jgloo.bench.command.ByteSize;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.compare.Peer.Task;
import io.jgloo.bench.compare.Peer.Timing;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.process.Child;
import io.jgloo.bench.process.Job;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures this library beside others and writes the report. */
@Command(
    name = "gloo-bench/compare",
    abbreviateSynopsis = true,
    description = {
      "",
      "Measures this library beside C++ Gloo, Open MPI, MPICH and a C loop that shows the kernel's"
          + " limit: the same operations, sizes and ranks, by turns, in several rounds. Builds"
          + " their drivers from gloo-bench/peers; a peer whose packages are missing is skipped by"
          + " name. Writes report.json and report.txt.",
      "",
      "Take figures that count on a machine that does nothing else; with two cores all of it takes"
          + " about half an hour.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the report is written",
      "2:the command line has an error",
      "3:something failed, and the report says what"
    })
public final class CompareCommand implements Commands.Command {

  /** How long the timed calls of one size should take. */
  private static final int MILLIS = 300;

  private static final int QUICK_MILLIS = 10;
  private static final List<Long> QUICK = List.of(4L, 64L << 10);
  private static final List<Long> FEW = List.of(4L, 4L << 10, 64L << 10, 1L << 20);
  private static final List<Long> MANY =
      List.of(4L, 64L, 1L << 10, 4L << 10, 64L << 10, 1L << 20, 4L << 20, 16L << 20, 64L << 20);

  @Option(names = "--ranks", split = ",", description = "(default: 2,4)")
  private List<Integer> ranks;

  @Option(names = "--rounds", description = "(default: 5)")
  Integer rounds;

  @Option(
      names = "--sizes",
      paramLabel = "SIZE",
      split = ",",
      converter = ByteSize.class,
      description =
          "bytes per rank (default: 4,64,1K,4K,64K,1M,4M,16M,64M for allreduce; 4,4K,64K,1M for"
              + " the others)")
  private List<Long> sizes;

  @Option(
      names = "--operations",
      paramLabel = "OP",
      split = ",",
      description = "(default: all of gloo-bench/run that have a counterpart)")
  private List<String> operations =
      Operations.all().stream().map(Operation::name).filter(Peers.OPERATIONS::contains).toList();

  /** What all sockets of this namespace have, where {@link EqualConditions} started this. */
  @Option(names = "--congestion-of-all", hidden = true)
  private String congestionOfAll;

  @Option(names = "--quick", description = "one short round: to see that it works, not how fast")
  boolean quick;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "(default: gloo-bench/target/compare)")
  private Path output;

  @Option(names = "--peers", paramLabel = "DIR", description = "sources of the peers' drivers")
  private Path folder = Path.of("gloo-bench", "peers");

  @Spec private CommandSpec spec;

  final Comparison comparison = new Comparison();
  final List<String> failures = new ArrayList<>();

  @Override
  public int run(PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
    ranks = ranks != null ? ranks : quick ? List.of(2) : List.of(2, 4);
    rounds = rounds != null ? rounds : quick ? 1 : 5;
    require(ranks.stream().allMatch(n -> n >= 2 && n <= 64), "--ranks must be 2 to 64");
    requireAtLeast(1, "--rounds", rounds);
    List<String> known = Operations.all().stream().map(Operation::name).toList();
    operations = operations.stream().map(op -> Commands.known("--operations", op, known)).toList();
    require(
        sizes == null || sizes.stream().allMatch(bytes -> bytes % Float.BYTES == 0),
        "--sizes must be multiples of 4: elements are float32");
    String congestion = Machine.hostCongestion();
    if (congestionOfAll == null) {
      EqualConditions equal = new EqualConditions(congestion);
      try {
        equal.check();
        List<String> arguments =
            new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
        arguments.addAll(List.of("--congestion-of-all", congestion));
        return equal.run(CompareCommand.class, arguments, out, err);
      } catch (IOException e) {
        err.println("skipped: equal conditions, measured as the system is: " + e.getMessage());
      }
    }
    return measure(congestion, out, err);
  }

  /** Runs what the arguments say. */
  public static void main(String[] arguments) {
    System.exit(Commands.run(new CompareCommand(), System.out, System.err, arguments));
  }

  private int measure(String congestion, PrintWriter out, PrintWriter err)
      throws IOException, InterruptedException {
    boolean equal = congestionOfAll != null;
    String others = equal ? congestionOfAll : Machine.systemCongestion();
    Peers peers = Peers.find(new Peers.Own(congestion, quick), folder, others, equal);
    peers.missing().forEach(line -> err.println("skipped: " + line));
    Machine machine = Machine.now(congestion, others);
    measure(peers.present(), tasks(), err);
    Map<String, String> modes = new LinkedHashMap<>();
    peers.present().forEach(peer -> modes.put(peer.name(), peer.mode()));
    Report report = report(machine, modes, peers.missing());
    Path to = output != null ? output : folder.resolveSibling("target").resolve("compare");
    Files.createDirectories(to);
    Files.writeString(to.resolve("report.json"), Format.JSON.render(report));
    Files.writeString(to.resolve("report.txt"), report.text());
    out.println(report.text());
    out.println("written to " + to.toAbsolutePath());
    return failures.isEmpty() ? ExitCode.VERIFIED : ExitCode.FAILURE;
  }

  /**
   * Measures tasks with all peers by turns, so that what the machine does in a minute hits all
   * alike: in each round every peer measures every task once; the first one changes from round to
   * round.
   *
   * @param progress gets what is being measured
   */
  void measure(List<Peer> peers, List<Task> tasks, PrintWriter progress)
      throws InterruptedException {
    List<Peer> order = new ArrayList<>(peers);
    for (int round = 0; round < rounds; round++) {
      for (Task task : tasks) {
        for (Peer peer : order) {
          if (peer.measures().test(task)) {
            progress.printf("round %d of %d: %s, %s%n", round + 1, rounds, task, peer.name());
            progress.flush();
            measure(peer, task, round, progress);
          }
        }
      }
      Collections.rotate(order, 1);
    }
  }

  private void measure(Peer peer, Task task, int round, PrintWriter progress)
      throws InterruptedException {
    try {
      for (Timing timing : peer.measurement().measure(task)) {
        comparison.add(task, round, timing);
      }
    } catch (IOException e) {
      failures.add(peer.name() + ", " + task + ", round " + (round + 1) + ": " + e.getMessage());
      progress.println("  failed: " + e.getMessage());
    }
  }

  /**
   * @param modes of the peers that are there
   * @param missing peers that are not, with what to install
   */
  Report report(Machine machine, Map<String, String> modes, List<String> missing) {
    Report report = new Report(machine);
    if (quick) {
      report.note(
          "A quick run, to see that it works: nothing was warmed up, and no figure says how fast it"
              + " is.");
    }
    List<List<String>> rows = new ArrayList<>();
    modes.forEach((name, mode) -> rows.add(List.of(name, mode)));
    missing.forEach(line -> rows.add(List.of("missing", line)));
    failures.forEach(line -> rows.add(List.of("failed", line)));
    report
        .fact("rounds", rounds)
        .fact("quick", quick)
        .fact("modes", modes)
        .fact("missing", missing)
        .fact("failures", failures)
        .fact("points", comparison.points())
        .sheet("Peers, and how each was run", "", List.of("peer", "mode"), rows);
    comparison.tables(report, rounds);
    return report;
  }

  private List<Task> tasks() {
    List<Task> tasks = new ArrayList<>();
    for (int size : ranks) {
      for (String name : operations) {
        Operation operation = Operations.named(name).orElseThrow();
        tasks.add(new Task(name, size, sizes(operation, size), quick ? QUICK_MILLIS : MILLIS));
      }
    }
    return tasks;
  }

  /** Ascending, without doubles, and as the operation has them: blocks of whole elements. */
  private List<Long> sizes(Operation operation, int size) {
    if (!operation.sized()) {
      return List.of(0L);
    }
    List<Long> usual = quick ? QUICK : operation.name().equals("allreduce") ? MANY : FEW;
    return (sizes != null ? sizes : usual)
        .stream()
            .map(bytes -> operation.count(bytes / Float.BYTES, size) * Float.BYTES)
            .sorted()
            .distinct()
            .toList();
  }

  /**
   * A network namespace in which every socket has one congestion control: libraries that cannot ask
   * for another than the system's are measured under the same conditions as those that do.
   *
   * @param congestion of all sockets that do not ask for another
   */
  record EqualConditions(String congestion) {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Loopback's routes, each with the congestion control; then the command. */
    private static final String ENTER =
        "ip link set lo up && for to in 127.0.0.0/8 127.0.0.1; do ip route change local $to dev lo"
            + " table local proto kernel scope host src 127.0.0.1 congctl $0 || exit 1; done"
            + " && exec \"$@\"";

    /**
     * @throws IOException if this system does not let us make such a namespace, with the reason
     */
    void check() throws IOException, InterruptedException {
      Job.run(PATIENCE, command(List.of("true")));
    }

    /** Runs a main class in the namespace; returns its exit code. */
    int run(Class<?> main, List<String> arguments, PrintWriter out, PrintWriter err)
        throws IOException, InterruptedException {
      List<String> java = Child.java(main);
      java.addAll(arguments);
      CountDownLatch ended = new CountDownLatch(1);
      try (Job job = new Job()) {
        Child child = job.start("compare", new ProcessBuilder(command(java)));
        child.follow(out::println, err::println, end -> ended.countDown());
        ended.await();
        return child.status();
      }
    }

    /** A command that does another in the namespace. */
    List<String> command(List<String> inside) {
      boolean root = "root".equals(System.getProperty("user.name"));
      List<String> all = new ArrayList<>(List.of("unshare", "--net"));
      if (!root) {
        all.add("--map-root-user");
      }
      all.addAll(List.of("sh", "-c", ENTER, congestion));
      all.addAll(inside);
      return all;
    }
  }
}
