package io.jgloo.bench.soak;

import static io.jgloo.bench.command.Commands.require;

import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.Commands.Help;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.KillReport;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command line of a measurement of what ranks see when a process of several ranks is lost. */
@Command(
    name = "gloo-bench/kill",
    sortOptions = false,
    usageHelpWidth = 100,
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
public final class KillCommand {
  @Option(
      names = "--ranks",
      paramLabel = "N",
      defaultValue = "64",
      description = "(default: ${DEFAULT-VALUE})")
  int ranks;

  @Option(
      names = "--processes",
      paramLabel = "N",
      defaultValue = "8",
      description = "that the ranks are in, the first ranks in the first (default: 8)")
  int processes;

  @Option(
      names = "--calls",
      paramLabel = "N",
      defaultValue = "5",
      description = "verified at every rank before the process is killed (default: 5)")
  int calls;

  @Option(
      names = "--timeout",
      paramLabel = "S",
      defaultValue = "120",
      description = "seconds of a call, of connecting and of forming the new group (default: 120)")
  int timeout;

  @Option(
      names = "--device-option",
      paramLabel = "A=V",
      description = "attribute of device tcp, for example connecting=eager; repeatable")
  Map<String, String> attributes = new LinkedHashMap<>();

  @Option(names = "--format", paramLabel = "F", description = "table (default), json, csv or html")
  private Format format = Format.TABLE;

  @Mixin Help help;

  /** Runs what the arguments say. */
  public static void main(String[] arguments) {
    System.exit(run(System.out, System.err, arguments));
  }

  /** Runs what the arguments say; returns the exit code. */
  static int run(PrintStream out, PrintStream err, String... arguments) {
    KillCommand command = new KillCommand();
    return Commands.run(command, command::run, out, err, arguments);
  }

  private int run(PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
    require(processes >= 2, "--processes must be at least 2, but is " + processes);
    require(
        ranks >= processes,
        "--ranks must be at least the " + processes + " processes, but is " + ranks);
    require(calls >= 1, "--calls must be at least 1, but is " + calls);
    require(timeout >= 1, "--timeout must be at least 1, but is " + timeout);
    KillReport report = new Kill(this).run();
    out.print(format.render(report));
    report.defects().forEach(defect -> err.println("gloo-bench: " + defect));
    if (report.wrong() > 0) {
      return ExitCode.WRONG;
    }
    return report.defects().isEmpty() ? ExitCode.VERIFIED : ExitCode.FAILURE;
  }
}
