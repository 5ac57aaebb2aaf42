package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.file.FileStore;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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

    /** Arguments: directory, rank, size, timeout in seconds. */
    public static void main(String[] arguments) throws IOException {
      Duration timeout = Duration.ofSeconds(Long.parseLong(arguments[3]));
      int rank = Integer.parseInt(arguments[1]);
      int size = Integer.parseInt(arguments[2]);
      try (Store store = new FileStore(Path.of(arguments[0]), timeout);
          Device device = Devices.open("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"));
          Context context = new Context(new Membership("world", 0, rank, size), timeout)) {
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
}
