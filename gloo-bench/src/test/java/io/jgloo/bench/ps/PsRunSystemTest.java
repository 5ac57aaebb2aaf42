package io.jgloo.bench.ps;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command with real processes, of which one gets SIGKILL. */
@Timeout(300)
final class PsRunSystemTest {

  private static final String AT_THE_END_SUCCEED = " ms: " + PsSurvivor.SUCCEED;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String line) {
    return Commands.run(
        new PsRun(),
        new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8),
        line.split(" ", -1));
  }

  private String all() {
    return out.toString(UTF_8) + err.toString(UTF_8);
  }

  /** The table has a row of a survivor and subject whose outcome contains a text. */
  private void assertSeen(String survivor, String subject, String outcome) {
    List<String> rows =
        out.toString(UTF_8)
            .lines()
            .filter(row -> row.startsWith(survivor) && row.contains(" " + subject + " "))
            .toList();
    assertTrue(
        rows.stream().anyMatch(row -> row.contains(outcome)),
        () -> "no row of " + survivor + " about " + subject + " with " + outcome + ":\n" + all());
  }

  private static String calls(int server) {
    return "calls to server " + server;
  }

  @Tag("full")
  @Test
  void killedWorker_isReportedToAllOthers_andCallsGoOn() {
    assertEquals(ExitCode.VERIFIED, run("--servers 1 --workers 2 bench --kill worker"), this::all);
    for (String survivor : List.of("scheduler", "server 0", "worker 0")) {
      assertSeen(survivor, "worker 1", PsSurvivor.LOST);
    }
    assertSeen("worker 0", "barrier of the workers", ": BarrierTimeoutException: ");
    assertSeen("worker 0", calls(0), AT_THE_END_SUCCEED);
  }

  @Tag("full")
  @Test
  void killedServerWithReplica_isReplaced_andAllSumsAreExact() {
    String line = "--servers 2 --workers 2 --replicas 1 bench --kill server";
    assertEquals(ExitCode.VERIFIED, run(line), this::all);
    for (String worker : List.of("worker 0", "worker 1")) {
      assertSeen(worker, calls(1), "NodeLostException");
      assertSeen(worker, "server 1", "is there");
      assertSeen(worker, calls(0), AT_THE_END_SUCCEED);
      assertSeen(worker, calls(1), AT_THE_END_SUCCEED);
    }
  }

  @Test
  void killedScheduler_failsBarriers_andCallsGoOn() {
    assertEquals(
        ExitCode.VERIFIED, run("--servers 1 --workers 1 bench --kill scheduler"), this::all);
    assertSeen("worker 0", "barrier of the workers", ": NodeLostException: ");
    assertSeen("worker 0", calls(0), AT_THE_END_SUCCEED);
  }

  @Test
  void killOfTheExample_isRefused() {
    assertEquals(ExitCode.USAGE, run("--kill worker"));
    assertTrue(all().contains("--kill needs the program bench"), this::all);
  }
}
