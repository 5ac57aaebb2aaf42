package io.jgloo.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.transport.ShortJvm;
import io.jgloo.transport.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A JVM that runs the program of one rank, reads lines and answers with lines.
 *
 * <p><i>Fails</i>: a wait for a line that does not come throws, with the child's thread dump and
 * its log.
 */
final class RankProcess implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 100;
  private static final long DUMP_SECONDS = 3;
  private static final String END = "the end of the output";

  private final int rank;
  private final Process process;
  private final Path log;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private RankProcess(int rank, Process process, Path log) {
    this.rank = rank;
    this.process = process;
    this.log = log;
    Thread reader = new Thread(this::read, "output-of-rank-" + rank);
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts the program; the first of its arguments is the rank. */
  static RankProcess start(int rank, Path folder, Class<?> program, Object... arguments)
      throws IOException {
    return start(List.of(), rank, folder, program, arguments);
  }

  /** The same with further options of the JVM. */
  static RankProcess start(
      List<String> options, int rank, Path folder, Class<?> program, Object... arguments)
      throws IOException {
    List<String> command = ShortJvm.command("-Xmx256m");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.add("" + rank);
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Path log = folder.resolve("rank-" + rank + ".log");
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    return new RankProcess(rank, process, log);
  }

  private void read() {
    try (BufferedReader output = process.inputReader(UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add("output cannot be read: " + e);
    }
    lines.add(END);
  }

  int rank() {
    return rank;
  }

  long pid() {
    return process.pid();
  }

  /** What follows this word in the next line, which must begin with it. */
  String answer(String word) throws IOException, InterruptedException {
    String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (line == null) {
      throw new AssertionError("rank " + rank + " does not say '" + word + "':\n" + dump());
    }
    if (!line.startsWith(word)) {
      throw new AssertionError(
          "rank " + rank + " says '" + line + "', not '" + word + "':\n" + Files.readString(log));
    }
    return line.substring(word.length()).trim();
  }

  /** Whether everything it has said so far has been taken. */
  boolean isSilent() {
    return lines.isEmpty();
  }

  void write(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(UTF_8));
    process.getOutputStream().flush();
  }

  /** Sends a signal by its short name. */
  void signal(String name) throws IOException, InterruptedException {
    Signals.send(process.pid(), name);
  }

  /** SIGKILL; returns the instant just before it was sent. */
  long kill() {
    long instant = System.nanoTime();
    process.destroyForcibly();
    return instant;
  }

  int exitCode() throws IOException, InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("rank " + rank + " does not exit:\n" + dump());
    }
    return process.exitValue();
  }

  /** The stacks of all its threads, as a JVM prints them on SIGQUIT, and its log. */
  private String dump() throws IOException, InterruptedException {
    StringBuilder text = new StringBuilder();
    if (process.isAlive()) {
      signal("QUIT");
      for (String line = ""; line != null; line = lines.poll(DUMP_SECONDS, TimeUnit.SECONDS)) {
        text.append(line).append('\n');
      }
    }
    return text.append("log:\n").append(Files.readString(log)).toString();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
