package io.jgloo.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.process.Job;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that are processes: started by the command line, or one by one. */
@Timeout(180)
final class LauncherSystemTest {

  private static final String BRIEFLY = " --iters 3 --warmup 2 ";

  @TempDir Path folder;

  @Test
  void ranksAreProcesses() throws Exception {
    String line = "all --sizes 512,64K" + BRIEFLY + "--ranks 3";
    try (BenchProcess bench = BenchProcess.start(folder, line)) {
      List<String> rows = bench.rows();
      assertEquals(ExitCode.VERIFIED, bench.exitCode(), bench.err());
      assertEquals(2 * 16 + 1, rows.size(), rows.toString());
      assertTrue(rows.stream().allMatch(row -> row.endsWith(" 0")), rows.toString());
      assertEquals("", bench.err());
    }
  }

  @Test
  void ranksAreThreadsOfProcesses() throws Exception {
    String line = "allreduce --ranks 7 --processes 2 --sizes 64K" + BRIEFLY;
    try (BenchProcess bench = BenchProcess.start(folder, line)) {
      bench.awaitLine("# allreduce: 7 ranks, at most 4 threads in each of 2 processes on one host");
      assertTrue(bench.row().endsWith(" 0"));
      String use = bench.awaitLine("# ready ");
      assertTrue(number(use, "at most (\\d+) descriptors") > 4, use);
      assertTrue(number(use, "(\\d+) threads") > 4, use);
      assertEquals(ExitCode.VERIFIED, bench.exitCode(), bench.err());
    }
  }

  @Tag("full")
  @Test
  void ranksThatAreThreads_logWhatTheyHaveInCommonOnce() throws Exception {
    String line = "allreduce --ranks 4 --sizes 4 -v --processes 2" + BRIEFLY;
    try (BenchProcess bench = BenchProcess.start(folder, line)) {
      bench.rows();
      assertEquals(ExitCode.VERIFIED, bench.exitCode(), bench.err());
      for (String common : List.of(" listens on ", " shares memory with ranks ")) {
        long logged = bench.err().lines().filter(each -> each.contains(common)).count();
        assertEquals(2, logged, bench.err()); // once in a process
      }
    }
  }

  private static int number(String line, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(line);
    assertTrue(found.find(), line);
    return Integer.parseInt(found.group(1));
  }

  @Test
  void ranksStartedOneByOneMeetInAStore() throws Exception {
    String url = "tcp://127.0.0.1:" + Job.freePort();
    List<BenchProcess> ranks = new ArrayList<>();
    try {
      for (int rank = 1; rank >= 0; rank--) {
        String line =
            "allreduce --max 64K --factor 128 --size 2 --rank " + rank + " --store " + url;
        ranks.add(0, BenchProcess.start(folder, line + BRIEFLY));
      }
      assertEquals(3, ranks.get(0).rows().size());
      for (BenchProcess rank : ranks) {
        assertEquals(ExitCode.VERIFIED, rank.exitCode(), rank.err());
        assertEquals(List.of(), rank.rows(), "only rank 0 speaks");
        assertEquals("", rank.err());
      }
    } finally {
      ranks.forEach(BenchProcess::close);
    }
  }
}
