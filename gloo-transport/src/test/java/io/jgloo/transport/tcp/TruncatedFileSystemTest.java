package io.jgloo.transport.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.ShortJvm;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A truncated file is the fault of the peer that has it. In JVMs that interpret: compiled code is
 * told of the fault later, in any frame of its thread.
 */
@Timeout(100)
class TruncatedFileSystemTest {

  @ParameterizedTest
  @ValueSource(strings = {"segment", "segment-closing", "extent"})
  void truncatedFile_isTheFaultOfThePeer(String what) throws IOException, InterruptedException {
    List<String> command =
        ShortJvm.command("-Xint", "-Xmx128m", "-cp", System.getProperty("java.class.path"));
    command.addAll(List.of(TruncatedFileMain.class.getName(), what));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertEquals(0, process.waitFor(), output);
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }
}
