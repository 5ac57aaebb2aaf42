package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.TcpStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programs of the page of remote calls: compiled, and run by two processes. */
@Timeout(300)
final class RpcPageTest {

  private static final Path PAGE = PageCode.page("docs/rpc.md");

  @TempDir private Path folder;

  @Test
  void programs_areShort_andPrintWhatTheySay() throws Exception {
    assertEquals(List.of("Hello", "RemoteCounter"), PageCode.compile(PAGE, folder));
    assertTrue(lines("Hello") <= 8, () -> lines("Hello") + " lines");
    assertTrue(lines("RemoteCounter") <= 12, () -> lines("RemoteCounter") + " lines");
    assertTrue(run("Hello").get(0).endsWith("42"), "Hello prints 42");
    assertTrue(run("RemoteCounter").get(0).endsWith("42"), "RemoteCounter prints 42");
  }

  /** Lines between those of the class and of main that are more than a brace. */
  private int lines(String program) {
    try {
      return (int)
          Files.readAllLines(folder.resolve(program + ".java")).stream()
              .map(String::strip)
              .filter(line -> !line.isEmpty() && !line.equals("}"))
              .filter(line -> !line.startsWith("import ") && !line.startsWith("public "))
              .count();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** What each of two ranks prints. */
  private List<String> run(String program) throws Exception {
    try (TcpStore store = Stores.serve("127.0.0.1", 0, Duration.ofMinutes(2))) {
      List<Process> processes = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        processes.add(
            PageCode.start(
                Map.of(
                    "RANK", Integer.toString(rank),
                    "WORLD_SIZE", "2",
                    "MASTER_ADDR", "127.0.0.1",
                    "MASTER_PORT", Integer.toString(store.port()),
                    "TORCHELASTIC_USE_AGENT_STORE", "True"),
                folder,
                program));
      }
      List<String> printed = new ArrayList<>();
      for (Process process : processes) {
        printed.add(
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the program does not end");
      }
      return printed;
    }
  }
}
