package io.jgloo.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What diagnose says of real processes that hang. */
@Timeout(180)
final class DiagnoseSystemTest {

  private static final int SIZE = 3;
  private static final String ALL = "dumps of ranks [0, 1, 2]";
  private static final long PATIENCE_NANOS = 100_000_000_000L;

  @TempDir private Path folder;

  private final List<BenchProcess> ranks = new ArrayList<>();

  @AfterEach
  void endAll() {
    ranks.forEach(BenchProcess::close);
  }

  private void start(int timeoutSeconds, String behaviour) throws Exception {
    for (int rank = 0; rank < SIZE; rank++) {
      ranks.add(
          BenchProcess.start(
              HungRank.class,
              folder,
              String.format(
                  "%d %d %s %s %d %s %s",
                  rank,
                  SIZE,
                  folder.resolve("store"),
                  folder.resolve("dumps"),
                  timeoutSeconds,
                  "auto",
                  behaviour)));
    }
    for (BenchProcess rank : ranks) {
      rank.awaitLine(HungRank.WORKS);
    }
  }

  private String diagnosis() {
    Invocation run = Invocation.of("diagnose", folder.resolve("dumps").toString());
    assertEquals(ExitCode.VERIFIED, run.code(), run.err());
    return run.out();
  }

  @Test
  void rankThatSkipsACall_isNamed() throws Exception {
    start(600, "skip");
    Files.createDirectories(folder.resolve("dumps"));
    String expected = "rank 1 not yet in call #3, which others wait in";
    String found = "";
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!(found.contains(expected) && found.contains(ALL)) && System.nanoTime() < deadline) {
      for (BenchProcess rank : ranks) {
        rank.signal("USR1"); // when the others are in the call is not known
      }
      try (var files = Files.list(folder.resolve("dumps"))) {
        found = files.anyMatch(file -> file.toString().endsWith(".json")) ? diagnosis() : "";
      }
    }
    assertTrue(found.contains(expected), found);
    assertTrue(found.contains(ALL), found);
    assertTrue(found.contains("rank 1: call #1 broadcast("), found);
    assertTrue(found.contains("of 1000 float32 with root 2, done"), found);
    boolean others = found.contains("ranks [0, 2]: call #3 barrier(");
    assertTrue(others || found.contains("rank 0: call #3 barrier("), found);
    assertTrue(found.contains(", running for "), found);
  }

  @Test
  void stoppedRank_hasNoDump() throws Exception {
    start(3, "stop");
    ranks.get(1).signal("STOP");
    for (int rank : List.of(0, 2)) {
      ranks.get(rank).awaitLine(HungRank.FAILED);
      ranks.get(rank).endInput();
      assertEquals(0, ranks.get(rank).exitCode(), ranks.get(rank).err());
    }
    String found = diagnosis();
    assertTrue(found.contains("dumps of ranks [0, 2]"), found);
    assertTrue(found.contains("no dump of rank 1: "), found);
    assertTrue(found.contains("the ranks without a dump hold it up"), found);
    assertTrue(found.contains("rank 0: failed with: "), found);
  }

  @Test
  void fileThatIsNoDump_isRefused() throws Exception {
    Path file = Files.writeString(folder.resolve("other.json"), "{\"format\":\"else\"}");
    Invocation run = Invocation.of("diagnose", file.toString());
    assertEquals(ExitCode.USAGE, run.code());
    assertTrue(run.err().contains("must have the format jgloo-calls-1, but has else"), run.err());
    assertFalse(run.err().contains("Exception"), run.err());
  }
}
