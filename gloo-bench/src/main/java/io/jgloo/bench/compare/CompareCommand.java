package io.jgloo.bench.compare;

import static io.jgloo.bench.command.Commands.require;
import static io.jgloo.bench.command.Commands.requireAtLeast;

import io.jgloo.bench.command.ByteSize;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.command.Names;
import io.jgloo.bench.compare.Peer.Task;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.report.Comparison;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
          + " name. Writes report.json, report.txt and report.csv.",
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

  /** What the others' sockets have. */
  private enum Conditions {
    EQUAL,
    SYSTEM
  }

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
  private Integer rounds;

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

  @Option(
      names = "--conditions",
      paramLabel = "HOW",
      description = {
        "equal: in a network namespace where all have the congestion control that ours chooses, and"
            + " no rank is bound to a core (default);",
        "system: as a user finds the system, and as mpirun binds"
      })
  private Conditions conditions = Conditions.EQUAL;

  /** What all sockets of this namespace have, where {@link EqualConditions} started this. */
  @Option(names = "--congestion-of-all", hidden = true)
  private String congestionOfAll;

  @Option(names = "--quick", description = "one short round: to see that it works, not how fast")
  private boolean quick;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "(default: gloo-bench/target/compare)")
  private Path output;

  @Option(names = "--peers", paramLabel = "DIR", description = "sources of the peers' drivers")
  private Path folder = Path.of("gloo-bench", "peers");

  @Spec private CommandSpec spec;

  @Override
  public int run(PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
    ranks = ranks != null ? ranks : quick ? List.of(2) : List.of(2, 4);
    rounds = rounds != null ? rounds : quick ? 1 : 5;
    require(ranks.stream().allMatch(n -> n >= 2 && n <= 64), "--ranks must be 2 to 64");
    requireAtLeast(1, "--rounds", rounds);
    List<String> known = Operations.all().stream().map(Operation::name).toList();
    operations = operations.stream().map(op -> Names.known("--operations", op, known)).toList();
    require(
        sizes == null || sizes.stream().allMatch(bytes -> bytes % Float.BYTES == 0),
        "--sizes must be multiples of 4: elements are float32");
    String congestion = Machine.hostCongestion();
    if (conditions == Conditions.EQUAL && congestionOfAll == null) {
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
    Peers peers = Peers.find(new OwnPeers(congestion, quick), folder, others, equal);
    peers.missing().forEach(line -> err.println("skipped: " + line));
    Machine machine = Machine.now(congestion, others);
    Rounds measured = new Rounds(peers.present(), tasks(), err);
    measured.run(rounds);
    Map<String, String> modes = new LinkedHashMap<>();
    peers.present().forEach(peer -> modes.put(peer.name(), peer.mode()));
    Comparison results =
        new Comparison(
            machine,
            rounds,
            quick,
            modes,
            peers.missing(),
            measured.failures(),
            Points.of(measured.samples()));
    Path to = output != null ? output : folder.resolveSibling("target").resolve("compare");
    Files.createDirectories(to);
    Files.writeString(to.resolve("report.json"), Format.JSON.render(results));
    Files.writeString(to.resolve("report.txt"), results.text());
    Files.writeString(to.resolve("report.csv"), results.csv());
    out.println(results.text());
    out.println("written to " + to.toAbsolutePath());
    return results.failures().isEmpty() ? ExitCode.VERIFIED : ExitCode.FAILURE;
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
}
