package io.jgloo.bench.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.transport.JGlooException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Reads a command line, runs it, and makes messages and an exit code of how it ends. */
public final class Commands {

  /** What a command does with its options. */
  @FunctionalInterface
  public interface Body {
    /** Returns the exit code. */
    int run() throws IOException, InterruptedException;
  }

  /** A command behind the first word of a command line, with picocli's annotations. */
  @FunctionalInterface
  public interface Subcommand {
    /** Returns the exit code. */
    int run(PrintWriter out) throws IOException, InterruptedException;
  }

  /** The option {@code --help}, for picocli to mix into a command. */
  public static final class Help {
    @SuppressWarnings("UnusedVariable") // read by picocli
    @Option(names = "--help", usageHelp = true, description = "this text")
    private boolean help;
  }

  /** The same with the streams that it writes to. */
  @FunctionalInterface
  public interface Program {
    /** Returns the exit code. */
    int run(PrintWriter out, PrintWriter err) throws IOException, InterruptedException;
  }

  private Commands() {}

  /** Throws an exception with this message, which the user sees, unless an option is good. */
  public static void require(boolean good, String message) {
    if (!good) {
      throw new IllegalArgumentException(message);
    }
  }

  /**
   * Runs a command that is a program of its own: warnings are logged, and errors are written at
   * once.
   *
   * @param options with picocli's annotations
   */
  public static int run(
      Object options, Program program, PrintStream out, PrintStream err, String... arguments) {
    Logger.getLogger("").setLevel(Level.WARNING);
    PrintWriter errors = new PrintWriter(err, true, UTF_8);
    PrintWriter report = new PrintWriter(out, false, UTF_8);
    return run(options, () -> program.run(report, errors), report, errors, arguments);
  }

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
    } catch (IOException | JGlooException e) {
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
