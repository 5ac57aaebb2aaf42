package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two processes of one host share memory as far as their surroundings allow, and log why not. */
@Timeout(100)
class MemoryRouteSystemTest {

  private static final String MEMFD = "shared memory (memfd)";
  private static final String FILE = "shared memory (/dev/shm)";
  private static final String TCP = "tcp";
  private static final List<String> NO_LIBRARY = List.of("-Dio.jgloo.native.enabled=false");

  @TempDir private Path folder;
  private final List<PairwiseProcess> children = new ArrayList<>();

  @AfterEach
  void endProcesses() throws IOException {
    children.forEach(PairwiseProcess::close);
    String namespace = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
    try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
      assertEquals(List.of(), files.filter(file -> isOfChild(file, namespace)).toList());
    }
  }

  /** Whether one of the children, and not another test that runs now, can have made the file. */
  private boolean isOfChild(Path file, String namespace) {
    String[] parts = file.getFileName().toString().split("-", -1);
    if (!parts[0].equals("jgloo")) {
      return false;
    }
    return !namespace.equals("pid:[" + parts[1] + "]")
        || children.stream().anyMatch(child -> parts[2].equals("" + child.pid()));
  }

  private void start(List<String> around, List<String> flags) throws IOException {
    children.add(PairwiseProcess.start(folder, children.size(), 2, around, flags, List.of()));
  }

  /** Connects both, has them exchange bytes, and compares how they say that they do. */
  private void assertRoute(String route, String... reasons) throws Exception {
    PairwiseProcess.connect(children);
    PairwiseProcess.exchange(children);
    String logs = children.get(0).log() + children.get(1).log();
    assertEquals(route, children.get(0).ask("route 1"), logs);
    assertEquals(route, children.get(1).ask("route 0"), logs);
    for (String reason : reasons) {
      assertTrue(logs.contains(reason), () -> reason + " is not in\n" + logs);
    }
  }

  /** A command that sets something up as root and runs what follows it. */
  private static List<String> unshared(String how, String first) throws Exception {
    List<String> command = new ArrayList<>(List.of("unshare"));
    command.addAll(List.of(how.split(" ")));
    command.addAll(List.of("sh", "-c", first + " exec \"$@\"", "sh"));
    List<String> trial = new ArrayList<>(command);
    trial.add("true");
    assumeTrue(new ProcessBuilder(trial).start().waitFor() == 0, "not permitted: " + trial);
    return command;
  }

  @Test
  void twoProcesses_shareAMemfd() throws Exception {
    start(List.of(), List.of());
    start(List.of(), List.of());
    assertRoute(MEMFD, "shares memory with ranks [0] (memfd, rings of 2048 KiB)");
  }

  @Test
  void withoutNativeLibrary_aFileIsShared() throws Exception {
    start(List.of(), NO_LIBRARY);
    start(List.of(), List.of());
    assertRoute(FILE, "shares memory with ranks [0] (/dev/shm");
  }

  @Test
  void privatePidNamespace_aFileIsShared() throws Exception {
    start(unshared("--pid --fork --mount-proc", ""), List.of());
    start(List.of(), List.of());
    assertRoute(FILE);
  }

  @Test
  void privateMountAndPidNamespaces_socketIsUsedAndReasonLogged() throws Exception {
    start(unshared("--pid --fork --mount-proc", "mount -t tmpfs none /dev/shm;"), List.of());
    start(List.of(), List.of());
    assertRoute(TCP, "by TCP: [0 (rank 0: the peer is in the pid namespace ", "NoSuchFile");
  }

  @Test
  void smallFileSystemWithoutNativeLibrary_socketIsUsedAndReasonLogged() throws Exception {
    String small = "mount -t tmpfs -o size=64k none /dev/shm;";
    start(List.of(), List.of());
    start(unshared("--mount", small), NO_LIBRARY);
    assertRoute(TCP, "No space left on device");
  }

  @Test
  void anotherUser_socketIsUsedAndReasonLogged() throws Exception {
    String user = "--reuid=65534 --clear-groups --inh-caps=+dac_read_search";
    List<String> around = new ArrayList<>(List.of("setpriv"));
    around.addAll(List.of((user + " --ambient-caps=+dac_read_search").split(" ")));
    List<String> trial = new ArrayList<>(around);
    trial.add("true");
    assumeTrue(new ProcessBuilder(trial).start().waitFor() == 0, "not permitted: " + trial);
    start(around, List.of());
    start(List.of(), List.of());
    assertRoute(TCP, "AccessDenied");
  }
}
