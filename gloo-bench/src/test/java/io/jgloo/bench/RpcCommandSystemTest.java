package io.jgloo.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jgloo.bench.report.Format;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls between two processes are timed. */
@Timeout(100)
final class RpcCommandSystemTest {

  @Test
  void echoesAndRates_areReportedAsJson() throws Exception {
    Invocation run = Invocation.of("rpc --rounds 1 --millis 30 --format json".split(" "));
    assertEquals(ExitCode.VERIFIED, run.code(), run.err());
    JsonNode report = new ObjectMapper().readTree(run.out());
    assertTrue(report.get("echoes").size() >= 6, run.out());
    for (JsonNode echo : report.get("echoes")) {
      assertTrue(echo.get("p50Us").asDouble() > 0, run.out());
      assertTrue(echo.get("p99Us").asDouble() >= echo.get("p50Us").asDouble(), run.out());
    }
    assertTrue(report.get("rates").get(0).get("callsPerSecond").asDouble() > 0, run.out());
    String table = Format.TABLE.render(Format.read(run.out()));
    assertTrue(table.contains("jgloo direct  1 MiB"), table);
  }

  @Test
  void noRounds_areRefused() {
    Invocation run = Invocation.of("rpc", "--rounds", "0");
    assertEquals(ExitCode.USAGE, run.code());
    assertTrue(run.err().contains("--rounds"), run.err());
  }
}
