package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.file.FileStore;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.Mesh;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks of ours and processes of genuine C++ Gloo, as Debian has it, in one mesh. */
@Timeout(120)
final class GlooSystemTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Path HEADERS = Path.of("/usr/include/gloo/rendezvous/context.h");
  private static final String SOURCE = "/gloo_talk.cc";

  @TempDir static Path built;
  private static Path program;

  @TempDir Path store;

  @BeforeAll
  static void build() throws IOException, InterruptedException {
    assumeTrue(Files.exists(HEADERS), "C++ Gloo is not installed (Debian: libgloo-dev)");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/g++")), "there is no /usr/bin/g++");
    Path source = built.resolve("gloo_talk.cc");
    try (InputStream in = GlooSystemTest.class.getResourceAsStream(SOURCE)) {
      Files.copy(in, source);
    }
    program = built.resolve("gloo_talk");
    Process compiler =
        new ProcessBuilder(
                "/usr/bin/g++",
                "-std=c++17",
                source.toString(),
                "-lgloo",
                "-lpthread",
                "-o",
                program.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, compiler.waitFor(), said);
  }

  /** The language of each rank, one letter: J or C. */
  @ParameterizedTest(name = "{0}, factory {1}")
  @CsvSource({
    "JC, false",
    "CJ, false",
    "JJC, false",
    "CJC, false",
    "CCJ, true",
    "JCJ, true",
    "JCCJ, false",
    "CJJCC, true"
  })
  void javaAndCppRanks_exchangeMessages(String ranks, boolean factory) throws Exception {
    int size = ranks.length();
    ExecutorService threads = Executors.newFixedThreadPool(size);
    List<Future<String>> ends = new ArrayList<>();
    try {
      for (int rank = 0; rank < size; rank++) {
        int own = rank;
        Callable<String> body =
            ranks.charAt(rank) == 'C'
                ? () -> runTheirs(own, size, factory)
                : () -> runOurs(own, size, factory);
        ends.add(threads.submit(body));
      }
      for (Future<String> end : ends) {
        assertEquals("", end.get(90, TimeUnit.SECONDS));
      }
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(20, TimeUnit.SECONDS), "a rank has not ended");
    }
  }

  private String runTheirs(int rank, int size, boolean factory)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of(program.toString(), "" + rank, "" + size, store.toString()));
    if (factory) {
      command.add("--factory");
    }
    Path out = Files.createTempFile(built, "rank", ".txt");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      int code = process.waitFor();
      return code == 0 ? "" : "code " + code + ": " + Files.readString(out);
    } finally {
      process.destroyForcibly();
    }
  }

  private String runOurs(int rank, int size, boolean factory) {
    DeviceOptions options =
        DeviceOptions.DEFAULTS.with("bind", "127.0.0.1").with("wire", "gloo-classic");
    try (Store files = FileStore.inGlooFormat(store, LONG);
        Device device = Devices.open("tcp", options);
        Context context = new Context(rank, size)) {
      Mesh mesh = context.connectFullMesh(files, device);
      new GlooTalk(mesh).talk();
      if (factory) {
        ContextFactory more = new ContextFactory(mesh, 0);
        for (int i = 0; i < 2; i++) {
          try (Mesh made = more.makeMesh(device, LONG)) {
            new GlooTalk(made).talk();
          }
        }
      }
    }
    return "";
  }
}
