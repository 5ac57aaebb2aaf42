package io.jgloo.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.report.Target.Series;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The quick form of the parts in which JGloo is measured alone. */
@Tag("full")
@Timeout(300)
final class ComparePartsSystemTest {

  private final CompareRun compare = new CompareRun();
  @TempDir private Path folder;

  @Test
  void groupsLoadAndGrowth() throws IOException {
    int code =
        compare.quick(
            "--conditions system --parts load,groups,growth --load-seconds 1 --peers %s --output %s"
                .formatted(CompareRun.PEERS, folder));
    assertEquals(ExitCode.VERIFIED, code, compare::err);
    JsonNode report = compare.report(folder);
    assertEquals(6, report.get("groups").size()); // 1, 2 and 4 groups, 2 sizes
    JsonNode last = report.get("load").get(report.get("load").size() - 1);
    assertTrue(last.get("calls").asLong() > 0 && last.get("descriptors").asLong() > 0);
    assertEquals(8, report.get("growth").size()); // 2 and 3 ranks, 2 modes, 2 sizes
    for (JsonNode line : report.get("growth")) {
      double theory = line.get("messagesInTheory").asDouble();
      assertEquals(theory, line.get("messages").asDouble(), 0.01, line::toString);
      assertTrue(line.get("bytesSent").asDouble() >= line.get("bytesInTheory").asLong());
      assertTrue(line.get("connectMillis").asDouble() > 0);
    }
    int most = 0;
    for (JsonNode line : report.get("forecasts")) {
      most = Math.max(most, line.get("ranks").asInt());
    }
    assertEquals(16_384, most);
  }

  @Test
  void protectionIsMeasuredInAllForms() throws IOException {
    int code =
        compare.quick(
            "--threads --conditions system --parts protection --peers %s --output %s"
                .formatted(CompareRun.PEERS, folder));
    assertEquals(ExitCode.VERIFIED, code, compare::err);
    Set<String> forms = new HashSet<>();
    for (JsonNode row : compare.report(folder).get("protection")) {
      forms.add(row.get("form").asText() + " " + row.get("bytes"));
      assertTrue(row.get("us").asDouble() > 0 && row.get("timesPlain").asDouble() > 0, "" + row);
    }
    Set<String> expected = new HashSet<>();
    for (String form :
        List.of(
            Series.OURS,
            "secret",
            "heartbeat=1000",
            "checksum=crc32c",
            "TLS, BoringSSL",
            "TLS, the JDK",
            "bare engine, BoringSSL",
            "bare engine, the JDK")) {
      expected.addAll(List.of(form + " 4", form + " 65536"));
    }
    assertEquals(expected, forms);
  }
}
