package io.jgloo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.ShortJvm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().keySet().removeIf(name -> name.matches("(GLOO|OMPI|PMI|SLURM).*|RANK"));
    builder.environment().putAll(variables);
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private static List<String> output(Process process) throws Exception {
    return new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
  }

  @Test
  void byMpirun() throws Exception {
    boolean there =
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "mpirun")));
    assumeTrue(there, "no mpirun on the PATH");
    List<String> command = new ArrayList<>(List.of("mpirun", "--oversubscribe", "-n", "3"));
    command.add(1, "--allow-run-as-root"); // which a container's user often is
    command.addAll(java());
    Process mpirun = start(command, Map.of("GLOO_SOCKET_IFNAME", "lo"));
    assertEquals(ALL, new TreeSet<>(output(mpirun)));
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
    command.add(agentServes ? "--master_port=" + freePort() : "--standalone");
    command.addAll(java());
    Process torchrun = start(command, Map.of("GLOO_SOCKET_IFNAME", "lo"));
    assertEquals(ALL, new TreeSet<>(output(torchrun)));
    assertEquals(0, torchrun.waitFor());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
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

  /** Also where Netty has no native library, as on other systems than Linux. */
  @ParameterizedTest
  @ValueSource(
      strings = {"-Dio.netty.transport.noNative=false", "-Dio.netty.transport.noNative=true"})
  void byTheVariablesOfTorchrun(String option) throws Exception {
    int port = freePort();
    List<Process> ranks = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      ranks.add(startByTorchrun(rank, port, 100, option));
    }
    List<String> lines = new ArrayList<>();
    for (Process rank : ranks) {
      lines.addAll(output(rank));
    }
    assertEquals(ALL, new TreeSet<>(lines));
  }

  @Test
  void missingRanksAreReportedToAllWhenTheServingRankGivesUp() throws Exception {
    int port = freePort();
    List<Process> ranks =
        List.of(startByTorchrun(1, port, 100), startByTorchrun(0, port, 5)); // and 2 never comes
    for (Process rank : ranks) {
      assertEquals(List.of("missing [2]"), output(rank));
    }
  }

  @Test
  void missingVariablesAreNamed() throws Exception {
    Process lost = start(java(), Map.of("RANK", "1", "MASTER_PORT", "29500"));
    String said = output(lost).stream().collect(Collectors.joining("\n"));
    assertEquals(3, lost.waitFor(), said);
    assertTrue(said.contains("WORLD_SIZE") && said.contains("MASTER_ADDR"), said);
  }
}
