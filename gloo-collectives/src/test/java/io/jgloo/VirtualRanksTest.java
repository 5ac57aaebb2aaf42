package io.jgloo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.ShortJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Eight ranks on virtual threads share two carriers: a rank that waits does not keep its own. */
@Timeout(300)
@EnabledForJreRange(
    min = JRE.JAVA_24,
    disabledReason = "virtual threads that wait in a selector or a monitor occupy their carriers")
class VirtualRanksTest {

  private static final int RANKS = 8;
  private static final int RUNS = 20;
  private static final int CARRIERS = 2;
  private static final long SECONDS = 200;

  @TempDir Path directory;

  private static List<List<String>> routes() {
    return List.of(
        List.of("memory=off"), // sockets
        List.of("memory=off", "sockets=nio"),
        List.of("memory=auto"), // cells, and rings for long messages
        List.of("connecting=lazy")); // rings, no cells
  }

  @ParameterizedTest
  @MethodSource("routes")
  void ranksOnFewCarriers_endAllCalls(List<String> attributes) throws Exception {
    List<String> command = ShortJvm.command("-Xmx256m");
    command.add("-Djdk.virtualThreadScheduler.parallelism=" + CARRIERS);
    command.add("-Djdk.virtualThreadScheduler.maxPoolSize=" + CARRIERS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(VirtualRanksMain.class.getName(), directory.toString()));
    command.addAll(List.of("" + RANKS, "" + RUNS));
    command.addAll(attributes);
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
      String text = Files.readString(output, UTF_8);
      assertTrue(ended, () -> "the ranks are still running; output:\n" + text);
      assertEquals(0, process.exitValue(), text);
      assertTrue(text.contains("ended " + RUNS + " runs"), text);
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }
}
