package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process: a tool of the JDK, or an application as a user starts it. Its output is in a file,
 * because a process that does not end would keep a reader of a pipe too.
 */
record Program(List<String> command, Process process, Path output) implements AutoCloseable {

  private static final Pattern OPTION =
      Pattern.compile("^(--enable-native-access=\\S+)$", Pattern.MULTILINE);
  private static final int DENIED_SINCE = 24;
  private static final int PATIENCE_SECONDS = 500;

  /** Status and output of a process that has ended. */
  record Outcome(int status, String output) {}

  /** Starts the command that the parts form. */
  static Program start(Path folder, List<List<String>> parts) throws IOException {
    List<String> command = parts.stream().flatMap(List::stream).toList();
    Path output = Files.createTempFile(folder, "output", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    return new Program(command, builder.redirectOutput(output.toFile()).start(), output);
  }

  /** Starts it and waits for its end. */
  static Outcome run(Path folder, List<List<String>> parts) throws Exception {
    try (Program program = start(folder, parts)) {
      return program.end();
    }
  }

  /** Waits for its end. */
  Outcome end() throws Exception {
    boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertTrue(ended, () -> command + " has not ended");
    return new Outcome(process.exitValue(), Files.readString(output));
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /**
   * What docs/operations.md tells for JDK 24 and later, where the test then forbids all else.
   *
   * @param which 0 for the class path, 1 for the module path
   */
  static List<String> documentedOptions(int which) throws IOException {
    List<String> options =
        new ArrayList<>(
            List.of("-Duser.language=en", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    if (Runtime.version().feature() >= DENIED_SINCE) {
      Matcher page = OPTION.matcher(Files.readString(PageCode.page("docs/operations.md")));
      List<String> found = page.results().map(option -> option.group(1)).toList();
      assertEquals(2, found.size(), "options for class path and module path");
      options.addAll(List.of("--illegal-native-access=deny", found.get(which)));
    }
    return options;
  }

  static String joined(List<String> entries) {
    return String.join(File.pathSeparator, entries);
  }

  static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }
}
