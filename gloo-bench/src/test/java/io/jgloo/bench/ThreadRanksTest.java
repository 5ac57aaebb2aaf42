package io.jgloo.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.operation.FaultyOperation;
import io.jgloo.bench.report.Machine;
import io.jgloo.collectives.CostModel;
import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs whose ranks are threads of this JVM, over real sockets. */
@Timeout(120)
final class ThreadRanksTest {

  private static final String BRIEFLY = " --threads --iters 3 --warmup 2 ";

  private static Invocation run(String line) {
    return Invocation.of((line + BRIEFLY).trim().split(" +", -1));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void everyOperationIsVerified(int ranks) {
    long before = Memory.allocatedBytes();
    Invocation run = run("all --max 16K --factor 16 --ranks " + ranks);
    assertEquals(ExitCode.VERIFIED, run.code(), run.err());
    assertEquals("", run.err());
    assertEquals(ranks == 1 ? 15 * 4 + 1 : 16 * 4 + 1, run.rows().size(), run.out());
    assertTrue(run.rows().stream().allMatch(row -> row.get(10).equals("0")), run.out());
    assertEquals(before, Memory.allocatedBytes(), "memory was not given back");
  }

  @Test
  void pretendedHosts_algorithmsOfHostsAreChosen() {
    Invocation run = run("allreduce --ranks 4 --hosts 2 --min 4 --max 1M --factor 262144");
    assertEquals(ExitCode.VERIFIED, run.code(), run.err());
    assertTrue(run.out().contains("threads on 2 pretended hosts"), run.out());
    assertTrue(run.out().contains("1 rank: shared memory"), run.out());
    assertTrue(run.out().contains("2 ranks: tcp"), run.out());
    assertTrue(run.out().contains("leaders") && run.out().contains("hierarchical"), run.out());
  }

  @ParameterizedTest
  @CsvSource({"bfloat16,sum", "int16,band", "uint64,max"})
  void typeAndOperation(String type, String op) {
    Invocation run =
        run("allreduce --ranks 3 --min 100 --max 1M --factor 100 --dtype " + type + " --op " + op);
    assertEquals(ExitCode.VERIFIED, run.code(), run.err());
    assertEquals(List.of(type, op), run.rows().get(0).subList(2, 4));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "allreduce --algorithm star", // of a provider
        "AllReduce --dtype FLOAT64 --op MAX",
        "reduce-scatter-v --dtype uint8 --op avg",
        "sendrecv --memory heap --dtype uint8",
        "barrier --algorithm leaders",
        "all --in-place --root 2 --op max",
        "all --memory heap --root 1 --dtype bfloat16",
        "all --algorithm tree",
      })
  void everyWayToAskForIt(String line) {
    String sizes = line.startsWith("barrier") ? "" : " --min 1000 --max 100K --factor 100";
    Invocation run = run(line + " --ranks 3" + sizes);
    assertEquals(ExitCode.VERIFIED, run.code(), run.err());
    assertEquals("", run.err());
    if (line.contains("--algorithm")) {
      String algorithm = line.replaceAll(".*--algorithm ([A-Za-z]+).*", "$1");
      assertTrue(run.rows().stream().anyMatch(row -> row.get(4).equals(algorithm)), run.out());
    }
  }

  @Test
  void wrongResultIsFoundAndReported() {
    Invocation run =
        Invocation.of(
            List.of(new FaultyOperation()),
            ("faulty --ranks 3 --min 4 --max 1K --factor 256" + BRIEFLY).trim().split(" +", -1));
    assertEquals(ExitCode.WRONG, run.code(), run.out() + run.err());
    assertEquals(2, run.rows().size(), run.out());
    assertEquals("0", run.rows().get(0).get(10), "one element has no place for the fault");
    assertEquals("4", run.rows().get(1).get(10), "two rounds, the timed calls, a last round");
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(
        run.err().startsWith("rank 1: faulty 1024 B: 4 wrong; the first: element 3 is "),
        run.err());
  }

  @Test
  void failureIsReportedOnce() {
    Invocation run = run("allreduce --ranks 2 --store-nothing");
    assertEquals(ExitCode.USAGE, run.code());
    Invocation bound =
        run("allreduce --ranks 3 --device-option port=1 --device-option bind=8.8.8.8");
    assertEquals(ExitCode.FAILURE, bound.code(), bound.err());
    assertEquals(1, bound.err().lines().count(), bound.err());
    assertTrue(bound.err().contains("8.8.8.8"), bound.err());
  }

  @Test
  void jsonIsOneDocument() throws IOException {
    Invocation run = run("broadcast --ranks 2 --max 64 --format json");
    assertEquals(ExitCode.VERIFIED, run.code(), run.err());
    JsonNode document = new ObjectMapper().readTree(run.out());
    assertEquals(3, document.get("rows").size());
    assertEquals(3, document.get("rows").get(0).get("iterations").asInt());
    assertEquals(2, document.get("rows").get(0).get("warmup").asInt());
  }

  @Test
  void headerNamesTheCongestionControlInUse() {
    String system = Machine.systemCongestion();
    assertTrue(
        run("barrier --ranks 2 --device-option congestion=system")
            .out()
            .contains(", congestion control " + system + "\n"));
    String host = Machine.hostCongestion();
    String used = host.equals("system") ? system : host;
    assertTrue(run("barrier --ranks 2").out().contains(", congestion control " + used));
  }

  @Test
  void calibrationFindsAModelThatCanBeRead() {
    Invocation run = run("calibrate --ranks 4 --hosts 2 --format json");
    assertEquals(ExitCode.VERIFIED, run.code(), run.err());
    Matcher found = Pattern.compile("alpha=[^\"]+").matcher(run.out());
    assertTrue(found.find(), run::out);
    assertTrue(found.group().contains(":localAlpha="), found::group);
    CostModel model = CostModel.parse(found.group());
    assertTrue(model.alpha() > 0 && model.alpha() < 1, model::toString);
    assertTrue(model.beta() > 0 && model.beta() < 1e-3, model::toString);
    assertTrue(model.gamma() > 0 && model.gamma() < 1e-3, model::toString);
  }

  @Test
  void histogramsHoldEveryCall(@TempDir Path folder) throws IOException {
    Invocation run = run("all --ranks 2 --sizes 64 --hdr " + folder);
    assertEquals(ExitCode.VERIFIED, run.code(), run.err());
    for (int rank = 0; rank < 2; rank++) {
      Path file = folder.resolve("allreduce/rank-" + rank + "-64.hlog");
      Histogram histogram = onlyHistogram(file);
      assertEquals(3, histogram.getTotalCount());
      assertEquals("allreduce", histogram.getTag());
      assertTrue(histogram.getMinValue() > 0, "times are in nanoseconds");
    }
    assertTrue(Files.exists(folder.resolve("barrier/rank-1.hlog")));
    assertFalse(Files.exists(folder.resolve("sendrecv/rank-1-64.hlog")), "an echo is not timed");
  }

  private static Histogram onlyHistogram(Path file) throws IOException {
    try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
      EncodableHistogram histogram = reader.nextIntervalHistogram();
      assertFalse(reader.hasNext());
      return (Histogram) histogram;
    }
  }
}
