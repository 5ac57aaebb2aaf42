package io.jgloo.transport.sim;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Mistakes made on purpose are found by a seed: else the simulator looks at the wrong things. */
class MutationTest {

  private static final String PACKAGE = "io.jgloo.transport.";
  private static final long SEEDS = 4_000;
  private static final Duration TIME = Duration.ofSeconds(90);
  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");

  /**
   * A mistake: what it is, the class it is in, a line of it, the line with the mistake, and the
   * seed to begin with where not all are tried: a little before the one that last found it.
   */
  static Stream<Arguments> mistakes() {
    return Stream.of(
        arguments(
            "one byte too many fits into the window",
            "engine.CreditRoute",
            "+ cost(length) <= peerWindow()",
            "+ cost(length) <= peerWindow() + 1",
            36),
        arguments(
            "a byte too many is credited",
            "engine.CreditRoute",
            "matched += cost(length);",
            "matched += cost(length) + 1;",
            0),
        arguments(
            "no thread is woken to take over",
            "engine.Progress",
            "if (!waiter.condition.isMet()) {",
            "if (waiter == null) {",
            16),
        arguments(
            "a short write asks a selector that the connection has left",
            "sim.SimLink",
            "if (key != null && key.isValid()) {\n        key.interest(key.interest() | Key.OUT)",
            "if (key != null) {\n        key.interest(key.interest() | Key.OUT)",
            80));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mistakes")
  @Timeout(120)
  void aMistakeIsFound(String mistake, String className, String line, String changed, long near)
      throws Exception {
    long start = System.nanoTime();
    Mutant mutant = Mutant.of(PACKAGE + className, line, changed);
    String found = mutant.firstFailure(FULL ? 0 : near, SEEDS, TIME);
    assertNotNull(found, mistake + ": not found");
    System.out.printf(
        "mutation: %s: found by seed %s in %.1f s: %s%n",
        mistake,
        found.substring(0, found.indexOf(' ')),
        (System.nanoTime() - start) / 1e9,
        reason(found));
  }

  private static String reason(String found) {
    String first = found.lines().findFirst().orElse("");
    return found.lines().filter(line -> line.contains("Caused by")).findFirst().orElse(first);
  }
}
