package io.jgloo.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.ExitCode;
import io.jgloo.bench.Invocation;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.KillReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process of several ranks is killed; the others name its ranks and form a new group. */
@Timeout(200)
final class KillSystemTest {

  @Test
  void ranksOfOtherProcesses_nameKilledRanksAndFormANewGroup() throws Exception {
    Invocation run =
        Invocation.of(
            KillCommand::run,
            "--ranks",
            "32",
            "--processes",
            "4",
            "--timeout",
            "60",
            "--format",
            "json");
    assertEquals(ExitCode.VERIFIED, run.code(), run::err);
    KillReport report = (KillReport) Format.read(run.out());
    assertEquals(8, report.killed());
    assertEquals(24, report.failed().ranks());
    assertEquals(24, report.formed().ranks());
    assertEquals(24, report.errors().values().stream().mapToInt(count -> count).sum());
    assertEquals(24, report.named().values().stream().mapToInt(count -> count).sum());
    assertTrue(
        report.named().keySet().stream().allMatch(rank -> Integer.parseInt(rank) >= 24),
        () -> "" + report.named());
    assertTrue(report.failed().maxMs() <= report.formed().firstMs(), run::err);
    assertTrue(Format.TABLE.render(report).contains("24"), run::err);
  }

  @Test
  void singleProcess_isRefused() {
    Invocation run = Invocation.of(KillCommand::run, "--processes", "1");
    assertEquals(ExitCode.USAGE, run.code());
    assertTrue(run.err().contains("--processes must be at least 2, but is 1"), run::err);
  }
}
