package io.jgloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An example that trains on the digits of Debian's package python3-sklearn, run in its directory.
 */
@Timeout(600)
public abstract class DigitsContract {

  protected static final Path FOLDER = Path.of("").toAbsolutePath();
  protected static final Path FILE = FOLDER.resolve("../../target/digits.csv.gz").normalize();

  private static final int EPOCHS = 5; // of 12 steps

  @BeforeAll
  static void findDigits() {
    assumeTrue(Files.exists(FILE), "no digits: run examples/digits target/digits.csv.gz");
  }

  /** Runs the script of the example. */
  protected static List<String> command(String size) {
    return List.of(FOLDER.resolve("run").toString(), size, FILE.toString(), "" + EPOCHS);
  }

  /** The losses that a run prints, one for each epoch. */
  protected static double[] losses(ProcessBuilder command) throws Exception {
    Process run = command.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> lines = run.inputReader().lines().toList();
    assertEquals(0, run.waitFor(), () -> lines.toString());
    return lines.stream()
        .filter(line -> line.startsWith("loss "))
        .mapToDouble(line -> Double.parseDouble(line.substring("loss ".length())))
        .toArray();
  }

  protected static double[] run(String size) throws Exception {
    return losses(new ProcessBuilder(command(size)));
  }

  protected static void assertLosses(double[] expected, double[] actual) {
    assertEquals(EPOCHS, actual.length);
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      assertEquals(expected[epoch], actual[epoch], 1e-5 * expected[epoch], "epoch " + epoch);
    }
  }

  @Test
  void processes_haveTheLossesOfOne() throws Exception {
    double[] alone = run("1");
    assertTrue(alone[EPOCHS - 1] < alone[0] / 2, alone[0] + ", " + alone[EPOCHS - 1]);
    for (String size : List.of("2", "4")) {
      assertLosses(alone, run(size));
    }
  }
}
