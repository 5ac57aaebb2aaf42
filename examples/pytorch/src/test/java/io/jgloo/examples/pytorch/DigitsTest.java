package io.jgloo.examples.pytorch;

import static org.bytedeco.pytorch.global.torch.manual_seed;
import static org.bytedeco.pytorch.global.torch.set_num_threads;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.Ranks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program of docs/training.md, on the digits that Debian's package python3-sklearn has. */
@Timeout(600)
class DigitsTest {

  private static final int STEPS = 50;
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
  private static final Path FILE = ROOT.resolve("target/digits.csv.gz");

  @BeforeAll
  static void load() {
    assumeTrue(Files.exists(FILE), "no digits: run examples/pytorch/digits target/digits.csv.gz");
    set_num_threads(1);
  }

  private static double[] train(int size) throws IOException {
    List<float[]> images = Digits.read(FILE);
    assertEquals(1797, images.size());
    Digits.Net[] nets = new Digits.Net[size];
    for (int rank = 0; rank < size; rank++) {
      manual_seed(rank);
      nets[rank] = new Digits.Net();
    }
    List<double[]> losses = new ArrayList<>(List.of(new double[0]));
    try (Ranks ranks = Ranks.of(size)) {
      ranks.each(
          (group, rank) -> {
            double[] own = Digits.train(group, nets[rank], images, 120, STEPS);
            if (rank == 0) {
              losses.set(0, own);
            }
          });
    }
    for (Digits.Net net : nets) {
      assertArrayEquals(
          Tensors.floats(nets[0].convolution.weight().flatten()),
          Tensors.floats(net.convolution.weight().flatten())); // in bits
    }
    return losses.get(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void losses_areThoseOfOneRank(int size) throws IOException {
    double[] alone = train(1);
    double[] together = train(size);
    for (int step = 0; step < STEPS; step++) {
      assertEquals(alone[step], together[step], 1e-5 * alone[step], "step " + step);
    }
    assertTrue(together[STEPS - 1] < together[0] / 2, Arrays.toString(together));
  }

  @Test
  void twoProcesses_train() throws Exception {
    Process run =
        new ProcessBuilder(ROOT.resolve("examples/pytorch/run").toString(), "2", "" + FILE, "30")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(run.getInputStream().readAllBytes());
    assertEquals(0, run.waitFor(), out);
    assertTrue(out.startsWith("loss 2."), out);
  }

  @Test
  void page_hasTheProgram() throws IOException {
    String program =
        Files.readString(
            ROOT.resolve("examples/pytorch/src/main/java")
                .resolve(Digits.class.getName().replace('.', '/') + ".java"));
    int start = program.indexOf("  static double[] train(");
    String shown =
        program.substring(start, program.indexOf("\n  }\n", start) + 4).replaceAll("(?m)^  ", "");
    assertTrue(Files.readString(ROOT.resolve("docs/training.md")).contains(shown), shown);
  }
}
