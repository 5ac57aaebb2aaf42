package io.jgloo.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program in the README compiles, and does what the README says. */
@Timeout(110)
class ReadmeTest {

  private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  @Test
  void theProgramPrintsTheSumAtBothRanks() throws Exception {
    Path source = folder.resolve("Sum.java");
    Files.writeString(source, program());
    String path = System.getProperty("java.class.path");
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", path, "-d", folder.toString(), source.toString());
    assertEquals(0, status, "the program does not compile");
    List<Process> ranks = new ArrayList<>();
    String store = "tcp://127.0.0.1:" + freePort();
    try {
      for (int rank = 0; rank < 2; rank++) {
        ranks.add(start(rank, store, path));
      }
      for (int rank = 0; rank < 2; rank++) {
        String output =
            new String(ranks.get(rank).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(ranks.get(rank).waitFor(60, TimeUnit.SECONDS), "rank " + rank + " hangs");
        assertTrue(output.contains("rank " + rank + ": [1.0, 2.0, 4.0]"), output);
      }
    } finally {
      ranks.forEach(Process::destroyForcibly);
    }
  }

  private Process start(int rank, String store, String path) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(java, "-cp", folder + ":" + path, "Sum", "" + rank, "2", store)
        .redirectErrorStream(true)
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String program() throws IOException {
    Path readme = Path.of("README.md");
    while (!Files.exists(readme)) {
      readme = Path.of("..").resolve(readme);
    }
    Matcher program = PROGRAM.matcher(Files.readString(readme));
    assertTrue(program.find(), "the README has no program");
    return program.group(1);
  }
}
