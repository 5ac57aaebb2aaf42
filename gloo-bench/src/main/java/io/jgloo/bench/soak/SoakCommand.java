package io.jgloo.bench.soak;

import static io.jgloo.bench.command.Commands.require;

import io.jgloo.bench.ByteSize;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.Commands.Help;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.SoakReport;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command line of a soak. */
@Command(
    name = "gloo-bench/soak",
    sortOptions = false,
    usageHelpWidth = 100,
    description = {
      "",
      "Starts processes that verify collectives of random kinds, types, sizes and algorithms, and"
          + " kills, stops and cuts them off meanwhile. After each fault a new group is formed. Ranks"
          + " are dealt anew for each group; process 0 is never killed, so that its memory can be"
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
public final class SoakCommand {

  /** What is done to a group while it works. */
  enum Fault {
    /** SIGKILL of one process, which is started anew. */
    KILL(4),
    /** One process is stopped for longer than the timeout of the calls. */
    STOP(1),
    /** One process is stopped for less than a second, which must not be noticed. */
    PAUSE(2),
    /** The connections between two processes are ended by the kernel. */
    CUT(2);

    private final int weight;

    Fault(int weight) {
      this.weight = weight;
    }

    /** How often it is made, in proportion to the others. */
    int weight() {
      return weight;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "1",
      description = "length of the run (default: ${DEFAULT-VALUE}); fractions are allowed")
  double minutes;

  @Option(
      names = "--collectives",
      paramLabel = "N",
      defaultValue = "9223372036854775807",
      description = "end earlier, after this many verified calls")
  long collectives;

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "2147483647",
      description = "end earlier, after this many kills")
  int kills;

  @Option(
      names = "--kill-every",
      paramLabel = "S",
      defaultValue = "10",
      description = "seconds between faults on average (default: ${DEFAULT-VALUE}); 0: no faults")
  double killEvery;

  @Option(
      names = "--faults",
      paramLabel = "F",
      split = ",",
      defaultValue = "kill,stop,pause,cut",
      description =
          "which faults: kill, stop (longer than the timeout), pause (shorter), cut (of connections,"
              + " by ss as root); default: all")
  List<Fault> faults;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      defaultValue = "4",
      description = "processes, 2 to 64 (default: ${DEFAULT-VALUE})")
  int ranks;

  @Option(
      names = "--memory-route",
      paramLabel = "M",
      split = ",",
      defaultValue = "auto,off",
      description =
          "attribute memory of the device, of each group one of these: auto (shared memory), off"
              + " (sockets); default: both")
  List<String> routes;

  @Option(
      names = "--max",
      paramLabel = "BYTES",
      defaultValue = "1M",
      converter = ByteSize.class,
      description = "longest vector (default: ${DEFAULT-VALUE})")
  long mostBytes;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      defaultValue = "32",
      description =
          "most calls of one kind in a row, each with data of its own, of vectors up to 8 KiB"
              + " (default: ${DEFAULT-VALUE})")
  int repeats;

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      description = "of the collectives that have one of this name; default: random ones")
  String algorithm;

  @Option(
      names = "--device-option",
      paramLabel = "A=V",
      description = "attribute of device tcp, for example heartbeat=1000; repeatable")
  Map<String, String> attributes = new LinkedHashMap<>();

  @Option(
      names = "--timeout",
      paramLabel = "S",
      defaultValue = "10",
      description = "timeout of a call, in seconds (default: ${DEFAULT-VALUE})")
  int timeout;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "of all random choices; default: a random one, which is printed")
  Long seed;

  @Option(names = "--format", paramLabel = "F", description = "table (default), json, csv or html")
  private Format format = Format.TABLE;

  @Option(names = "--output", paramLabel = "FILE", description = "write the report there")
  private Path output;

  @Option(names = "--verbose", description = "a line for each fault")
  boolean verbose;

  @Mixin Help help;

  /** Runs what the arguments say. */
  public static void main(String[] arguments) {
    System.exit(run(System.out, System.err, arguments));
  }

  /** Runs what the arguments say; returns the exit code. */
  static int run(PrintStream out, PrintStream err, String... arguments) {
    SoakCommand command = new SoakCommand();
    return Commands.run(command, command::run, out, err, arguments);
  }

  private int run(PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
    require(minutes > 0, "--minutes must be more than 0, but is " + minutes);
    require(killEvery >= 0, "--kill-every must be at least 0, but is " + killEvery);
    require(ranks >= 2 && ranks <= 64, "--ranks must be 2 to 64, but is " + ranks);
    require(repeats >= 1, "--repeats must be at least 1, but is " + repeats);
    require(timeout >= 1, "--timeout must be at least 1, but is " + timeout);
    if (seed == null) {
      seed = new SplittableRandom().nextLong(Integer.MAX_VALUE);
    }
    err.println("gloo-bench: --seed " + seed);
    SoakReport report = new Soak(this, kinds(err), err).run();
    format.write(report, output, out);
    if (!report.wrong().isEmpty()) {
      return ExitCode.WRONG;
    }
    return report.defects().isEmpty() ? ExitCode.VERIFIED : ExitCode.FAILURE;
  }

  /** The faults that can be made here. */
  private Set<Fault> kinds(PrintWriter err) throws InterruptedException {
    Set<Fault> kinds = EnumSet.copyOf(faults);
    if (kinds.contains(Fault.CUT)) {
      try {
        Programs.requireCut();
      } catch (IOException e) {
        kinds.remove(Fault.CUT);
        err.println("gloo-bench: no connections are cut: " + e.getMessage());
      }
    }
    return kinds;
  }
}
