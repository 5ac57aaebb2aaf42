package io.jgloo.bench.soak;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jgloo.bench.command.Commands;
import io.jgloo.bench.command.ExitCode;
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
    return Commands.run(
        new SoakCommand(),
        new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8),
        line.split(" ", -1));
  }

  private String all() {
    return out.toString(UTF_8) + err.toString(UTF_8);
  }

  private JsonNode report() throws IOException {
    return new ObjectMapper().readTree(out.toString(UTF_8));
  }

  @Tag("full")
  @Test
  void ranksThatAreKilledAndPaused_areNamedAndAllResultsRight() throws Exception {
    String line = "--minutes 0.5 --kill-every 0.8 --faults kill,pause --ranks 3";
    assertEquals(ExitCode.VERIFIED, run(line + " --max 64K --format json"), this::all);
    JsonNode report = report();
    // How many depends on the machine's load.
    assertTrue(report.get("total").get(0).get("collectives").asLong() > 0, this::all);
    assertEquals(3, report.get("uses").size(), this::all);
    assertTrue(report.get("uses").get(0).get("residentKib").asLong() > 0, this::all);
    JsonNode kills = report.get("faults").get(0);
    assertEquals("kill", kills.get("fault").asText());
    assertTrue(kills.get("count").asInt() >= 1, this::all);
    assertEquals(2 * kills.get("count").asInt(), kills.get("reports").asInt(), this::all);
    for (JsonNode fault : report.get("faults")) {
      assertEquals(fault.get("reports"), fault.get("named"), this::all);
      assertTrue(fault.get("maxMs").asDouble() >= fault.get("p50Ms").asDouble(), this::all);
    }
  }

  @Tag("full")
  @Test
  void algorithmThatLeavesOutARank_isFound() throws Exception {
    String line = "--minutes 1 --kill-every 0 --ranks 2 --memory-route off --max 1K --format json";
    assertEquals(ExitCode.WRONG, run(line + " --algorithm starWithoutRankOne"), this::all);
    String wrong = report().get("wrong").get(0).asText();
    assertTrue(wrong.contains("allreduce of ") && wrong.contains(", expected "), wrong);
  }

  @Test
  void singleRank_isRefused() {
    assertEquals(ExitCode.USAGE, run("--ranks 1"));
    assertTrue(all().contains("--ranks must be 2 to 64, but is 1"), this::all);
  }
}
