package io.jgloo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.FreePort;
import io.jgloo.transport.ShortJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real processes, started by a real launcher or as one would start them, meet by {@code init()}.
 */
@Timeout(120)
class InitSystemTest {
  private static final Set<String> ALL =
      Set.of("rank 0 of 3: 6", "rank 1 of 3: 6", "rank 2 of 3: 6");

  private final List<Process> started = new ArrayList<>();

  /** What the processes write to standard error. */
  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeft() {
    started.forEach(process -> process.destroyForcibly().onExit().join());
  }

  private static List<String> java(String... options) {
    List<String> command = ShortJvm.command("-Xmx128m");
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), InitMain.class.getName()));
    return command;
  }

  private Process start(List<String> command, Map<String, String> variables) throws Exception {
    Path errors = folder.resolve("process" + started.size());
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().keySet().removeIf(name -> name.matches("(GLOO|OMPI|PMI|SLURM).*|RANK"));
    builder.environment().putAll(variables);
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private static List<String> output(Process process) throws Exception {
    return process.inputReader(UTF_8).lines().toList();
  }

  private String errors() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < started.size(); i++) {
      Path errors = folder.resolve("process" + i);
      try {
        text.append(errors).append('\n').append(Files.readString(errors)).append('\n');
      } catch (IOException e) {
        text.append(e).append('\n');
      }
    }
    return text.toString();
  }

  @Test
  void byMpirun() throws Exception {
    boolean there =
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "mpirun.openmpi")));
    assumeTrue(there, "no mpirun.openmpi on the PATH");
    List<String> command = new ArrayList<>(List.of("mpirun.openmpi", "--oversubscribe", "-n", "3"));
    command.add(1, "--allow-run-as-root"); // which a container's user often is
    command.addAll(java());
    Process mpirun = start(command, Map.of("GLOO_SOCKET_IFNAME", "lo"));
    assertEquals(ALL, new TreeSet<>(output(mpirun)), this::errors);
    assertEquals(0, mpirun.waitFor());
  }

  /** Rank 0 serves the store, or the agent of torchrun does, as of a protocol since PyTorch 2.1. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void byTorchrun(boolean agentServes) throws Exception {
    String version = "import torch, torch.distributed.run as run; print(torch.__version__)";
    Process python = start(List.of("python3", "-c", version), Map.of());
    List<String> found = output(python);
    assumeTrue(python.waitFor() == 0, "python3 has no PyTorch");
    assumeTrue(!agentServes || !found.get(0).matches("(1|2\\.0)\\..*"), "an older store");
    List<String> command = new ArrayList<>(List.of("python3", "-m", "torch.distributed.run"));
    command.addAll(List.of("--no_python", "--nproc_per_node=3"));
    // Of a tenth process that there is not: by default PyTorch 1.13 fails on Python 3.11.
    command.addAll(List.of("--redirects=9:3", "--tee=9:3"));
    command.add(agentServes ? "--master_port=" + FreePort.choose() : "--standalone");
    command.addAll(java());
    Process torchrun = start(command, Map.of("GLOO_SOCKET_IFNAME", "lo"));
    assertEquals(ALL, new TreeSet<>(output(torchrun)), this::errors);
    assertEquals(0, torchrun.waitFor());
  }

  private Process startByTorchrun(int rank, int port, int timeoutSeconds, String... options)
      throws Exception {
    return start(
        java(options),
        Map.of(
            "RANK", Integer.toString(rank),
            "WORLD_SIZE", "3",
            "LOCAL_RANK", Integer.toString(rank),
            "MASTER_ADDR", "localhost",
            "MASTER_PORT", Integer.toString(port),
            "GLOO_TIMEOUT", Integer.toString(timeoutSeconds)));
  }

  /** Rank 2 never comes. The 5 s of rank 0 begin when rank 1 is about to join. */
  @Test
  void missingRanksAreReportedToAllWhenTheServingRankGivesUp() throws Exception {
    int port = FreePort.choose();
    Process one = startByTorchrun(1, port, 100, "-D" + InitMain.ANNOUNCE + "=true");
    assertEquals("joining", one.inputReader(UTF_8).readLine(), this::errors);
    Process zero = startByTorchrun(0, port, 5);
    assertEquals(List.of("missing [2]"), output(one), this::errors);
    assertEquals(List.of("missing [2]"), output(zero), this::errors);
  }

  @Test
  void missingVariablesAreNamed() throws Exception {
    Process lost = start(java(), Map.of("RANK", "1", "MASTER_PORT", "29500"));
    String said = output(lost).stream().collect(Collectors.joining("\n"));
    assertEquals(3, lost.waitFor(), said);
    assertTrue(said.contains("WORLD_SIZE") && said.contains("MASTER_ADDR"), said);
  }
}
