package io.jgloo.bench;

import io.jgloo.transport.GlooException;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Reads a command line, runs it, and makes messages and an exit code of how it ends. */
public final class Commands {

  /** What a command does with its options. */
  @FunctionalInterface
  public interface Body {
    /** Returns the exit code. */
    int run() throws IOException, InterruptedException;
  }

  private Commands() {}

  /**
   * Runs a command.
   *
   * @param options with picocli's annotations
   */
  public static int run(
      Object options, Body body, PrintWriter out, PrintWriter err, String... arguments) {
    CommandLine parser = new CommandLine(options).setCaseInsensitiveEnumValuesAllowed(true);
    try {
      parser.parseArgs(arguments);
      if (parser.isUsageHelpRequested()) {
        parser.usage(out);
        return ExitCode.VERIFIED;
      }
      return body.run();
    } catch (ParameterException | IllegalArgumentException e) {
      err.println("gloo-bench: " + e.getMessage());
      err.println("Try " + parser.getCommandName() + " --help");
      return ExitCode.USAGE;
    } catch (IOException | GlooException e) {
      err.println("gloo-bench: " + e);
      return ExitCode.FAILURE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILURE;
    } finally {
      out.flush();
      err.flush();
    }
  }
}
