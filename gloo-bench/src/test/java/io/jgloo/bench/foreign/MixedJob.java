package io.jgloo.bench.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One job of ranks in C++, each a process, and ranks of ours, each a thread of this JVM with its
 * own device: they share nothing but their sockets.
 *
 * @param driver in C++
 * @param store where they meet; empty for a folder of the job's own
 * @param options of all C++ ranks
 * @param attributes of our devices
 */
record MixedJob(
    Path driver, String store, List<String> options, Map<String, String> attributes, Path folder) {
  private static final String FACTORY = "--factory";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long PATIENCE_MINUTES = 5;

  static MixedJob of(Path driver, String wire, Path folder) {
    return new MixedJob(driver, "", List.of(), Map.of("wire", wire, "bind", "127.0.0.1"), folder);
  }

  MixedJob with(String key, String value, String... more) {
    Map<String, String> all = new HashMap<>(attributes);
    all.put(key, value);
    return new MixedJob(driver, store, List.of(more), all, folder);
  }

  MixedJob meeting(String url) {
    return new MixedJob(driver, url, options, attributes, folder);
  }

  /**
   * Runs a plan.
   *
   * @param ours which ranks are ours
   * @return folder of the dump
   */
  Path run(int size, Set<Integer> ours, List<String> plan) throws Exception {
    Files.createDirectories(folder);
    Path dump = Files.createTempDirectory(folder, "job-" + size + "-");
    String meeting = store;
    if (meeting.isEmpty()) {
      meeting = "file://" + Files.createDirectory(dump.resolve("store"));
    }
    Path lines = Files.write(dump.resolve("plan"), plan);
    List<Process> theirs = new ArrayList<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (int rank = 0; rank < size; rank++) {
        if (!ours.contains(rank)) {
          theirs.add(start(rank, size, meeting, dump, lines));
        }
      }
      List<Future<?>> results = new ArrayList<>();
      for (int rank : ours) {
        ForeignRank one =
            new ForeignRank(rank, size, meeting, prefix(dump), false, attributes, PATIENCE);
        results.add(threads.submit(() -> member(one, dump, plan)));
      }
      await(theirs, results, dump);
    } finally {
      theirs.forEach(Process::destroyForcibly);
      threads.shutdownNow();
    }
    return dump;
  }

  private Process start(int rank, int size, String meeting, Path dump, Path plan)
      throws IOException {
    List<String> command = CppDriver.command(driver, rank, size, meeting, dump);
    command.addAll(List.of("--prefix", prefix(dump), "--plan", plan.toString()));
    command.addAll(List.of("--timeout", "" + PATIENCE.toMillis()));
    command.addAll(options);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(said(dump, rank).toFile());
    return builder.start();
  }

  /** A store that all jobs share has keys of each. */
  private static String prefix(Path dump) {
    return "job/" + dump.getFileName();
  }

  private static Path said(Path dump, int rank) {
    return dump.resolve("said-" + rank);
  }

  private Void member(ForeignRank rank, Path dump, List<String> plan) throws IOException {
    List<Case> cases = plan.stream().map(Case::of).toList();
    Path began = said(dump, rank.rank());
    ForeignRank.Task<IOException> task =
        group ->
            new PlanRun(group, false, dump, number -> note(began, cases.get(number).line()))
                .run(cases);
    if (options.contains(FACTORY)) {
      rank.runCloned(task);
    } else {
      rank.run(task);
    }
    return null;
  }

  private static void note(Path file, String line) {
    try {
      Files.writeString(file, line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await(List<Process> theirs, List<Future<?>> ours, Path dump)
      throws Exception {
    List<String> wrong = new ArrayList<>();
    Throwable cause = null;
    for (Future<?> rank : ours) {
      try {
        rank.get(PATIENCE_MINUTES, TimeUnit.MINUTES);
      } catch (ExecutionException | TimeoutException e) {
        wrong.add("one of ours: " + e);
        cause = e;
        break; // the others fail of this
      }
    }
    for (Process each : theirs) {
      if (!each.waitFor(wrong.isEmpty() ? PATIENCE_MINUTES : 0, TimeUnit.MINUTES)) {
        wrong.add("a C++ rank did not end");
      } else if (each.exitValue() != 0) {
        wrong.add("a C++ rank ended with code " + each.exitValue());
      }
    }
    if (!wrong.isEmpty()) {
      throw new AssertionError(wrong + "\n" + lastWords(dump), cause);
    }
  }

  private static String lastWords(Path dump) throws IOException {
    StringBuilder words = new StringBuilder();
    for (int rank = 0; Files.exists(said(dump, rank)); rank++) {
      String said = Files.readString(said(dump, rank), UTF_8);
      words.append("rank ").append(rank).append(": ");
      words.append(said.substring(Math.max(0, said.length() - 300))).append('\n');
    }
    return words.toString();
  }
}
