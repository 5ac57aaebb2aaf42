package io.jgloo.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.bench.jar.Bench;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command line as a process of its own, and the ranks it starts. */
final class BenchProcess implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 90;

  private final Process process;
  private final BufferedReader out;
  private final Path err;

  private BenchProcess(Process process, Path err) {
    this.process = process;
    this.err = err;
    out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  static BenchProcess start(Path folder, String line) throws IOException {
    return start(Bench.class, folder, line);
  }

  static BenchProcess start(Class<?> main, Path folder, String line) throws IOException {
    return start(main, folder, line, Map.of());
  }

  static BenchProcess start(Class<?> main, Path folder, String line, Map<String, String> variables)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    // Else JVMs that start at the same time meet in /tmp and warn of it on standard output.
    command.addAll(List.of("-XX:-UsePerfData", "-Xlog:disable", "-Xlog:all=warning:stderr"));
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED"); // as the launch script does
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(line.trim().split(" +", -1)));
    Path err = Files.createTempFile(folder, "stderr", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
    builder.environment().putAll(variables);
    return new BenchProcess(builder.start(), err);
  }

  /** Waits for a line that begins like that. */
  String awaitLine(String beginning) throws IOException {
    String line = out.readLine();
    while (line != null && !line.startsWith(beginning)) {
      line = out.readLine();
    }
    if (line == null) {
      throw new AssertionError("it ended without '" + beginning + "': " + err());
    }
    return line;
  }

  /** The next line of the table that is no comment. */
  String row() throws IOException {
    String line = out.readLine();
    while (line != null && line.startsWith("#")) {
      line = out.readLine();
    }
    return line;
  }

  /** All further lines of the table that are no comments. */
  List<String> rows() throws IOException {
    List<String> rows = new ArrayList<>();
    for (String row = row(); row != null; row = row()) {
      rows.add(row);
    }
    return rows;
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("still runs");
    }
    return process.exitValue();
  }

  String err() throws IOException {
    return Files.readString(err);
  }

  /** The processes that are its ranks. */
  List<ProcessHandle> ranks() {
    return process.children().toList();
  }

  ProcessHandle rank(int rank) {
    return process
        .children()
        .filter(child -> commandLine(child).contains("\0--child\0" + rank + "\0"))
        .findFirst()
        .orElseThrow();
  }

  /** Each argument with a 0 behind it; {@link ProcessHandle} has none beyond 4096 bytes. */
  private static String commandLine(ProcessHandle child) {
    try {
      return Files.readString(Path.of("/proc/" + child.pid() + "/cmdline"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a signal by its short name. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
    if (!kill.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new AssertionError("no " + name + " could be sent");
    }
  }

  /** Closes its standard input. */
  void endInput() throws IOException {
    process.getOutputStream().close();
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly();
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
