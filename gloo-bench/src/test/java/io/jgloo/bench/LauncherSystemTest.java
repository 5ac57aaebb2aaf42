package io.jgloo.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.operation.Operations;
import io.jgloo.bench.operation.Reference;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that are processes: started by the command line, or one by one. */
@Timeout(180)
final class LauncherSystemTest {

  private static final String BRIEFLY = " --iters 3 --warmup 2 ";

  /** Keeps the ranks busy until they are stopped. */
  private static final String ENDLESS = "barrier --iters 1000000000 --warmup 1 --timeout 600";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void ranksAreProcesses(int ranks) throws Exception {
    String line = "all --max 64K --factor 128 --dump " + folder + BRIEFLY + "--ranks " + ranks;
    try (BenchProcess bench = BenchProcess.start(folder, line)) {
      List<String> rows = bench.rows();
      assertEquals(ExitCode.VERIFIED, bench.exitCode(), bench.err());
      assertEquals(lines(ranks, 3), rows.size(), rows.toString());
      assertTrue(rows.stream().allMatch(row -> row.endsWith(" 0")), rows.toString());
      assertEquals("", bench.err());
    }
    byte[] expected = Reference.floatSums(ranks, 1 << 14, 2);
    for (int rank = 0; rank < ranks; rank++) {
      Path dump = folder.resolve("allreduce/rank-" + rank + ".bin");
      assertArrayEquals(expected, Files.readAllBytes(dump));
    }
  }

  @Test
  void ranksAreThreadsOfProcesses() throws Exception {
    String line = "allreduce --ranks 7 --processes 2 --sizes 64K --dump " + folder + BRIEFLY;
    try (BenchProcess bench = BenchProcess.start(folder, line)) {
      bench.awaitLine("# allreduce: 7 ranks, at most 4 threads in each of 2 processes on one host");
      assertTrue(bench.row().endsWith(" 0"));
      String use = bench.awaitLine("# ready ");
      assertTrue(number(use, "at most (\\d+) descriptors") > 4, use);
      assertTrue(number(use, "(\\d+) threads") > 4, use);
      assertEquals(ExitCode.VERIFIED, bench.exitCode(), bench.err());
    }
    byte[] expected = Reference.floatSums(7, 1 << 14, 2);
    for (int rank = 0; rank < 7; rank++) {
      assertArrayEquals(expected, Files.readAllBytes(folder.resolve("rank-" + rank + ".bin")));
    }
  }

  @ParameterizedTest
  @CsvSource({"077, rw-------", "022, rw-r--r--"})
  void filesHaveThePermissionsOfTheUmask(String umask, String permissions) throws Exception {
    Path report = folder.resolve("report.json");
    String line =
        ("allreduce --ranks 2 --sizes 64 --format json --output " + report)
            + (" --dump " + folder.resolve("dump") + " --hdr " + folder.resolve("hdr") + BRIEFLY);
    try (BenchProcess bench = BenchProcess.startWithUmask(umask, folder, line)) {
      bench.rows();
      assertEquals(ExitCode.VERIFIED, bench.exitCode(), bench.err());
    }
    for (String file : List.of("report.json", "dump/rank-1.bin", "hdr/rank-1-64.hlog")) {
      Set<PosixFilePermission> found = Files.getPosixFilePermissions(folder.resolve(file));
      assertEquals(permissions, PosixFilePermissions.toString(found), file);
    }
  }

  @ParameterizedTest
  @CsvSource({"--threads, 1", "--processes 2, 2"})
  void ranksThatAreThreads_logWhatTheyHaveInCommonOnce(String how, int processes) throws Exception {
    String line = "allreduce --ranks 4 --sizes 4 -v " + how + BRIEFLY;
    try (BenchProcess bench = BenchProcess.start(folder, line)) {
      bench.rows();
      assertEquals(ExitCode.VERIFIED, bench.exitCode(), bench.err());
      for (String common : List.of(" listens on ", " shares memory with ranks ")) {
        long logged = bench.err().lines().filter(each -> each.contains(common)).count();
        assertEquals(processes, logged, bench.err());
      }
    }
  }

