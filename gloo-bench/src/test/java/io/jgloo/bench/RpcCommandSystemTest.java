package io.jgloo.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jgloo.bench.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
    assertEquals(2, report.get("references").size(), run.out());
    for (JsonNode reference : report.get("references")) {
      assertTrue(reference.get("p50Us").asDouble() > 0, run.out());
      assertTrue(reference.get("p99Us").asDouble() >= reference.get("p50Us").asDouble(), run.out());
      assertTrue(reference.get("perSecond").asDouble() > 0, run.out());
    }
  }

  @Test
  void driverThatDoesNotRun_isReported(@TempDir Path folder) throws Exception {
    Path driver = folder.resolve("torch_rpc.py");
    Files.writeString(driver, "import no.such.module\n");
    Invocation run = Invocation.of("rpc", "--rounds", "1", "--pytorch", driver.toString());
    assertEquals(ExitCode.FAILURE, run.code(), run.err());
    assertTrue(run.err().contains("PyTorch's rpc does not run"), run.err());
  }

  @Test
  void noRounds_areRefused() {
    Invocation run = Invocation.of("rpc", "--rounds", "0");
    assertEquals(ExitCode.USAGE, run.code());
    assertTrue(run.err().contains("--rounds"), run.err());
  }
}
