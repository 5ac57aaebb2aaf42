package io.jgloo.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.command.ExitCode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that are processes and fail, are killed, or lose their parent. */
@Timeout(180)
final class FailedRanksSystemTest {

  /** Keeps the ranks busy until they are stopped. */
  private static final String ENDLESS = "barrier --iters 1000000000 --warmup 1 --timeout 600";

  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");

  @TempDir Path folder;

  @Tag("full")
  @Test
  void killedProcessOfSeveralRanks_isNamedWithItsRanks() throws Exception {
    try (BenchProcess bench = BenchProcess.start(folder, ENDLESS + " --ranks 6 --processes 3 -v")) {
      bench.awaitLine("# barrier: 6 ranks");
      assertEquals(3, bench.ranks().size());
      bench.rank(1).destroyForcibly();
      assertEquals(ExitCode.FAILURE, bench.exitCode());
      String err = bench.err();
      String cause = "gloo-bench: the process of ranks 2 to 3 was killed by signal 9 (SIGKILL)";
      assertTrue(err.lines().anyMatch(line -> line.startsWith(cause)), err);
      for (String survivor : List.of("[0-1] rank 0: ", "[0-1] rank 1: ", "[4-5] rank 5: ")) {
        assertTrue(err.lines().anyMatch(line -> line.startsWith(survivor)), survivor + err);
      }
    }
  }

  @Test
  void killedRankIsNamedOnceAndTheOthersAreStopped() throws Exception {
    try (BenchProcess bench = BenchProcess.start(folder, ENDLESS + " --ranks 3")) {
      bench.awaitLine("# barrier: 3 ranks");
      List<ProcessHandle> ranks = bench.ranks();
      assertEquals(3, ranks.size());
      bench.rank(2).destroyForcibly();
      assertEquals(ExitCode.FAILURE, bench.exitCode());
      String err = bench.err();
      assertTrue(err.startsWith("gloo-bench: rank 2 was killed by signal 9 (SIGKILL)"), err);
      assertEquals(1, err.lines().filter(line -> line.contains("signal")).count(), err);
      assertTrue(err.lines().count() <= 2, err);
      awaitEnd(ranks);
    }
  }

  @Test
  void ranksDoNotOutliveTheirParent() throws Exception {
    for (boolean gently : FULL ? List.of(true, false) : List.of(false)) {
      try (BenchProcess bench = BenchProcess.start(folder, ENDLESS + " --ranks 2")) {
        bench.awaitLine("# barrier: 2 ranks");
        List<ProcessHandle> ranks = bench.ranks();
        assertEquals(2, ranks.size());
        if (gently) {
          bench.terminate();
          bench.exitCode();
          assertEquals("", bench.err(), "a run that is stopped reports no failure");
        } else {
          bench.kill();
        }
        awaitEnd(ranks);
      }
    }
  }

  @Test
  void refusalOfAllRanksIsReportedOnce() throws Exception {
    String line = "allreduce --ranks 3 --device-option colour=blue";
    try (BenchProcess bench = BenchProcess.start(folder, line)) {
      assertEquals(ExitCode.USAGE, bench.exitCode());
      assertTrue(bench.err().startsWith("gloo-bench: device tcp has no attribute 'colour'"));
      assertEquals(1, bench.err().lines().count(), bench.err());
    }
  }

  @Test
  void failureOfOneRankIsReportedWithItsCause() throws Exception {
    // The ranks cannot listen on a port that is taken.
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String line = "allreduce --ranks 2 --device-option port=" + taken.getLocalPort();
      try (BenchProcess bench = BenchProcess.start(folder, line)) {
        assertEquals(ExitCode.FAILURE, bench.exitCode());
        String err = bench.err();
        assertTrue(err.startsWith("gloo-bench: rank "), err);
        assertEquals(1, err.lines().filter(each -> each.contains("cannot listen")).count(), err);
      }
    }
  }

  private static void awaitEnd(List<ProcessHandle> processes) throws Exception {
    for (ProcessHandle process : processes) {
      process.onExit().get(60, TimeUnit.SECONDS);
    }
  }
}
