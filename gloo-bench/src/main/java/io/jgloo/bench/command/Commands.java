package io.jgloo.bench.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.transport.JGlooException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Reads a command line, runs it, and makes messages and an exit code of how it ends. */
public final class Commands {

  /** A command with picocli's annotations. */
  @FunctionalInterface
  public interface Command {
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

  /** Refuses a value that is less than it may be. */
  public static void requireAtLeast(int least, String option, int value) {
    require(value >= least, option + " must be at least " + least + ", but is " + value);
  }

  /**
   * Returns the known name that a word means, in any case, with or without hyphens.
   *
   * @param what the word is, for the message
   * @throws IllegalArgumentException if there is none
   */
  public static String known(String what, String word, Collection<String> names) {
    return names.stream()
        .filter(name -> plain(name).equals(plain(word)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    what + " is '" + word + "', but must be one of " + String.join(", ", names)));
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
  }

  private static CommandLine parser(Command command) {
    CommandLine parser = new CommandLine(command);
    parser.getCommandSpec().usageMessage().sortOptions(false);
    parser
        .getCommandSpec()
        .addOption(
            OptionSpec.builder("-h", "--help")
                .type(boolean.class)
                .usageHelp(true)
                .description("print this")
                .build());
    return parser.setCaseInsensitiveEnumValuesAllowed(true).setUsageHelpWidth(100);
  }

  /** Reads options that a process has got from its parent. */
  public static void read(Command command, String... arguments) {
    parser(command).parseArgs(arguments);
  }

  /** Runs a command; returns the exit code. */
  public static int run(Command command, PrintStream out, PrintStream err, String... arguments) {
    Logger.getLogger("").setLevel(Level.WARNING);
    PrintWriter report = new PrintWriter(out, false, UTF_8);
    PrintWriter errors = new PrintWriter(err, true, UTF_8);
    CommandLine parser = parser(command);
    try {
      parser.parseArgs(arguments);
      if (parser.isUsageHelpRequested()) {
        parser.usage(report);
        return ExitCode.VERIFIED;
      }
      return command.run(report, errors);
    } catch (ParameterException | IllegalArgumentException e) {
      errors.println("gloo-bench: " + e.getMessage());
      errors.println("Try " + parser.getCommandName() + " --help");
      return ExitCode.USAGE;
    } catch (IOException | JGlooException e) {
      errors.println("gloo-bench: " + e);
      return ExitCode.FAILURE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILURE;
    } finally {
      report.flush();
      errors.flush();
    }
  }
}
