package io.jgloo.bench.compare;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.bench.ExitCode;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

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
    CommandLine parser = new CommandLine(options).setCaseInsensitiveEnumValuesAllowed(true);
    try {
      parser.parseArgs(arguments);
      if (parser.isUsageHelpRequested()) {
        parser.usage(out);
        return ExitCode.VERIFIED;
      }
      options.check();
      Logger.getLogger("").setLevel(Level.WARNING);
      return run(options);
    } catch (ParameterException | IllegalArgumentException e) {
      err.println("gloo-bench: " + e.getMessage() + "\nTry gloo-bench/compare --help");
      return ExitCode.USAGE;
    } catch (IOException e) {
      err.println("gloo-bench: " + e);
      return ExitCode.FAILURE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILURE;
    }
  }

  private int run(CompareOptions options) throws IOException, InterruptedException {
    String congestion = Machine.hostCongestion();
    Peers peers =
        Peers.find(options.peers(), congestion, Machine.systemCongestion(), options.quick());
    peers.missing().forEach(line -> err.println("skipped: " + line));
    Results results = new Comparison(options, peers, congestion, err).run();
    ReportFiles files = new ReportFiles(results, options.output());
    files.write();
    if (options.update() != null) {
      files.update(options.update());
    }
    out.print(files.text());
    out.println();
    out.println("written to " + options.output().toAbsolutePath());
    return results.failures().isEmpty() ? ExitCode.VERIFIED : ExitCode.FAILURE;
  }
}
