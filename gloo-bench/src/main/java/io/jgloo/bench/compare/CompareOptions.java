package io.jgloo.bench.compare;

import static io.jgloo.bench.command.Commands.require;

import io.jgloo.bench.ByteSize;
import io.jgloo.bench.Names;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@code gloo-bench/compare}. */
@Command(
    name = "gloo-bench/compare",
    sortOptions = false,
    usageHelpWidth = 100,
    abbreviateSynopsis = true,
    description = {
      "",
      "Measures this library beside C++ Gloo, Open MPI, MPICH and a C loop that shows the kernel's"
          + " limit: the same operations, sizes and ranks, by turns, in several rounds. Builds"
          + " their drivers from gloo-bench/peers; a peer whose packages are missing is skipped by"
          + " name. Writes report.json, and from it report.txt, report.csv, report.html and"
          + " report.md.",
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
final class CompareOptions {

  /** What the others' sockets have. */
  enum Conditions {
    EQUAL,
    SYSTEM;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final int QUICK_MILLIS = 10;
  private static final int MILLIS = 300;

  @Option(names = "--ranks", paramLabel = "N", split = ",", description = "(default: 2,4)")
  private List<Integer> ranks;

  @Option(names = "--rounds", paramLabel = "N", description = "(default: 5)")
  private Integer rounds;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "begin no further round of peers that would end later (default: no limit)")
  int minutes = 24 * 60;

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
  private List<String> operations;

  @Option(
      names = "--conditions",
      paramLabel = "HOW",
      description = {
        "equal: in a network namespace where all have the congestion control that ours chooses, and"
            + " no rank is bound to a core (default);",
        "system: as a user finds the system, and as mpirun binds"
      })
  Conditions conditions = Conditions.EQUAL;

  /** Set by {@link EqualConditions}: what all sockets of this namespace have. */
  @Option(names = "--congestion-of-all", hidden = true)
  String congestionOfAll;

  @Option(names = "--quick", description = "one short round: to see that it works, not how fast")
  boolean quick;

  /**
   * Our ranks are threads of one JVM. For tests of what is reported: a process per rank costs most
   * of a quick run.
   */
  @Option(names = "--threads", hidden = true)
  boolean threads;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "(default: gloo-bench/target/compare)")
  private Path output;

  @Option(names = "--peers", paramLabel = "DIR", description = "sources of the peers' drivers")
  Path peers = Path.of("gloo-bench", "peers");

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "print this")
  boolean help;

  /**
   * @throws IllegalArgumentException if a value has no meaning
   */
  void check() {
    require(ranks().stream().allMatch(n -> n >= 2 && n <= 64), "--ranks must be 2 to 64");
    require(rounds() >= 1, "--rounds must be at least 1");
    require(minutes >= 1, "--minutes must be at least 1");
    List<String> known = Operations.all().stream().map(Operation::name).toList();
    operations = operations().stream().map(op -> Names.known("--operations", op, known)).toList();
    require(
        sizes == null || sizes.stream().allMatch(bytes -> bytes % Float.BYTES == 0),
        "--sizes must be multiples of 4: elements are float32");
  }

  List<Integer> ranks() {
    return ranks != null ? ranks : quick ? List.of(2) : List.of(2, 4);
  }

  int rounds() {
    return rounds != null ? rounds : quick ? 1 : 5;
  }

  /** Ascending, without doubles. */
  List<Long> sizes(String operation) {
    List<Long> others = List.of(4L, 4096L, 65_536L, 1L << 20);
    List<Long> all =
        List.of(4L, 64L, 1024L, 4096L, 65_536L, 1L << 20, 4L << 20, 16L << 20, 64L << 20);
    List<Long> wanted = sizes;
    if (wanted == null) {
      wanted = quick ? List.of(4L, 65_536L) : operation.equals("allreduce") ? all : others;
    }
    return wanted.stream().sorted().distinct().toList();
  }

  /** Those that others have too. */
  List<String> operations() {
    return operations != null
        ? operations
        : Operations.all().stream()
            .map(Operation::name)
            .filter(Peers.OPERATIONS::contains)
            .toList();
  }

  /** How long the timed calls of one size should take. */
  int millis() {
    return quick ? QUICK_MILLIS : MILLIS;
  }

  Path output() {
    return output != null ? output : peers.resolveSibling("target").resolve("compare");
  }
}
