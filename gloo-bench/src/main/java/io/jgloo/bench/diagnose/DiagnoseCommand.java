package io.jgloo.bench.diagnose;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.jgloo.bench.command.Commands;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Says where each rank of a job is, from the calls that the ranks have dumped. */
@Command(
    name = "gloo-bench/run diagnose",
    description = {
      "Compares the calls that ranks have dumped (GLOO_DUMP_DIR, signal USR1, dumpCalls): at which",
      "call each rank is, which dumps are missing, and where the ranks disagree."
    })
public final class DiagnoseCommand implements Commands.Command {
  @Parameters(paramLabel = "DUMPS", arity = "1..*", description = "files, or directories of them")
  private List<Path> paths;

  @Override
  public int run(PrintWriter out, PrintWriter err) throws IOException {
    Dump.readAll(paths).stream()
        .collect(groupingBy(Dump::groupName, TreeMap::new, toList()))
        .values()
        .forEach(dumps -> new Diagnosis(dumps).lines().forEach(out::println));
    return 0;
  }
}
