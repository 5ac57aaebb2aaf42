package io.jgloo.bench.regret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.bench.Invocation;
import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.report.Format;
import io.jgloo.bench.report.RegretReport;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.Algorithms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The choice of algorithms beside all candidates, between ranks of this JVM and of two hosts. */
@Timeout(300)
final class RegretSystemTest {

  private static final int NOT_PERMITTED = 77;

  @TempDir private Path folder;

  private Invocation rank(int rank) {
    String store = "file://" + folder.resolve("store");
    return Invocation.of(
        RegretCommand::run,
        ("--rank " + rank + " --size 2 --store " + store + " --sizes 4,64K --rounds 1")
            .concat(
                " --operations allreduce,broadcast --format json --device-option bind=127.0.0.1")
            .split(" ", -1));
  }

  @Tag("full")
  @Test
  void everyAlgorithmIsMeasured_andTheChoiceIsThatOfTheModel() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    Invocation first;
    try {
      Future<Invocation> other = threads.submit(() -> rank(1));
      first = threads.submit(() -> rank(0)).get(200, TimeUnit.SECONDS);
      assertEquals(ExitCode.VERIFIED, other.get(60, TimeUnit.SECONDS).code());
    } finally {
      threads.shutdownNow();
    }
    assertEquals(ExitCode.VERIFIED, first.code(), first.err());
    RegretReport report = (RegretReport) Format.read(first.out());
    assertEquals(4, report.points().size());
    CostModel model = CostModel.parse(report.model());
    for (RegretReport.Point point : report.points()) {
      boolean reduces = point.operation().equals("allreduce");
      long count = point.bytes() / Float.BYTES;
      Shape shape = reduces ? Shape.allreduce(2, count, 4) : Shape.broadcast(2, 0, count, 4);
      Collective collective = reduces ? Collective.ALLREDUCE : Collective.BROADCAST;
      assertEquals(Algorithms.select(shape.withInPlace(true), model).name(), point.chosen());
      assertEquals(
          Algorithms.of(collective).size() - 1,
          point.measured().size(), // all but flat
          point.operation());
      assertTrue(point.measured().stream().allMatch(each -> each.p50Us() > 0), first.out());
      assertTrue(point.regret() >= 1, first.out());
    }
    assertTrue(Format.TABLE.render(report).contains("regret"), first.out());
  }

  @Test
  void operationThatHasNoModel_isRefused() {
    Invocation run =
        Invocation.of(
            RegretCommand::run, "--rank 0 --size 2 --store x --operations split".split(" ", -1));
    assertEquals(ExitCode.USAGE, run.code());
    assertTrue(run.err().contains("--operations"), run.err());
  }

  @Test
  void commandLineOfTheScriptIsChecked() throws IOException, InterruptedException {
    assertEquals(ExitCode.VERIFIED, script("--help"));
    assertEquals(ExitCode.USAGE, script("--hosts", "2"));
    assertTrue(text().contains("unknown option --hosts"), text());
    assertEquals(ExitCode.USAGE, script("--layouts", "2x1,4"));
    assertTrue(text().contains("one is '4'"), text());
    assertEquals(ExitCode.USAGE, script("--rate", "1gbit"));
    assertTrue(text().contains("they are '1gbit'"), text());
  }

  @Test
  @Tag("full")
  void noAlgorithmIsFasterThanTheLinks() throws IOException, InterruptedException {
    String line = "--layouts 2x1 --rate 100mbit --operations allreduce --sizes 1M --output ";
    int code = script((line + folder).split(" ", -1));
    assumeTrue(code != NOT_PERMITTED, this::text);
    assertEquals(ExitCode.VERIFIED, code, this::text);
    Path file = folder.resolve("2x1.json");
    RegretReport report = (RegretReport) Format.read(Files.readString(file));
    double least = 0.8 * 1e6 * (1 << 20) / 12.5e6;
    for (RegretReport.Measured each : report.points().get(0).measured()) {
      assertTrue(each.leastUs() >= least, () -> each + " took less than " + least + " us");
    }
    assertTrue(CostModel.parse(report.model()).beta() >= 0.8 / 12.5e6, report.model());
  }

  private String text() {
    try {
      return Files.readString(folder.resolve("output"), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "" + e;
    }
  }

  private int script(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("../gloo-bench/regret"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    try {
      assertTrue(process.waitFor(240, TimeUnit.SECONDS), "regret did not end");
    } finally {
      process.destroy();
    }
    return process.exitValue();
  }
}
