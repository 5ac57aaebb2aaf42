package io.jgloo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.ProcessGroup;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Workers are killed and replaced, and the job trains as one process does. */
@Timeout(300)
class ElasticSystemTest {

  private static final double ROUNDING = 1e-12;
  private static final int ENDLESS = 1_000_000;
  private static final int SECONDS = 200;
  private static final Pattern LINE =
      Pattern.compile(
          "\\[(\\d+), rank (\\d) of (\\d)\\] "
              + "(?:goes on from step (\\d+)|step (\\d+): (loss \\S+, model \\p{XDigit}+))");

  @TempDir private Path folder;

  /** What all ranks of a group have printed. */
  private record Report(long step, String result, Map<Integer, Long> pids) {

    double loss() {
      return Double.parseDouble(result.substring("loss ".length(), result.indexOf(',')));
    }
  }

  /** A running job, and what it prints. */
  private static final class Job implements AutoCloseable {
    private final Process launcher;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> printed = new ArrayList<>();

    Job(int size, int steps) throws IOException {
      Path java = Path.of(System.getProperty("java.home"), "bin", "java");
      String path = System.getProperty("java.class.path");
      launcher =
          new ProcessBuilder(
                  List.of(
                      java.toString(),
                      "-XX:TieredStopAtLevel=1",
                      "-XX:+UseSerialGC",
                      "-cp",
                      path,
                      ElasticJob.class.getName(),
                      "" + size,
                      "" + steps))
              .redirectErrorStream(true)
              .start();
      Thread reader = new Thread(this::read, "read");
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader in = launcher.inputReader()) {
        in.lines().forEach(lines::add);
      } catch (IOException | UncheckedIOException e) {
        lines.add("unreadable: " + e);
      }
    }

    /** The first step after this one that all ranks of a group of that size report. */
    Report awaitStep(int size, long after) throws InterruptedException {
      return await(size, after + 1, 5);
    }

    /** Waits until all ranks of a group of that size go on. */
    void awaitStart(int size) throws InterruptedException {
      await(size, 0, 4);
    }

    private Report await(int size, long from, int stepField) throws InterruptedException {
      Map<Long, Map<Integer, Long>> pids = new TreeMap<>();
      Map<Long, String> results = new TreeMap<>();
      while (true) {
        String line = lines.poll(SECONDS, TimeUnit.SECONDS);
        assertTrue(line != null, () -> "no more lines after " + printed);
        printed.add(line);
        Matcher found = LINE.matcher(line);
        if (found.find() && found.group(stepField) != null) {
          long step = Long.parseLong(found.group(stepField));
          if (Integer.parseInt(found.group(3)) == size && step >= from) {
            String result = results.computeIfAbsent(step, each -> "" + found.group(6));
            assertEquals(result, "" + found.group(6), "the same bits at all ranks");
            Map<Integer, Long> ranks = pids.computeIfAbsent(step, each -> new TreeMap<>());
            ranks.put(Integer.parseInt(found.group(2)), Long.parseLong(found.group(1)));
            if (ranks.size() == size) {
              return new Report(step, result, ranks);
            }
          }
        }
      }
    }

    int awaitEnd() throws InterruptedException {
      assertTrue(launcher.waitFor(SECONDS, TimeUnit.SECONDS), () -> "hangs: " + printed + lines);
      return launcher.exitValue();
    }

    @Override
    public void close() {
      List<ProcessHandle> workers = launcher.descendants().toList();
      launcher.destroy();
      try {
        launcher.waitFor(30, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        launcher.destroyForcibly();
        workers.forEach(ProcessHandle::destroyForcibly);
      }
    }
  }

  private static void kill(long pid) {
    assertTrue(ProcessHandle.of(pid).orElseThrow().destroyForcibly(), "SIGKILL to " + pid);
  }

  /** The loss in a step of one process that trains alone. */
  private double lossAlone(long steps) throws IOException {
    List<LibsvmFile.Row> rows = LibsvmFile.read(ElasticJob.generate(folder));
    try (Store store = Stores.directory(folder.resolve("alone"), Duration.ofSeconds(30));
        ProcessGroup group = ProcessGroup.builder().rank(0).size(1).store(store).connect()) {
      LogisticRegression training =
          new LogisticRegression(group, rows, LibsvmFile.features(rows), ElasticWorker.RATE);
      double loss = Double.NaN;
      for (long step = 0; step < steps; step++) {
        loss = training.step();
      }
      return loss;
    }
  }

  /** One rank alone with -Pfull only. */
  static Stream<String> ranks() {
    return Boolean.getBoolean("jgloo.test.full") ? Stream.of("2", "0 3", "0") : Stream.of("0 3");
  }

  @ParameterizedTest
  @MethodSource("ranks")
  void killedWorkers_areReplaced(String ranks) throws Exception {
    int[] killed = Arrays.stream(ranks.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
    try (Job job = new Job(4, ENDLESS)) {
      Report before = job.awaitStep(4, 0);
      for (int rank : killed) {
        kill(before.pids().get(rank));
      }
      job.awaitStart(4 - killed.length);
      job.awaitStart(4);
      Report after = job.awaitStep(4, before.step() + ElasticWorker.INTERVAL);
      for (int rank : killed) {
        assertTrue(!after.pids().containsValue(before.pids().get(rank)), "rank " + rank + " lives");
      }
      assertNotEquals(before.result(), after.result());
      assertTrue(after.loss() < before.loss(), before + " " + after);
      double alone = lossAlone(after.step());
      assertEquals(alone, after.loss(), ROUNDING * alone);
    }
  }

  @Tag("full")
  @Test
  void jobThatHasLostWorkers_endsWithStatus0() throws Exception {
    int steps = 10 * ElasticWorker.INTERVAL;
    try (Job job = new Job(3, steps)) {
      kill(job.awaitStep(3, 0).pids().get(1));
      assertEquals(0, job.awaitEnd(), () -> job.printed + " " + job.lines);
    }
  }
}