  private static int number(String line, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(line);
    assertTrue(found.find(), line);
    return Integer.parseInt(found.group(1));
  }

  @Test
  void killedProcessOfSeveralRanks_isNamedWithItsRanks() throws Exception {
    try (BenchProcess bench = BenchProcess.start(folder, ENDLESS + " --ranks 6 --processes 3 -v")) {
      bench.awaitLine("# barrier: 6 ranks");
      assertEquals(3, bench.ranks().size());
      bench.rank(1).destroyForcibly();
      assertEquals(ExitCode.FAILURE, bench.exitCode());
      String err = bench.err();
      String cause = "gloo-bench: the process of ranks 2 to 3 was killed by signal 9 (SIGKILL) ";
      assertTrue(err.lines().anyMatch(line -> line.startsWith(cause)), err);
      for (String survivor : List.of("[0-1] rank 0: ", "[0-1] rank 1: ", "[4-5] rank 5: ")) {
        assertTrue(err.lines().anyMatch(line -> line.startsWith(survivor)), survivor + err);
      }
    }
  }

  private static long lines(int ranks, int sizes) {
    return Operations.all().stream()
        .filter(operation -> operation.amongAll() && operation.leastRanks() <= ranks)
        .mapToLong(operation -> operation.sized() ? sizes : 1)
        .sum();
  }

  @Test
  void wrongResultIsExitCode1AndReportedByItsRank() throws Exception {
    String line = "faulty --min 1K --max 1K --ranks 2" + BRIEFLY;
    try (BenchProcess bench = BenchProcess.start(FaultyMain.class, folder, line)) {
      List<String> rows = bench.rows();
      assertEquals(ExitCode.WRONG, bench.exitCode(), bench.err());
      assertEquals(1, rows.size());
      assertTrue(rows.get(0).endsWith(" 4"), rows.get(0));
      assertTrue(bench.err().startsWith("[1] rank 1: faulty 1024 B: 4 wrong; "), bench.err());
      assertEquals(1, bench.err().lines().count(), bench.err());
    }
  }

  @Test
  void killedRankIsNamedOnceAndTheOthersAreStopped() throws Exception {
    try (BenchProcess bench = BenchProcess.start(folder, ENDLESS + " --ranks 4")) {
      bench.awaitLine("# barrier: 4 ranks");
      List<ProcessHandle> ranks = bench.ranks();
      assertEquals(4, ranks.size());
      bench.rank(2).destroyForcibly();
      assertEquals(ExitCode.FAILURE, bench.exitCode());
      String err = bench.err();
      assertTrue(err.startsWith("gloo-bench: rank 2 was killed by signal 9 (SIGKILL) "), err);
      assertEquals(1, err.lines().filter(line -> line.contains("signal")).count(), err);
      assertTrue(err.lines().count() <= 2, err);
      awaitEnd(ranks);
    }
  }

  @Test
  void ranksDoNotOutliveTheirParent() throws Exception {
    for (boolean gently : List.of(true, false)) {
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

  @ParameterizedTest
  @ValueSource(strings = {"file", "tcp"})
  void ranksStartedOneByOneMeetInAStore(String scheme) throws Exception {
    String url =
        scheme.equals("file") ? "file://" + folder.resolve("store") : "tcp://127.0.0.1:" + free();
    List<BenchProcess> ranks = new ArrayList<>();
    try {
      for (int rank = 2; rank >= 0; rank--) {
        String line =
            "allreduce --max 64K --factor 128 --size 3 --rank " + rank + " --store " + url;
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

  private static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void awaitEnd(List<ProcessHandle> processes) throws Exception {
    for (ProcessHandle process : processes) {
      process.onExit().get(60, TimeUnit.SECONDS);
    }
  }
}
