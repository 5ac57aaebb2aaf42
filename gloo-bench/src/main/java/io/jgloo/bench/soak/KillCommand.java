package io.jgloo.bench.soak;

import static io.jgloo.bench.command.Commands.require;
import static io.jgloo.bench.command.Commands.requireAtLeast;

import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.Commands.Help;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.report.Format;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command line of a measurement of what ranks see when a process of several ranks is lost. */
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
  @Option(names = "--ranks", description = "of all processes")
  int ranks = 64;

  @Option(names = "--processes", description = "that the ranks are in, the first in the first")
  int processes = 8;

  @Option(names = "--calls", description = "verified at every rank before the process is killed")
  int calls = 5;

  @Option(
      names = "--timeout",
      description = "seconds of a call, of connecting and of forming the new group")
  int timeout = 120;

  @Option(
      names = "--device-option",
      paramLabel = "NAME=VALUE",
      description = "attribute of device tcp, for example connecting=eager; repeatable")
  Map<String, String> attributes = new LinkedHashMap<>();

  @Option(names = "--format", description = Format.OPTION)
  private Format format = Format.TABLE;

  @Mixin private Help help;

  @Override
  public int run(PrintWriter out, PrintWriter err) throws IOException, InterruptedException {
    requireAtLeast(2, "--processes", processes);
    require(
        ranks >= processes,
        "--ranks must be at least the " + processes + " processes, but is " + ranks);
    requireAtLeast(1, "--calls", calls);
    requireAtLeast(1, "--timeout", timeout);
    Kill kill = new Kill(this);
    out.print(format.render(kill.run()));
    kill.defects().forEach(defect -> err.println("gloo-bench: " + defect));
    if (kill.wrong() > 0) {
      return ExitCode.WRONG;
    }
    return kill.defects().isEmpty() ? ExitCode.VERIFIED : ExitCode.FAILURE;
  }
}
