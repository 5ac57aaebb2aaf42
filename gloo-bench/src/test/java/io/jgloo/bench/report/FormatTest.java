package io.jgloo.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jgloo.bench.report.Run.Event;
import io.jgloo.bench.report.Run.Header;
import io.jgloo.bench.report.Run.Row;
import io.jgloo.bench.report.Run.Use;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What reports look like. */
@Timeout(30)
final class FormatTest {

  private static final Header HEADER =
      new Header(
          List.of("broadcast", "barrier"),
          3,
          "processes on one host",
          "direct",
          false,
          "tcp",
          Map.of("interface", "lo"),
          Map.of("shared memory (memfd)", 2L),
          "cubic",
          "bbr",
          "native",
          "JVM 17",
          "Linux 6",
          2,
          "2026-11-20T00:00:00Z");

  private static final Row BROADCAST =
      new Row(
          "broadcast",
          4096,
          1024,
          "float32",
          null,
          2,
          "tree",
          10.5,
          20.25,
          3000,
          0.390095,
          0.390095,
          7,
          500,
          2000,
          List.of(9.0, 10.5, 8.0));

  private static final Row BARRIER =
      new Row(
          "barrier",
          0,
          0,
          null,
          null,
          null,
          "dissemination",
          5,
          6,
          7,
          0,
          0,
          0,
          500,
          2000,
          List.of(5.0, 5.0, 5.0));

  private static final List<Event> EVENTS =
      List.of(
          new Event(HEADER, null, null),
          new Event(null, BROADCAST, null),
          new Event(null, BARRIER, null),
          new Event(null, null, new Use(9.5, 0.25, 102, 25, 5 << 10)));

  private static String written(Format format) {
    StringWriter text = new StringWriter();
    EVENTS.forEach(format.of(new PrintWriter(text)));
    return text.toString();
  }

  @Test
  void tableHasAHeaderATitleForEachOperationAndALineForEachSize() {
    List<String> lines = written(Format.TABLE).lines().toList();
    assertEquals(
        "# broadcast, barrier: 3 ranks, processes on one host; direct memory", lines.get(0));
    assertEquals(
        "# device tcp {interface=lo}, congestion control cubic (the system's is bbr)",
        lines.get(1));
    assertEquals("# route of rank 0 to 2 ranks: shared memory (memfd)", lines.get(2));
    assertTrue(lines.contains("# broadcast, root 2"), lines.toString());
    assertTrue(lines.contains("# barrier"), lines.toString());
    assertEquals(
        "# ready 9.50 s after the start, connected in 0.25 s; a process holds at most 102"
            + " descriptors, 25 threads and 5 MiB",
        lines.get(lines.size() - 1));
    List<String> rows = lines.stream().filter(line -> !line.startsWith("#")).toList();
    assertEquals(2, rows.size());
    assertEquals(
        List.of(
            "4096", "1024", "float32", "-", "tree", "10.50", "20.25", "3000", "0.390", "0.390",
            "7"),
        List.of(rows.get(0).trim().split(" +", -1)));
    assertEquals(rows.get(0).length(), rows.get(1).length(), "columns are not in line");
    assertEquals(
        rows.get(0).length(),
        lines.stream().filter(line -> line.endsWith("errors")).findFirst().orElseThrow().length());
  }

  @Test
  void jsonIsOneDocument() throws Exception {
    JsonNode document = new ObjectMapper().readTree(written(Format.JSON));
    assertEquals(7, document.get("errors").asLong());
    assertEquals(3, document.get("header").get("ranks").asInt());
    assertEquals("lo", document.get("header").get("deviceOptions").get("interface").asText());
    assertEquals(102, document.get("use").get("descriptors").asInt());
    JsonNode row = document.get("rows").get(0);
    assertEquals(10.5, row.get("p50Us").asDouble());
    assertEquals("tree", row.get("algorithm").asText());
    assertEquals(2, row.get("root").asInt());
    assertFalse(row.has("op"), "a broadcast has no reduce op");
    assertEquals(3, row.get("rankP50Us").size());
  }

  private static final Machine MACHINE =
      new Machine("CPU", 2, "Linux 6", "JVM 17", "cubic", "bbr", "0.1", "2026-11-20");

  private record Times(String library, long bytes, double p50Us) {}

  @Test
  void rowsOfAReportAreTheSameInBothForms() throws Exception {
    Report report =
        new Report(MACHINE)
            .fact("rounds", 3)
            .table("times", "Calls", "Medians.", List.of(new Times("a, b", 4096, 1.25)));
    JsonNode json = new ObjectMapper().readTree(Format.JSON.render(report));
    assertEquals(3, json.get("rounds").asInt());
    assertEquals(1.25, json.get("times").get(0).get("p50Us").asDouble());
    assertEquals(
        List.of("Calls", "Medians.", "  library  size   p50 us", "  a, b     4 KiB  1.25"),
        Format.TABLE.render(report).lines().skip(1).toList());
  }
}
