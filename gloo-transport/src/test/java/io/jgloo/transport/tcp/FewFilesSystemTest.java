package io.jgloo.transport.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.ShortJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A process that has run out of open files says so, and its devices work again afterwards. */
@Timeout(90)
class FewFilesSystemTest {

  private static final int OPEN_FILES = 200;
  private static final String EMFILE = "Too many open files";

  @TempDir private static Path folder;

  /** Of jars, which are kept open: a class in a folder cannot be loaded without a descriptor. */
  private static String classPath;

  @BeforeAll
  static void packClasses() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash to set a limit with");
    List<String> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(":", -1)) {
      Path path = Path.of(entry);
      jars.add(Files.isDirectory(path) ? pack(path, jars.size()).toString() : entry);
    }
    classPath = String.join(":", jars);
  }

  private static Path pack(Path classes, int number) throws IOException {
    Path jar = folder.resolve(number + ".jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream packing = new JarOutputStream(out);
        Stream<Path> all = Files.walk(classes)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        packing.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, packing);
      }
    }
    return jar;
  }

  /** What the process reports, by when. */
  private static Map<String, String> run(List<String> options, String... arguments)
      throws Exception {
    String limit = "ulimit -n " + OPEN_FILES + "; exec \"$@\"";
    List<String> command = new ArrayList<>(List.of("/bin/bash", "-c", limit, "bash"));
    command.addAll(ShortJvm.command("-Xmx128m"));
    command.add("-XX:-UseContainerSupport"); // else a thread of the JVM opens files of cgroups
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, FewFilesMain.class.getName()));
    command.addAll(Arrays.asList(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertEquals(0, process.waitFor(), output);
      assertTrue(output.endsWith("end\n"), output);
      return output
          .lines()
          .filter(line -> line.contains(": "))
          .collect(
              Collectors.toMap(
                  line -> line.substring(0, line.indexOf(": ")),
                  line -> line.substring(line.indexOf(": ") + 2),
                  (first, second) -> second,
                  HashMap::new));
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  private static final boolean FULL = Boolean.getBoolean("jgloo.test.full");

  static Stream<String> sockets() {
    return Stream.of("epoll", "nio").limit(FULL ? 2 : 1);
  }

  static Stream<String> options() {
    return Stream.of("sockets=nio", "wire=gloo-classic", "sockets=epoll", "congestion=reno")
        .limit(FULL ? 4 : 2);
  }

  private static void assertNamed(String message) {
    assertTrue(message != null && message.contains(EMFILE), message);
  }

  @ParameterizedTest
  @MethodSource("sockets")
  void dialWithoutDescriptor_namesTheCauseAndTheDeviceGoesOn(String sockets) throws Exception {
    Map<String, String> message = run(List.of(), "dial", "bind=127.0.0.1", "sockets=" + sockets);
    assertNamed(message.get("exhausted"));
    assertEquals("connected", message.get("afterwards"));
  }

  @ParameterizedTest
  @MethodSource("sockets")
  void acceptWithoutDescriptor_namesTheCause(String sockets) throws Exception {
    Map<String, String> message = run(List.of(), "accept", "bind=127.0.0.1", "sockets=" + sockets);
    assertNamed(message.get("exhausted"));
    assertTrue(!message.get("afterwards").contains(EMFILE), message.get("afterwards"));
  }

  /** One edge tells of a connection; it is still there when descriptors are. */
  @ParameterizedTest
  @MethodSource("sockets")
  void acceptWithoutDescriptor_isRepeatedOnPortsOfPairs(String sockets) throws Exception {
    Map<String, String> message =
        run(List.of(), "accept", "bind=127.0.0.1", "sockets=" + sockets, "wire=gloo-classic");
    assertNamed(message.get("exhausted"));
    assertEquals("connected", message.get("afterwards"));
  }

  @ParameterizedTest
  @MethodSource("options")
  void openWithoutDescriptor_isUnavailable(String option) throws Exception {
    Map<String, String> message = run(List.of(), "open", "bind=127.0.0.1", option);
    for (int free = 0; free < 2; free++) {
      for (String what : List.of("mesh", "device")) {
        String refusal = message.get(free + " files, " + what);
        assertTrue(refusal.startsWith("UnavailableException: "), refusal);
        // With one descriptor left the open files can be counted, and a mesh does not try.
        assertTrue(refusal.contains(EMFILE) || refusal.contains("(ulimit -n)"), refusal);
      }
    }
    assertEquals("opened TcpMesh", message.get("afterwards, mesh"));
    assertEquals("opened TcpDevice", message.get("afterwards, device"));
  }

  /** Each mesh alone would have room; the refusal names need and limit. */
  @Test
  void meshesThatTogetherNeedMoreFiles_areRefusedBeforeTheyConnect() throws Exception {
    Map<String, String> message = run(List.of(), "many", "bind=127.0.0.1");
    int meshes = Integer.parseInt(message.get("meshes"));
    assertTrue(meshes >= 2 && meshes < OPEN_FILES / 30, "" + meshes);
    String refusal = message.get("refusal");
    String others = " and may have 200 (ulimit -n); its other meshes need " + 30 * meshes;
    assertTrue(refusal.startsWith("UnavailableException: "), refusal);
    assertTrue(
        refusal.contains("needs 30 open files and 16 in reserve; this process has "), refusal);
    assertTrue(refusal.endsWith(others), refusal);
    assertTrue(message.get("lazy").startsWith("opened"), message.get("lazy"));
    assertTrue(message.get("afterwards").startsWith("opened"), message.get("afterwards"));
  }
}
