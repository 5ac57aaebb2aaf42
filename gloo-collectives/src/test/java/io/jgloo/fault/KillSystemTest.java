package io.jgloo.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Four processes reduce; one is killed (SIGKILL); the others name it and go on as three. */
@Timeout(110)
class KillSystemTest {

  private static final int RANKS = 4;
  private static final int VICTIM = 2;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 16 << 10, 4 << 20})
  void survivorsNameTheDeadAndGoOn(int count) throws Exception {
    List<Process> ranks = new ArrayList<>();
    List<BufferedReader> outputs = new ArrayList<>();
    try {
      for (int rank = 0; rank < RANKS; rank++) {
        ranks.add(start(rank, count));
        outputs.add(ranks.get(rank).inputReader());
      }
      for (BufferedReader output : outputs) {
        assertEquals(Survivor.WORKING, nextLine(output));
      }
      long killed = System.currentTimeMillis();
      ranks.get(VICTIM).destroyForcibly();
      List<Long> delays = new ArrayList<>();
      for (int rank = 0; rank < RANKS; rank++) {
        if (rank != VICTIM) {
          String[] words = nextLine(outputs.get(rank)).split(" ", -1);
          assertEquals(Survivor.LOST, words[0]);
          assertEquals(VICTIM, Integer.parseInt(words[1]));
          delays.add(Long.parseLong(words[2]) - killed);
          assertEquals(Survivor.REUNITED, nextLine(outputs.get(rank)));
          assertTrue(ranks.get(rank).waitFor(30, TimeUnit.SECONDS));
          assertEquals(0, ranks.get(rank).exitValue());
        }
      }
      System.out.println("kill -9 at " + count + " floats: told after " + delays + " ms");
      // A second on an idle machine; a test machine may be loaded.
      assertTrue(delays.stream().allMatch(delay -> delay < 10_000), () -> "" + delays);
    } finally {
      ranks.forEach(Process::destroyForcibly);
    }
  }

  /** The next line of a rank that is one of ours; the log's lines are passed over. */
  private static String nextLine(BufferedReader output) throws IOException {
    StringBuilder passedOver = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(Survivor.PREFIX)) {
        return line;
      }
      passedOver.append(line).append('\n');
    }
    throw new AssertionError("a rank ended after printing:\n" + passedOver);
  }

  private Process start(int rank, int count) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String store = "file://" + Files.createDirectories(folder.resolve("store-" + count));
    return new ProcessBuilder(
            java,
            "-cp",
            System.getProperty("java.class.path"),
            Survivor.class.getName(),
            "" + rank,
            "" + RANKS,
            store,
            "" + count)
        .redirectErrorStream(true)
        .start();
  }
}
