package io.jgloo.bench.soak;

import static io.jgloo.bench.command.Commands.require;
import static io.jgloo.bench.command.Commands.requireAtLeast;

import io.jgloo.bench.command.ByteSize;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.report.Format;
import java.io.IOException;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command line of a soak. */
@Command(
    name = "gloo-bench/soak",
    description = {
      "",
      "Starts processes that verify collectives of random kinds, types, sizes and algorithms, and"
          + " kills, stops and cuts them off meanwhile. After each fault a new group is formed."
          + " Ranks are dealt anew for each group; process 0 is never killed, so that its memory"
          + " can be watched.",
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

  /** Faults of a group while it works. */
  enum Fault {
    /** SIGKILL of one process, which is started anew. */
    KILL(4),

    /** One process is stopped for longer than the timeout of the calls. */
    STOP(1),

    /** One process is stopped for less than a second, which must not be noticed. */
    PAUSE(2),

    /** The connections between two processes are ended by the kernel. */
    CUT(2);

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
  double minutes = 1;

  @Option(names = "--collectives", description = "end earlier, after so many verified calls")
  long collectives = Long.MAX_VALUE;

  @Option(names = "--kills", description = "end earlier, after so many kills")
  int kills = Integer.MAX_VALUE;

  @Option(
      names = "--kill-every",
      description = "seconds between faults on average (default: 10); 0: no faults")
  double killEvery = 10;

  @Option(
      names = "--faults",
      split = ",",
      description =
          "which faults: kill, stop (longer than the timeout), pause (shorter), cut (of"
              + " connections, by ss as root); default: all")
  private List<Fault> faults = List.of(Fault.values());

  @Option(names = "--ranks", description = "processes, 2 to 64 (default: 4)")
  int ranks = 4;

  @Option(
      names = "--memory-route",
      split = ",",
      description =
          "attribute memory of the device, of each group one of these: auto (shared memory), off"
              + " (sockets); default: both")
  List<String> routes = List.of("auto", "off");

  @Option(names = "--max", converter = ByteSize.class, description = "longest vector (default: 1M)")
  long mostBytes = 1 << 20;

  @Option(
      names = "--repeats",
      description = "most calls of one kind in a row, of vectors up to 8 KiB (default: 32)")
  int repeats = 32;

  @Option(names = "--algorithm", description = "where there is one; default: random ones")
  String algorithm;

  @Option(
      names = "--device-option",
      description = "attribute of device tcp, for example heartbeat=1000; repeatable")
  Map<String, String> attributes = new LinkedHashMap<>();

  @Option(names = "--timeout", description = "timeout of a call, in seconds (default: 10)")
  int timeout = 10;

  @Option(names = "--seed", description = "of all choices; default: a random one, printed")
  long seed = new SplittableRandom().nextLong(Integer.MAX_VALUE);

  @Option(names = "--port", hidden = true)
  int port;

  @Option(names = "--format", description = Format.OPTION)
  private Format format = Format.TABLE;

  @Option(names = "--output", paramLabel = "FILE", description = "write the report there")
  private Path output;

  @Option(names = "--verbose", description = "a line for each fault")
  boolean verbose;

  @Spec private CommandSpec spec;

  @Override
  public int run(PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
    require(minutes > 0, "--minutes must be more than 0, but is " + minutes);
    require(killEvery >= 0, "--kill-every must be at least 0, but is " + killEvery);
    require(ranks >= 2 && ranks <= 64, "--ranks must be 2 to 64, but is " + ranks);
    requireAtLeast(1, "--repeats", repeats);
    requireAtLeast(1, "--timeout", timeout);
    err.println("gloo-bench: --seed " + seed);
    SoakTally tally =
        new Soak(this, spec.commandLine().getParseResult().originalArgs(), kinds(err), err).run();
    format.write(tally.report(seed, ranks), output, out);
    if (!tally.wrong().isEmpty()) {
      return ExitCode.WRONG;
    }
    return tally.defects().isEmpty() ? ExitCode.VERIFIED : ExitCode.FAILURE;
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
