package io.jgloo.examples.pytorch;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.DigitsContract;
import io.jgloo.Slurm;
import io.jgloo.TrainingPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trains with PyTorch on images of digits. */
class DigitsTest extends DigitsContract {

  private static ProcessBuilder launched(ProcessBuilder launcher) {
    launcher.environment().put("GLOO_SOCKET_IFNAME", "lo");
    launcher.command().addAll(command("-"));
    return launcher;
  }

  @Test
  void processesOfTorchrun_haveTheLossesOfOne() throws Exception {
    Path torchrun = Path.of("/usr/bin/torchrun");
    assumeTrue(Files.isExecutable(torchrun), "Debian's python3-torch is not installed");
    List<String> command = new ArrayList<>(List.of(torchrun.toString()));
    command.addAll(List.of("--no_python", "--standalone", "--nproc_per_node=2"));
    // Of a tenth process that there is not: by default PyTorch 1.13 fails on Python 3.11.
    command.addAll(List.of("--redirects=9:3", "--tee=9:3"));
    assertLosses(run("1"), losses(launched(new ProcessBuilder(command))));
  }

  @Test
  void tasksOfSlurm_haveTheLossesOfOneProcess(@TempDir Path folder) throws Exception {
    try (Slurm slurm = Slurm.start(folder)) {
      List<String> command = List.of("srun", "--immediate=60", "-n", "2");
      assertLosses(run("1"), losses(launched(slurm.command(new ArrayList<>(command)))));
    }
  }

  @Test
  void page_hasTheProgram() throws IOException {
    TrainingPage.assertShows(Digits.class, "public static double[] train");
  }
}
