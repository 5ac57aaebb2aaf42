package io.jgloo.bench.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.PeerLostException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranks of ours and of C++ Gloo lose each other, and say so in time. */
@Timeout(180)
final class ForeignFaultSystemTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String ENDLESS = "allreduce count=100003 runs=1000000000";
  private static final int CPP_THREW = 3;

  /** With -Pfull also the newer wire, which fails in the same way. */
  static Stream<String> wires() {
    Stream<String> both = Stream.of("gloo-classic", "gloo");
    return both.limit(Boolean.getBoolean("jgloo.test.full") ? 2 : 1);
  }

  @TempDir private Path folder;
  private final List<Process> processes = new ArrayList<>();
  private String store;

  @BeforeAll
  @Timeout(CppDriver.BUILD_SECONDS)
  static void buildDriver() throws Exception {
    CppDriver.make();
  }

  @BeforeEach
  void makeStore() throws IOException {
    store = "file://" + Files.createDirectory(folder.resolve("store"));
  }

  @AfterEach
  void endProcesses() {
    processes.forEach(Process::destroyForcibly);
  }

  @ParameterizedTest
  @MethodSource("wires")
  void killedCppRankIsNamed(String wire) throws Exception {
    Process killed = cpp(wire, 1, 2, PATIENCE, ENDLESS);
    PeerLostException lost =
        assertThrows(
            PeerLostException.class,
            () ->
                ours(wire, 0, 2)
                    .run(
                        group -> {
                          for (long call = 0; true; call++) {
                            CaseRun.of(group, Case.of("allreduce count=100003"));
                            if (call == 100) {
                              killed.destroyForcibly();
                            }
                          }
                        }));
    assertEquals(1, lost.peer(), lost.getMessage());
  }

  @ParameterizedTest
  @MethodSource("wires")
  void cppRankThatGivesUpIsNamed(String wire) throws Exception {
    Process impatient = cpp(wire, 1, 2, Duration.ofSeconds(5), ENDLESS);
    PeerLostException lost =
        assertThrows(
            PeerLostException.class,
            () ->
                ours(wire, 0, 2)
                    .run(
                        group -> {
                          CaseRun.of(group, Case.of("allreduce count=100003"));
                          assertEquals(CPP_THREW, codeOf(impatient)); // it waits for us in vain
                          CaseRun.of(group, Case.of("allreduce count=100003"));
                        }));
    assertEquals(1, lost.peer(), lost.getMessage());
    assertTrue(said(1).contains("Timed out"), said(1));
  }

  @ParameterizedTest
  @MethodSource("wires")
  void cppRankNoticesThatOursWasKilled(String wire) throws Exception {
    Process bereft = cpp(wire, 1, 2, PATIENCE, ENDLESS);
    Process killed = command(wire, 0, 2, ENDLESS);
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(killed.getInputStream(), UTF_8))) {
      assertEquals("begin 0", out.readLine()); // so they are connected
      killed.destroyForcibly();
    }
    assertEquals(CPP_THREW, codeOf(bereft));
    String said = said(1);
    assertTrue(said.contains("closed by peer") || said.contains("Read error"), said);
  }

  @ParameterizedTest
  @MethodSource("wires")
  void commandIsARankLikeTheDriver(String wire) throws Exception {
    List<String> plan = List.of("allreduce count=1003 tag=5", "broadcast count=7 root=1 tag=6");
    MixedJob job = MixedJob.of(CppDriver.of(wire), wire, folder);
    Path expected = job.run(2, Set.of(), plan);
    Process theirs = cpp(wire, 1, 2, PATIENCE, "--plan", lines(plan));
    Process ours = command(wire, 0, 2, "--plan", lines(plan));
    assertEquals(0, codeOf(ours), () -> said(0));
    assertEquals(0, codeOf(theirs), () -> said(1));
    assertEquals(4, Dumps.assertSame(expected, folder, 2, "the command"));
  }

  private String lines(List<String> plan) throws IOException {
    return Files.write(folder.resolve("plan"), plan).toString();
  }

  private ForeignRank ours(String wire, int rank, int size) {
    Map<String, String> attributes = Map.of("wire", wire, "bind", "127.0.0.1");
    return new ForeignRank(rank, size, store, "p", false, attributes, PATIENCE);
  }

  private Process cpp(String wire, int rank, int size, Duration timeout, String... what)
      throws IOException, InterruptedException {
    List<String> command = CppDriver.command(CppDriver.of(wire), rank, size, store, folder);
    command.addAll(List.of("--prefix", "p", "--timeout", "" + timeout.toMillis()));
    for (String word : what) {
      command.addAll(List.of(word.split(" ", -1)));
    }
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    return started(builder.redirectOutput(folder.resolve("said-" + rank).toFile()));
  }

  /** The command line in a JVM of its own; its output is the caller's to read. */
  private Process command(String wire, int rank, int size, String... what) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-XX:-UsePerfData", "-Xlog:disable", "-Xlog:all=warning:stderr"));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), ForeignCommand.class.getName()));
    command.addAll(List.of("--wire", wire, "--rank", "" + rank, "--size", "" + size));
    command.addAll(List.of("--store", store, "--prefix", "p", "--dump", folder.toString()));
    for (String word : what) {
      command.addAll(List.of(word.split(" ", -1)));
    }
    return started(
        new ProcessBuilder(command).redirectError(folder.resolve("said-" + rank).toFile()));
  }

  private Process started(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private static int codeOf(Process process) throws InterruptedException {
    assertTrue(process.waitFor(PATIENCE.toSeconds() * 2, TimeUnit.SECONDS), "it did not end");
    return process.exitValue();
  }

  private String said(int rank) {
    try {
      return Files.readString(folder.resolve("said-" + rank), UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
