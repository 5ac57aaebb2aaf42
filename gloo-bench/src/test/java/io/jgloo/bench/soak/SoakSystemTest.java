package io.jgloo.bench.soak;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.SoakReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command with real processes and real faults. */
@Timeout(300)
final class SoakSystemTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String line) {
    return SoakCommand.run(
        new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), line.split(" ", -1));
  }

  private String all() {
    return out.toString(UTF_8) + err.toString(UTF_8);
  }

  private SoakReport report() throws IOException {
    return (SoakReport) Format.read(out.toString(UTF_8));
  }

  @Tag("full")
  @Test
  void ranksThatAreKilledPausedAndCutOff_areNamedAndAllResultsRight() throws Exception {
    String line =
        "--minutes 1 --kills 3 --kill-every 0.8 --faults kill,pause,cut --ranks 3 --verbose";
    assertEquals(ExitCode.VERIFIED, run(line + " --max 64K --format json"), this::all);
    SoakReport report = report();
    assertTrue(report.collectives() > 0, this::all); // how many depends on the machine's load
    assertEquals(3, report.uses().size(), this::all);
    long heapKib = report.uses().get(0).heapKib();
    assertTrue(heapKib > 500 && heapKib < 256 << 10, this::all);
    SoakReport.FaultTimes kills = report.faults().get(0);
    assertEquals("kill", kills.fault());
    assertTrue(kills.count() >= 1, this::all);
    assertEquals(2 * kills.count(), kills.reports(), this::all);
    for (SoakReport.FaultTimes fault : report.faults()) {
      assertEquals(fault.reports(), fault.named(), this::all);
      assertTrue(fault.maxMs() >= fault.p50Ms(), this::all);
    }
    assertTrue(Format.TABLE.render(report).contains("kill"), this::all);
  }

  @Tag("full")
  @Test
  void algorithmThatLeavesOutARank_isFound() throws Exception {
    String line =
        "--minutes 1 --kill-every 0 --ranks 2 --memory-route off --max 1K --repeats 99 --format json";
    assertEquals(ExitCode.WRONG, run(line + " --algorithm starWithoutRankOne"), this::all);
    String wrong = report().wrong().get(0);
    assertTrue(wrong.contains("allreduce of ") && wrong.contains(", expected "), wrong);
  }

  @Test
  void callsInARowThatAreNone_areRefused() {
    assertEquals(ExitCode.USAGE, run("--repeats 0"));
    assertTrue(all().contains("--repeats must be at least 1, but is 0"), this::all);
  }

  @Test
  void singleRank_isRefused() {
    assertEquals(ExitCode.USAGE, run("--ranks 1"));
    assertTrue(all().contains("--ranks must be 2 to 64, but is 1"), this::all);
  }
}
