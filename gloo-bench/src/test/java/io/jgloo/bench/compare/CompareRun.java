package io.jgloo.bench.compare;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jgloo.bench.command.Commands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/** The command in this JVM, and what it printed. */
final class CompareRun {

  /** Maven runs the tests of a module in its folder. */
  static final Path PEERS = Path.of("peers").toAbsolutePath();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  int quick(String line) {
    return run("--quick " + line);
  }

  int run(String line) {
    try (PrintStream to = new PrintStream(out, true, UTF_8);
        PrintStream errors = new PrintStream(err, true, UTF_8)) {
      return Commands.run(new CompareCommand(), to, errors, line.trim().split(" +", -1));
    }
  }

  String out() {
    return out.toString(UTF_8);
  }

  String err() {
    return err.toString(UTF_8);
  }

  /** The report that a run wrote to this folder. */
  JsonNode report(Path folder) throws IOException {
    return new ObjectMapper().readTree(folder.resolve("report.json").toFile());
  }
}
