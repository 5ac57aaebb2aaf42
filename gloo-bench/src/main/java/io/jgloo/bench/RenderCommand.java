package io.jgloo.bench;

import io.jgloo.bench.report.Format;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Renders a JSON document that a run or a comparison has written. */
@Command(
    name = "gloo-bench/run render",
    sortOptions = false,
    description = "Prints a JSON document of gloo-bench/run or gloo-bench/compare in another form.")
final class RenderCommand {
  /** First word of the command line. */
  static final String NAME = "render";

  @Parameters(paramLabel = "FILE", description = "result.json of run, or report.json of compare")
  private Path file;

  @Option(names = "--format", paramLabel = "F", description = "table (default), json, csv or html")
  private Format format = Format.TABLE;

  @SuppressWarnings("UnusedVariable") // read by picocli
  @Option(names = "--help", usageHelp = true, description = "this text")
  private boolean help;

  int run(PrintWriter out) throws IOException {
    out.print(format.render(Format.read(Files.readString(file))));
    return ExitCode.VERIFIED;
  }
}
