package io.jgloo.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jgloo.bench.Invocation;
import io.jgloo.bench.command.ExitCode;
import java.util.Iterator;
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
    String line = "kill --ranks %d --processes %d --timeout 60 --format json";
    Invocation run = Invocation.of(line.formatted(PROCESSES * RANKS, PROCESSES).split(" ", -1));
    assertEquals(ExitCode.VERIFIED, run.code(), run::err);
    JsonNode report = new ObjectMapper().readTree(run.out());
    int others = (PROCESSES - 1) * RANKS;
    assertEquals(RANKS, report.get("killed").asInt());
    JsonNode failed = report.get("times").get(0);
    JsonNode formed = report.get("times").get(1);
    assertEquals(others, failed.get("count").asInt());
    assertEquals(others, formed.get("count").asInt());
    assertTrue(failed.get("maxMs").asDouble() <= formed.get("firstMs").asDouble(), run::out);
    int errors = 0;
    for (JsonNode error : report.get("errors")) {
      errors += error.get("count").asInt();
    }
    assertEquals(others, errors);
    int named = 0;
    for (Iterator<String> ranks = report.get("named").fieldNames(); ranks.hasNext(); ) {
      String rank = ranks.next();
      assertTrue(Integer.parseInt(rank) >= others, run::out);
      named += report.get("named").get(rank).asInt();
    }
    assertEquals(others, named);
  }

  @Test
  void singleProcess_isRefused() {
    Invocation run = Invocation.of("kill", "--processes", "1");
    assertEquals(ExitCode.USAGE, run.code());
    assertTrue(run.err().contains("--processes must be at least 2, but is 1"), run::err);
  }
}
