package io.jgloo.bench.ps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.bench.Invocation;
import io.jgloo.bench.command.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes of a parameter server as processes. */
@Timeout(180)
final class PsRunSystemTest {
  @Test
  void exampleOfPsLite_hasTheRightValues() {
    Invocation run = Invocation.of("ps", "--servers", "1", "--workers", "1");
    assertEquals(ExitCode.VERIFIED, run.code(), run::err);
  }
}
