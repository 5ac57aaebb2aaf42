package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.process.Job;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program in the README compiles, and does what the README says. */
@Timeout(300)
class ReadmeTest {

  @TempDir private Path folder;

  @Test
  void theProgramPrintsTheSumAtBothRanks() throws Exception {
    assertEquals(List.of("Sum"), PageCode.compile(PageCode.page("README.md"), folder));
    List<Process> ranks = new ArrayList<>();
    String store = "tcp://127.0.0.1:" + Job.freePort();
    try {
      for (int rank = 0; rank < 2; rank++) {
        ranks.add(PageCode.start(folder, "Sum", "" + rank, "2", store));
      }
      for (int rank = 0; rank < 2; rank++) {
        String output =
            new String(ranks.get(rank).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(ranks.get(rank).waitFor(60, TimeUnit.SECONDS), "rank " + rank + " hangs");
        assertTrue(output.contains("rank " + rank + ": [1.0, 2.0, 4.0]"), output);
      }
    } finally {
      ranks.forEach(Process::destroyForcibly);
    }
  }
}
