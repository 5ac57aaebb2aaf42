package io.jgloo.bench.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A process that this one has started.
 *
 * <p><em>Owns</em>: the process, what it starts, and two threads that read what it prints.
 */
public final class Child {
  private static final int LINES_KEPT = 500;
  private static final int SIGNAL_BASE = 128;

  /** Names of signals that end processes, by their numbers on Linux. */
  private static final Map<Integer, String> SIGNALS =
      Map.of(2, "INT", 6, "ABRT", 7, "BUS", 9, "KILL", 11, "SEGV", 15, "TERM");

  private final String name;
  private final Process process;
  private final Queue<String> errors = new ArrayDeque<>();

  /**
   * @param name what messages and threads call it
   */
  Child(String name, ProcessBuilder builder) throws IOException {
    this.name = name;
    process = builder.start();
  }

  /**
   * Reads what it prints until it ends.
   *
   * @param out gets each line of its standard output
   * @param err gets each line of its standard error; null to keep them for {@link #errors}
   * @param ended called when it has ended and all it printed has been read, or null
   */
  public void follow(Consumer<String> out, Consumer<String> err, Consumer<Child> ended) {
    Consumer<String> errorLines = err == null ? this::keep : err;
    Thread reader = thread("-stderr", () -> read(process.getErrorStream(), errorLines));
    thread(
        "-stdout",
        () -> {
          read(process.getInputStream(), out);
          join(reader);
          if (ended != null) {
            ended.accept(this);
          }
        });
  }

  /** The command of another JVM like this one: same java, same flags and further ones, classes. */
  public static List<String> java(Class<?> main) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!flag.startsWith("-agentlib:jdwp") && !flag.startsWith("-javaagent")) {
        command.add(flag);
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    return command;
  }

  /**
   * Ends this process when its standard input ends, which is when the process that has started it
   * ends.
   */
  public static void haltAtEndOfInput(int exitCode) {
    try {
      while (System.in.read() >= 0) {
        // The parent sends nothing.
      }
    } catch (IOException e) {
      // As good as the end.
    }
    Runtime.getRuntime().halt(exitCode);
  }

  private Thread thread(String suffix, Runnable body) {
    Thread thread = new Thread(body, name + suffix);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // no code interrupts it; the JVM ends
    }
  }

  private void read(InputStream stream, Consumer<String> lines) {
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.accept(line);
      }
    } catch (IOException e) {
      keep("(its output broke off: " + e.getMessage() + ")");
    }
  }

  /** Writes a line to its standard input. */
  public void write(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(UTF_8));
    process.getOutputStream().flush();
  }

  /** Keeps a line for {@link #errors}. */
  public void keep(String line) {
    synchronized (errors) {
      errors.add(line);
      if (errors.size() > LINES_KEPT) {
        errors.remove();
      }
    }
  }

  /** The last lines that were kept. */
  public List<String> errors() {
    synchronized (errors) {
      return List.copyOf(errors);
    }
  }

  /** What it is called. */
  public String name() {
    return name;
  }

  /** Its process identifier. */
  public long pid() {
    return process.pid();
  }

  /** Sends it SIGKILL, and not to what it has started. */
  public void kill() {
    process.destroyForcibly();
  }

  /** Ends it and what it has started. */
  public void stop() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** Its exit status; it has printed all it had to, so this takes no time. */
  public int status() {
    return process.onExit().join().exitValue();
  }

  /** How it ended, for people. */
  public String end() {
    int signal = status() - SIGNAL_BASE;
    return signal > 0
        ? name
            + " was killed by signal "
            + signal
            + " (SIG"
            + SIGNALS.getOrDefault(signal, "?")
            + ")"
        : name + " ended with exit code " + status();
  }

  /**
   * What a process holds at one time, as Linux counts it.
   *
   * @param descriptors open files
   * @param threads native threads
   * @param residentKib resident memory
   */
  public record ProcessFigures(long descriptors, long threads, long residentKib) {
    public static final ProcessFigures NONE = new ProcessFigures(0, 0, 0);

    /** Those of a process; {@link #NONE} if it has ended, or where there is no /proc. */
    public static ProcessFigures of(long pid) {
      Path folder = Path.of("/proc/" + pid);
      try (Stream<Path> descriptors = Files.list(folder.resolve("fd"))) {
        String status = Files.readString(folder.resolve("status"));
        return new ProcessFigures(
            descriptors.count(), number(status, "Threads:"), number(status, "VmRSS:"));
      } catch (IOException | RuntimeException e) {
        return NONE; // it has ended, or ends just now
      }
    }

    private static long number(String status, String name) {
      return Long.parseLong(status.split(name, 2)[1].trim().split("\\s", 2)[0]);
    }
  }
}
