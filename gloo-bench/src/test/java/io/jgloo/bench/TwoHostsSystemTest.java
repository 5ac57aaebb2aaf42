package io.jgloo.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.bench.command.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code two-hosts}: its command line, and with -Pfull what leaves a host. */
@Timeout(300)
final class TwoHostsSystemTest {

  private static final int NOT_PERMITTED = 77;

  @TempDir private Path folder;

  private record Result(int code, String text) {}

  @Test
  void commandLineIsChecked() throws IOException, InterruptedException {
    assertEquals(ExitCode.VERIFIED, run("--help").code());
    Result unknown = run("--host", "2");
    assertEquals(ExitCode.USAGE, unknown.code(), unknown.text());
    assertTrue(unknown.text().contains("unknown option --host"), unknown.text());
    Result none = run("--iters", "0");
    assertEquals(ExitCode.USAGE, none.code(), none.text());
    assertTrue(none.text().contains("must be 1 or more"), none.text());
  }

  @Test
  @Tag("full")
  void vectorLeavesEachHostOnce() throws IOException, InterruptedException {
    Result result = run("--size", "1M", "--iters", "4", "hierarchical");
    assumeTrue(result.code() != NOT_PERMITTED, result.text());
    assertEquals(ExitCode.VERIFIED, result.code(), result.text());
    Matcher line = Pattern.compile("hierarchical +(\\S+) +(\\S+) +\\S+").matcher(result.text());
    assertTrue(line.find(), result.text());
    for (int host = 1; host <= 2; host++) {
      double mebibytes = Double.parseDouble(line.group(host));
      assertTrue(mebibytes >= 1 && mebibytes < 1.2, result.text());
    }
  }

  private Result run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("../gloo-bench/two-hosts"));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(process.waitFor(240, TimeUnit.SECONDS), "two-hosts did not end");
    } finally {
      process.destroy();
    }
    return new Result(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
  }
}
