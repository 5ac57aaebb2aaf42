package io.jgloo.lightgbm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.ShortJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trainings by processes, of which one is killed or stopped. */
@Timeout(1800)
class TrainerSystemTest {

  private static final int ITERATIONS = 40;

  @TempDir private Path folder;

  /** A rank with its lines of output. */
  private static final class Rank {
    final Process process;
    final List<String> lines = new ArrayList<>();
    final CompletableFuture<Void> ended;

    Rank(int rank, String store, int timeoutSeconds) throws IOException {
      List<String> command = ShortJvm.command();
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(TrainerMain.class.getName(), "" + rank, "3", store));
      command.addAll(List.of("" + ITERATIONS, "" + timeoutSeconds));
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
      ended = CompletableFuture.runAsync(this::read);
    }

    private void read() {
      try (BufferedReader reader = process.inputReader()) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          synchronized (lines) {
            lines.add(line);
            lines.notifyAll();
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** The first line that begins so, once it is there. */
    String await(String start) throws InterruptedException {
      synchronized (lines) {
        while (true) {
          for (String line : lines) {
            if (line.startsWith(start)) {
              return line;
            }
          }
          assertTrue(!ended.isDone(), () -> start + " is missing in " + lines);
          lines.wait(100);
        }
      }
    }

    void signal(String name) throws Exception {
      assertEquals(0, new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor());
    }
  }

  private List<Rank> start(String name, int timeoutSeconds) throws IOException {
    String store = folder.resolve(name).toUri().toString();
    List<Rank> ranks = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      ranks.add(new Rank(rank, store, timeoutSeconds));
    }
    return ranks;
  }

  private static void end(List<Rank> ranks) throws Exception {
    for (Rank rank : ranks) {
      rank.process.toHandle().destroyForcibly(); // that of Process closes what is being read
    }
    for (Rank rank : ranks) {
      rank.ended.get(60, TimeUnit.SECONDS);
    }
  }

  private static double auc(String finished) {
    return Double.parseDouble(finished.replaceAll(".* auc (\\S+) .*", "$1"));
  }

  @Test
  void killedRank_isFinishedWithout() throws Exception {
    List<Rank> undisturbed = start("undisturbed", 60);
    double best;
    try {
      String line = undisturbed.get(0).await("finished");
      assertTrue(line.startsWith("finished " + ITERATIONS + " with 3 "), line);
      best = auc(line);
    } finally {
      end(undisturbed);
    }
    long seed = System.nanoTime();
    System.out.println("seed " + seed + ", undisturbed AUC " + best);
    Random random = new Random(seed);
    int kills = Boolean.getBoolean("jgloo.test.full") ? 20 : 1;
    for (int kill = 0; kill < kills; kill++) {
      int lost = random.nextInt(3);
      int iteration = 1 + random.nextInt(ITERATIONS - 5);
      List<Rank> ranks = start("kill" + kill, 60);
      try {
        ranks.get(lost).await("iteration " + iteration);
        ranks.get(lost).signal("KILL");
        String first = ranks.get((lost + 1) % 3).await("finished");
        String second = ranks.get((lost + 2) % 3).await("finished");
        assertEquals(first, second, "the same model");
        System.out.println("rank " + lost + " killed after iteration " + iteration + ": " + first);
        assertTrue(first.startsWith("finished " + ITERATIONS + " with 2 "), first);
        assertTrue(auc(first) > best - 0.03, first);
      } finally {
        end(ranks);
      }
    }
  }

  @Test
  void stoppedRank_isNamedWithinTheTimeout_andLeftOut() throws Exception {
    List<Rank> ranks = start("stop", 5);
    try {
      ranks.get(1).await("iteration 3");
      ranks.get(1).signal("STOP");
      String first = ranks.get(0).await("finished");
      assertEquals(first, ranks.get(2).await("finished"));
      assertTrue(first.startsWith("finished " + ITERATIONS + " with 2 "), first);
    } finally {
      end(ranks);
    }
  }
}
