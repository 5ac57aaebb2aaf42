package io.jgloo.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs a test whose ranks are processes, on the class path of this one. */
final class RankProcesses {

  private static final int SIGNAL_SECONDS = 30;
  private static final int LOOK_MILLIS = 20;

  private final int size;
  private final Duration deadline;
  private final long seed;
  private final Method test;
  private final List<Process> processes = new ArrayList<>();

  RankProcesses(int size, Duration deadline, long seed, Method test) {
    this.size = size;
    this.deadline = deadline;
    this.seed = seed;
    this.test = test;
  }

  /** Sends a signal to a process; one that has ended gets none. */
  static void signal(long pid, String name) throws IOException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, "" + pid)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      kill.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void run() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("jgloo-testkit-");
    try {
      Files.createDirectory(folder.resolve("store"));
      for (int rank = 0; rank < size; rank++) {
        processes.add(start(folder, rank));
      }
      boolean ended = awaitEnds(folder);
      String hang = ended ? "" : describe(folder);
      processes.forEach(Process::destroyForcibly);
      for (Process process : processes) {
        process.waitFor();
      }
      check(folder, hang);
    } finally {
      processes.forEach(Process::destroyForcibly);
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private Process start(Path folder, int rank) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(RankProcess.class.getName());
    command.addAll(List.of(folder.toString(), "" + rank, "" + size, "" + deadline.toSeconds()));
    command.addAll(List.of(test.getDeclaringClass().getName(), test.getName(), "" + seed));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output(folder, rank).toFile())
        .start();
  }

  private static Path output(Path folder, int rank) {
    return folder.resolve("output-" + rank);
  }

  /** Waits for all processes but those that a fault has ended; false at the deadline. */
  private boolean awaitEnds(Path folder) throws InterruptedException {
    long start = System.nanoTime();
    for (int rank = 0; rank < size; rank++) {
      while (!isDead(folder, rank)
          && !processes.get(rank).waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        if (System.nanoTime() - start > deadline.toNanos()) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isDead(Path folder, int rank) {
    return Files.exists(folder.resolve("dead-" + rank));
  }

  private String describe(Path folder) throws IOException, InterruptedException {
    List<Integer> hanging = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int rank = 0; rank < size; rank++) {
      Process process = processes.get(rank);
      if (!process.isAlive() || isDead(folder, rank)) {
        continue;
      }
      hanging.add(rank);
      signal(process.pid(), "USR1"); // the record of its calls
      Path calls = awaitFile(folder.resolve("calls-" + rank));
      signal(process.pid(), "QUIT"); // the stacks, to its output
      List<String> stack = awaitStack(output(folder, rank));
      text.append("\nrank ").append(rank).append(": ");
      text.append(calls == null ? "" : String.join("; ", PendingCalls.running(calls)));
      stack.forEach(line -> text.append('\n').append(line));
    }
    return "ranks " + hanging + " hang after " + deadline.toSeconds() + " s:" + text;
  }

  private static @Nullable Path awaitFile(Path folder) throws IOException, InterruptedException {
    for (int look = 0; look < 100; look++) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          Path found =
              files.filter(file -> file.toString().endsWith(".json")).findAny().orElse(null);
          if (found != null) {
            return found;
          }
        }
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return null;
  }

  private static List<String> awaitStack(Path output) throws IOException, InterruptedException {
    for (int look = 0; look < 100; look++) {
      List<String> lines = Files.readAllLines(output);
      List<String> stack =
          lines.stream()
              .dropWhile(line -> !line.startsWith("\"main\""))
              .takeWhile(line -> !line.isBlank())
              .toList();
      if (!stack.isEmpty()) {
        return stack;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return List.of("    its stack cannot be read");
  }

  private void check(Path folder, String hang) throws IOException {
    RankFailures failures = new RankFailures();
    for (int rank = 0; rank < size; rank++) {
      Path file = folder.resolve("failure-" + rank);
      if (isDead(folder, rank)) {
        continue;
      }
      if (Files.exists(file)) {
        String text = Files.readString(file, UTF_8);
        int end = text.indexOf('\n');
        boolean secondary = text.substring(0, end).equals(RankProcess.SECONDARY);
        failures.add(rank, text.substring(end + 1).strip(), secondary);
      } else if (processes.get(rank).exitValue() != 0 && hang.isEmpty()) {
        String output = Files.readString(output(folder, rank));
        int status = processes.get(rank).exitValue();
        failures.add(rank, "process has ended with status " + status + ":\n" + output, false);
      }
    }
    boolean random = Files.exists(folder.resolve(RankProcess.RANDOM));
    failures.check(hang, List.of(), random ? RankRun.repetition(seed) : "");
  }
}
