package io.jgloo.bench.compare;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.compare.CompareOptions.Conditions;
import io.jgloo.bench.report.Comparison;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Measures this library beside others and writes the report. */
public final class CompareMain {
  private final PrintWriter out;
  private final PrintWriter err;

  CompareMain(PrintStream out, PrintStream err) {
    this.out = new PrintWriter(out, true, UTF_8);
    this.err = new PrintWriter(err, true, UTF_8);
  }

  /** Does what the arguments say. */
  public static void main(String[] arguments) {
    System.exit(new CompareMain(System.out, System.err).run(arguments));
  }

  /** Does what the arguments say; returns the exit code. */
  int run(String... arguments) {
    CompareOptions options = new CompareOptions();
    return Commands.run(options, () -> run(options, arguments), out, err, arguments);
  }

  private int run(CompareOptions options, String... arguments)
      throws IOException, InterruptedException {
    options.check();
    Logger.getLogger("").setLevel(Level.WARNING);
    String congestion = Machine.hostCongestion();
    if (options.conditions == Conditions.EQUAL && options.congestionOfAll == null) {
      EqualConditions equal = new EqualConditions(congestion);
      try {
        equal.check();
        List<String> inside = new ArrayList<>(List.of(arguments));
        inside.addAll(List.of("--congestion-of-all", congestion));
        return equal.run(CompareMain.class, inside, out, err);
      } catch (IOException e) {
        err.println("skipped: equal conditions, measured as the system is: " + e.getMessage());
      }
    }
    return measure(options, congestion);
  }

  private int measure(CompareOptions options, String congestion)
      throws IOException, InterruptedException {
    boolean equal = options.congestionOfAll != null;
    String others = equal ? options.congestionOfAll : Machine.systemCongestion();
    OwnPeers own = new OwnPeers(congestion, options.quick, options.threads);
    Peers peers = Peers.find(own, options.peers, others, equal);
    peers.missing().forEach(line -> err.println("skipped: " + line));
    Machine machine = Machine.now(congestion, others);
    Comparison results = new CompareProgram(options, peers, machine, err).run();
    Path folder = options.output();
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("report.json"), Format.JSON.render(results));
    Files.writeString(folder.resolve("report.txt"), Format.TABLE.render(results));
    Files.writeString(folder.resolve("report.csv"), Format.CSV.render(results));
    Files.writeString(folder.resolve("report.html"), Format.HTML.render(results));
    Files.writeString(folder.resolve("report.md"), results.markdown());
    out.println(Format.TABLE.render(results));
    out.println("written to " + folder.toAbsolutePath());
    return results.failures().isEmpty() ? ExitCode.VERIFIED : ExitCode.FAILURE;
  }
}
