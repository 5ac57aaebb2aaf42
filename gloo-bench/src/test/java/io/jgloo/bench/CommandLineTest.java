package io.jgloo.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.bench.command.ExitCode;
import io.jgloo.bench.operation.Operation;
import io.jgloo.bench.operation.Operations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** A meaningless command line is refused: by option and value, with exit code 2. */
@Timeout(60)
final class CommandLineTest {

  @ParameterizedTest
  @CsvFileSource(resources = "meaningless-command-lines.txt", delimiter = '|')
  void meaninglessValueIsNamed(String line, String named) {
    Invocation run = Invocation.of(line == null ? new String[0] : line.trim().split(" +", -1));
    assertEquals(ExitCode.USAGE, run.code(), run.err());
    assertTrue(run.err().startsWith("gloo-bench: "), run.err());
    assertTrue(run.err().contains(named), run.err());
    assertEquals("", run.out());
  }

  @Test
  void helpNamesEveryOperationAndExitCode() {
    Invocation run = Invocation.of("--help");
    assertEquals(ExitCode.VERIFIED, run.code());
    for (Operation operation : Operations.all()) {
      assertTrue(run.out().contains(operation.name()), operation.name());
    }
    assertTrue(run.out().contains("Exit codes:"), run.out());
    assertTrue(run.out().contains("gloo-bench/run allreduce --ranks 4"), run.out());
    assertTrue(run.out().lines().allMatch(line -> line.length() <= 100), run.out());
  }
}
