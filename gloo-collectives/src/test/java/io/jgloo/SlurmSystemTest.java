package io.jgloo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.ShortJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that srun starts. */
@Timeout(200)
final class SlurmSystemTest {

  @Test
  void tasksOfAStep_formAGroup(@TempDir Path folder) throws Exception {
    try (Slurm slurm = Slurm.start(folder)) {
      List<String> java = new ArrayList<>(List.of("srun", "--immediate=60", "-n", "3"));
      java.addAll(ShortJvm.command("-Xmx128m", "-cp"));
      java.addAll(List.of(System.getProperty("java.class.path"), InitMain.class.getName()));
      Process srun = slurm.command(java).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      List<String> output =
          new String(srun.getInputStream().readAllBytes(), UTF_8).lines().toList();
      assertEquals(
          Set.of("rank 0 of 3: 6", "rank 1 of 3: 6", "rank 2 of 3: 6"),
          new TreeSet<>(output),
          slurm::logs);
      assertEquals(0, srun.waitFor());
    }
  }
}
