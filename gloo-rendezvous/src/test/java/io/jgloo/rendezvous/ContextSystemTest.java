package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.file.FileStore;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that are processes meet in a directory, and are killed by SIGKILL. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ContextSystemTest {
  @TempDir Path directory;

  /** One rank: prints its result, and stays until its input ends. */
  static final class Rank {
    private Rank() {}

    private static DeviceOptions options(String[] arguments) {
      DeviceOptions options = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");
      boolean secret = arguments.length > 4 && !arguments[4].isEmpty();
      return secret ? options.with("secret-file", arguments[4]) : options;
    }

    /** Arguments: directory, rank, size, timeout in seconds, and the file of a secret, if any. */
    public static void main(String[] arguments) throws IOException {
      Duration timeout = Duration.ofSeconds(Long.parseLong(arguments[3]));
      ContextOptions options = ContextOptions.DEFAULT.withTimeout(timeout);
      try (Store store = new FileStore(Path.of(arguments[0]), timeout);
          Device device = Devices.open("tcp", options(arguments));
          Context context =
              new Context(
                  Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), options)) {
        System.out.println("begins");
        Mesh mesh = context.connectFullMesh(store, device);
        System.out.println("met " + mesh.hosts().size());
        while (System.in.read() >= 0) {}
        System.out.println(mesh.failure().map(e -> e.getClass().getSimpleName()).orElse("fine"));
      } catch (JGlooException e) {
        System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
      }
    }
  }

  /** Two processes with different secrets, or only one with a secret, beside two with the same. */
  @Tag("full")
  @Test
  void wrongOrMissingSecret_isReportedByBothProcesses() throws Exception {
    Path red = secret("red");
    List<ChildJvm> children = new ArrayList<>();
    for (Object other : List.of(secret("blue"), "")) {
      Path place = directory.resolve("store" + children.size());
      children.add(ChildJvm.start(Rank.class, place, 0, 2, 60, red));
      children.add(ChildJvm.start(Rank.class, place, 1, 2, 60, other));
    }
    children.add(ChildJvm.start(Rank.class, directory.resolve("right"), 0, 2, 60, red));
    children.add(ChildJvm.start(Rank.class, directory.resolve("right"), 1, 2, 60, red));
    for (ChildJvm child : children) {
      assertEquals("begins", child.line());
    }
    for (ChildJvm child : children.subList(4, 6)) {
      assertEquals("met 2", child.line());
    }
    for (ChildJvm child : children.subList(0, 4)) {
      String line = child.line();
      assertTrue(line.startsWith("AuthenticationException "), line);
      assertTrue(!line.contains("the secret is"), line);
    }
    closeAll(children);
  }

  private Path secret(String name) throws IOException {
    FileAttribute<?> owner =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Path file = Files.createFile(directory.resolve("secret-" + name), owner);
    return Files.writeString(file, "the secret is " + name + "\n");
  }

  private ChildJvm rank(int rank, int size, int seconds) throws IOException {
    ChildJvm child = ChildJvm.start(Rank.class, directory, rank, size, seconds);
    assertEquals("begins", child.line());
    return child;
  }

  private static void closeAll(List<ChildJvm> children) {
    children.forEach(ChildJvm::close);
  }

  private List<ChildJvm> ranks(int size, int seconds) throws IOException {
    List<ChildJvm> children = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      children.add(ChildJvm.start(Rank.class, directory, rank, size, seconds));
    }
    for (ChildJvm child : children) {
      assertEquals("begins", child.line());
    }
    return children;
  }

  @Test
  void runAfterAKilledOne_meetsInTheSameDirectory() throws Exception {
    for (int size : List.of(3, 2)) {
      List<ChildJvm> children = ranks(size, 60);
      for (ChildJvm child : children) {
        assertEquals("met " + size, child.line());
      }
      closeAll(children);
    }
  }

  @Test
  void rankKilledWhileItWaits_mayJoinAgain() throws Exception {
    List<ChildJvm> children = new ArrayList<>();
    children.add(rank(0, 2, 60));
    try (Store store = new FileStore(directory)) {
      store.wait(List.of("world@0/rank/0"), store.timeout());
    }
    children.get(0).kill();
    children.add(rank(1, 2, 60));
    children.add(rank(0, 2, 60));
    assertEquals("met 2", children.get(1).line());
    assertEquals("met 2", children.get(2).line());
    closeAll(children);
  }

  @Tag("full")
  @Test
  void duplicateRank_isReportedToBoth() throws Exception {
    try (ChildJvm first = rank(1, 2, 60)) {
      try (Store store = new FileStore(directory)) {
        store.wait(List.of("world@0/rank/1"), store.timeout());
      }
      try (ChildJvm second = rank(1, 2, 60)) {
        assertTrue(second.line().startsWith("DuplicateRankException"));
        assertTrue(first.line().startsWith("DuplicateRankException"));
      }
    }
  }

  @Tag("full")
  @Test
  void differentSizes_areReportedToAllRanks() throws Exception {
    List<ChildJvm> children = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      children.add(ChildJvm.start(Rank.class, directory, rank, rank == 1 ? 4 : 3, 5));
    }
    for (ChildJvm child : children) {
      assertEquals("begins", child.line());
      String line = child.line();
      assertTrue(line.startsWith("WorldSizeMismatchException"), line);
    }
    closeAll(children);
  }
}
