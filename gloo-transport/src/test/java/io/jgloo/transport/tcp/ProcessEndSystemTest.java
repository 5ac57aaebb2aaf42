package io.jgloo.transport.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.ShortJvm;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process ends whatever its devices, meshes and waiting threads are doing. */
@Timeout(100)
class ProcessEndSystemTest {

  @ParameterizedTest
  @ValueSource(strings = {"return", "exit-while-waiting", "hook-closes"})
  void processWithOpenMeshes_ends(String how) throws IOException, InterruptedException {
    List<String> command =
        ShortJvm.command("-Xmx64m", "-cp", System.getProperty("java.class.path"));
    command.addAll(List.of(ProcessEndMain.class.getName(), how));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertTrue(process.waitFor(10, TimeUnit.SECONDS), output);
      assertEquals(0, process.exitValue(), output);
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }
}
