package io.jgloo.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.bench.command.Commands;
import io.jgloo.bench.jar.Bench;
import io.jgloo.bench.operation.Operation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;

/**
 * A command line run in this JVM, and what came of it.
 *
 * @param code exit code
 * @param out standard output
 * @param err standard error
 */
public record Invocation(int code, String out, String err) {

  /** Runs the command line of the jar. */
  public static Invocation of(String... arguments) {
    return of(Bench::run, arguments);
  }

  /** Runs operations that are not in the table. */
  static Invocation of(List<Operation> operations, String... arguments) {
    return of(
        (out, err, line) -> Commands.run(new Main(Main.class, operations), out, err, line),
        arguments);
  }

  private interface Program {
    int run(PrintStream out, PrintStream err, String... arguments);
  }

  private static Invocation of(Program program, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        program.run(
            new PrintStream(out, false, UTF_8), new PrintStream(err, false, UTF_8), arguments);
    return new Invocation(code, out.toString(UTF_8), err.toString(UTF_8));
  }

  /** The lines of the table that are not comments, as cells. */
  List<List<String>> rows() {
    return out.lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> List.of(line.trim().split(" +", -1)))
        .toList();
  }
}
