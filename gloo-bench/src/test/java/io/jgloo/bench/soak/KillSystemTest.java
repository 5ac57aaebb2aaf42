package io.jgloo.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.Invocation;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.KillReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process of several ranks is killed; the others name its ranks and form a new group. */
@Timeout(200)
final class KillSystemTest {

  private static final int PROCESSES = 4;

  /** Of each process. */
  private static final int RANKS = Boolean.getBoolean("jgloo.test.full") ? 8 : 3;

  @Test
  void ranksOfOtherProcesses_nameKilledRanksAndFormANewGroup() throws Exception {
    Invocation run =
        Invocation.of(
            KillCommand::run,
            "--ranks",
            "" + PROCESSES * RANKS,
            "--processes",
            "" + PROCESSES,
            "--timeout",
            "60",
            "--format",
            "json");
    assertEquals(ExitCode.VERIFIED, run.code(), run::err);
    KillReport report = (KillReport) Format.read(run.out());
    int others = (PROCESSES - 1) * RANKS;
    assertEquals(RANKS, report.killed());
    assertEquals(others, report.failed().ranks());
    assertEquals(others, report.formed().ranks());
    assertEquals(others, report.errors().values().stream().mapToInt(count -> count).sum());
    assertEquals(others, report.named().values().stream().mapToInt(count -> count).sum());
    assertTrue(
        report.named().keySet().stream().allMatch(rank -> Integer.parseInt(rank) >= others),
        () -> "" + report.named());
    assertTrue(report.failed().maxMs() <= report.formed().firstMs(), run::err);
    assertTrue(Format.TABLE.render(report).contains("" + others), run::err);
  }

  @Test
  void singleProcess_isRefused() {
    Invocation run = Invocation.of(KillCommand::run, "--processes", "1");
    assertEquals(ExitCode.USAGE, run.code());
    assertTrue(run.err().contains("--processes must be at least 2, but is 1"), run::err);
  }
}
