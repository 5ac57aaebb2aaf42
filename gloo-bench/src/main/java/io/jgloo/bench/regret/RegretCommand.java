package io.jgloo.bench.regret;

import static io.jgloo.bench.command.Commands.require;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.ByteSize;
import io.jgloo.bench.Names;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.Commands.Help;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.Machine;
import io.jgloo.bench.report.RegretReport;
import io.jgloo.transport.DeviceOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command line of one rank of a measurement of the choice of algorithms. */
@Command(
    name = "gloo-bench/regret",
    sortOptions = false,
    usageHelpWidth = 100,
    abbreviateSynopsis = true,
    description = {
      "",
      "One rank of a job that calibrates the cost model, then times all algorithms of each"
          + " operation and size by turns, and compares them: with what the model predicts, and the"
          + " algorithm that it chooses with the fastest (regret). Without --rank the script starts"
          + " such a job on hosts joined by limited links.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:measured, and every result is right",
      "1:a result is wrong",
      "2:the command line has an error",
      "3:something failed"
    })
public final class RegretCommand {
  /** Operations that can be measured. */
  static final List<String> OPERATIONS = List.of("allreduce", "broadcast", "allgather");

  @Option(names = "--rank", paramLabel = "R", required = true, description = "be rank R")
  private int rank;

  @Option(names = "--size", paramLabel = "N", required = true, description = "... of N ranks")
  private int size;

  @Option(
      names = "--store",
      paramLabel = "URL",
      required = true,
      description = "... that meet there")
  private String store;

  @Option(
      names = "--operations",
      paramLabel = "OP",
      split = ",",
      defaultValue = "allreduce,broadcast,allgather",
      description = "(default: ${DEFAULT-VALUE})")
  private List<String> operations;

  @Option(
      names = "--sizes",
      paramLabel = "SIZE",
      split = ",",
      converter = ByteSize.class,
      defaultValue = "4,1K,16K,64K,256K,1M,4M,16M",
      description = "bytes of a vector, of all blocks together (default: ${DEFAULT-VALUE})")
  private List<Long> sizes;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "of each algorithm once, after one that is verified (default: 5)")
  private int rounds;

  @Option(
      names = "--device-option",
      paramLabel = "A=V",
      description = "attribute of device tcp; repeatable")
  private Map<String, String> attributes = new LinkedHashMap<>();

  @Option(
      names = "--network",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "what the report says about the network")
  private String network;

  @Option(
      names = "--timeout",
      paramLabel = "S",
      defaultValue = "60",
      description = "seconds a call, and connecting, may take (default: 60)")
  private int timeout;

  @Option(names = "--format", paramLabel = "F", description = "table (default), json, csv or html")
  private Format format = Format.TABLE;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "write the report there as JSON, and in the format to the screen")
  private Path output;

  @Mixin Help help;

  /** Runs what the arguments say. */
  public static void main(String[] arguments) {
    System.exit(run(System.out, System.err, arguments));
  }

  /** Runs what the arguments say; returns the exit code. */
  static int run(PrintStream out, PrintStream err, String... arguments) {
    RegretCommand command = new RegretCommand();
    return Commands.run(command, (report, errors) -> command.run(report), out, err, arguments);
  }

  private int run(PrintWriter out) throws IOException, InterruptedException {
    require(size >= 2, "--size must be at least 2, but is " + size);
    require(rounds >= 1, "--rounds must be at least 1, but is " + rounds);
    require(timeout >= 1, "--timeout must be at least 1, but is " + timeout);
    require(
        sizes.stream().allMatch(bytes -> bytes % Float.BYTES == 0),
        "--sizes must be multiples of 4: elements are float32");
    List<String> known =
        operations.stream().map(name -> Names.known("--operations", name, OPERATIONS)).toList();
    try (ProcessGroup group = connect()) {
      RegretRank measured = new RegretRank(group, rounds);
      List<RegretReport.Point> points = measured.points(known, sizes);
      if (rank == 0) {
        print(out, measured.report(points, network, Machine.now()));
      }
      group.barrier(); // no rank leaves while another still has something to send
      return measured.errors() == 0 ? ExitCode.VERIFIED : ExitCode.WRONG;
    }
  }

  private ProcessGroup connect() {
    return ProcessGroup.builder()
        .name("regret")
        .rank(rank)
        .size(size)
        .store(store)
        .device("tcp", DeviceOptions.of(attributes))
        .timeout(Duration.ofSeconds(timeout))
        .connectTimeout(Duration.ofSeconds(timeout))
        .connect();
  }

  private void print(PrintWriter out, RegretReport report) throws IOException {
    out.print(format.render(report));
    out.flush();
    if (output != null) {
      Files.writeString(output, Format.JSON.render(report));
    }
  }
}
