package io.jgloo.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jgloo.bench.report.Event;
import io.jgloo.bench.report.Report;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * A process that is one rank, as the process that started it sees it.
 *
 * <p><em>Owns</em>: the process and two threads that read what it says.
 */
final class Child {

  private static final int LINES_KEPT = 500;
  private static final int SIGNAL_BASE = 128;
  private static final Map<Integer, String> SIGNALS =
      Map.of(
          1, "SIGHUP", 2, "SIGINT", 4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 9, "SIGKILL", 11,
          "SIGSEGV", 15, "SIGTERM");

  private final int rank;
  private final Process process;
  private final Report report;
  private final PrintWriter live;
  private final Queue<String> errors = new ArrayDeque<>();
  private Event exit;
  private volatile String phase; // looked at while the rank runs
  private RuntimeException broken;

  private Child(int rank, Process process, Report report, PrintWriter live) {
    this.rank = rank;
    this.process = process;
    this.report = report;
    this.live = live;
  }

  /**
   * Starts a rank.
   *
   * @param live where its standard error goes as it comes, or null to keep it
   * @param ended told when it has ended and all it said has been read
   */
  static Child start(
      int rank, List<String> command, Report report, PrintWriter live, Consumer<Child> ended)
      throws IOException {
    Child child = new Child(rank, new ProcessBuilder(command).start(), report, live);
    Thread errors = thread("bench-stderr-" + rank, child::readErrors);
    thread(
        "bench-stdout-" + rank,
        () -> {
          child.readEvents();
          join(errors);
          ended.accept(child);
        });
    return child;
  }

  private static Thread thread(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody interrupts it; the JVM ends
    }
  }

  private void readEvents() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        read(line);
      }
    } catch (IOException e) {
      keep("(its output broke off: " + e.getMessage() + ")");
    } catch (RuntimeException e) {
      broken = e;
      process.destroyForcibly();
    }
  }

  private void read(String line) {
    Event event;
    try {
      event = Event.decode(line);
    } catch (UncheckedIOException e) {
      keep(line); // the virtual machine itself has something to say
      return;
    }
    if (event.exitCode() != null) {
      exit = event;
    } else {
      phase = event.phase() == null ? phase : event.phase();
      event.tell(report);
    }
  }

  private void readErrors() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        keep(line);
      }
    } catch (IOException e) {
      keep("(its standard error broke off: " + e.getMessage() + ")");
    }
  }

  private void keep(String line) {
    synchronized (errors) {
      if (live != null) {
        live.println("[" + rank + "] " + line);
        live.flush();
      } else {
        errors.add(line);
        if (errors.size() > LINES_KEPT) {
          errors.remove();
        }
      }
    }
  }

  int rank() {
    return rank;
  }

  /** What it said last about what it does; rank 0 only. */
  String phase() {
    return phase;
  }

  void stop() {
    process.destroyForcibly();
  }

  // What follows is known once it has ended.

  /** Its exit code, if it ended in an orderly way; else {@link ExitCode#FAILURE}. */
  int code() {
    return isOrderly() ? exit.exitCode() : ExitCode.FAILURE;
  }

  private boolean isOrderly() {
    return broken == null && exit != null && exit.exitCode() == status();
  }

  /** Has read to the end of its output, so it takes no time. */
  private int status() {
    return process.onExit().join().exitValue();
  }

  boolean failed() {
    return code() >= ExitCode.USAGE;
  }

  /** How likely it is the one that failed first; the likeliest first. */
  enum Suspicion {
    /** It was killed, or crashed. */
    VANISHED,
    /** It has a reason of its own. */
    FAILED,
    /** It was told, or noticed, that another failed. */
    BLAMES_ANOTHER
  }

  Suspicion suspicion() {
    if (!isOrderly()) {
      return Suspicion.VANISHED;
    }
    return Boolean.TRUE.equals(exit.consequence()) ? Suspicion.BLAMES_ANOTHER : Suspicion.FAILED;
  }

  /** What became of it, for people. */
  String fate() {
    if (broken != null) {
      return "rank " + rank + " said what cannot be reported: " + broken;
    }
    int signal = status() - SIGNAL_BASE;
    if (exit == null && signal > 0) {
      String name = SIGNALS.containsKey(signal) ? " (" + SIGNALS.get(signal) + ")" : "";
      return "rank " + rank + " was killed by signal " + signal + name;
    }
    return "rank " + rank + " ended with exit code " + status();
  }

  /** Its standard error, each line behind a prefix. */
  void print(PrintWriter err, String prefix) {
    synchronized (errors) {
      errors.forEach(line -> err.println(prefix + line));
      err.flush();
    }
  }
}
