package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.FreePort;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranks that are processes meet in a store that lives in one of them, which gives up first. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ServingRankSystemTest {
  private static final int SHORT_MILLIS = 4_000;
  private static final int LONG_MILLIS = 100_000;

  private final List<ChildJvm> children = new ArrayList<>();
  private int port;

  /** One rank: joins at the first byte of input, prints its result, stays until its input ends. */
  static final class Rank {
    private Rank() {}

    /** Arguments: URL, prefix or nothing, rank, size, timeout in milliseconds. */
    public static void main(String[] arguments) throws IOException {
      int rank = Integer.parseInt(arguments[2]);
      int size = Integer.parseInt(arguments[3]);
      Duration timeout = Duration.ofMillis(Long.parseLong(arguments[4]));
      ContextOptions options = ContextOptions.DEFAULT.withTimeout(timeout);
      try (Store opened = Stores.open(arguments[0], rank, size, Duration.ofSeconds(100));
          Device device = Devices.open("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"));
          Context context = new Context(rank, size, options)) {
        Store store = arguments[1].isEmpty() ? opened : new PrefixStore(arguments[1], opened);
        System.out.println("ready");
        System.in.read();
        Mesh mesh = context.connectFullMesh(store, device);
        System.out.println("met " + mesh.membership().size());
        while (System.in.read() >= 0) {}
      } catch (RendezvousTimeoutException e) {
        System.out.println("missing " + e.missingRanks());
      } catch (JGlooException e) {
        System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
      }
    }
  }

  @BeforeEach
  void choosePort() throws IOException {
    port = FreePort.choose();
  }

  @AfterEach
  void closeChildren() {
    children.forEach(ChildJvm::close);
  }

  private ChildJvm rank(String prefix, int rank, int size, int millis) throws IOException {
    return rank("tcp://127.0.0.1:" + port, prefix, rank, size, millis);
  }

  private ChildJvm rank(String url, String prefix, int rank, int size, int millis)
      throws IOException {
    ChildJvm child = ChildJvm.start(Rank.class, url, prefix, rank, size, millis);
    children.add(child);
    return child;
  }

  private static void begin(ChildJvm... ready) throws IOException {
    for (ChildJvm child : ready) {
      assertEquals("ready", child.line());
    }
    for (ChildJvm child : ready) {
      child.tell("begin");
    }
  }

  static Stream<String> prefixes() {
    return Boolean.getBoolean("jgloo.test.full") ? Stream.of("", "job") : Stream.of("job");
  }

  /** Of three ranks one is never started; the other is told to join before rank 0. */
  @ParameterizedTest
  @MethodSource("prefixes")
  void serverTimeout_reportsTheMissingRanksToAll(String prefix) throws Exception {
    ChildJvm zero = rank(prefix, 0, 3, SHORT_MILLIS);
    ChildJvm one = rank(prefix, 1, 3, LONG_MILLIS);
    begin(one);
    begin(zero);
    assertEquals("missing [2]", zero.line());
    assertEquals("missing [2]", one.line());
  }

  @Tag("full")
  @Test
  void serverTimeout_isReportedToManyRanksWithTheSameTimeout() throws Exception {
    String bound = "tcp://localhost:" + port + "?bind=127.0.0.1";
    for (int rank : new int[] {0, 1, 2, 4}) {
      rank(bound, "", rank, 6, SHORT_MILLIS);
    }
    begin(children.toArray(ChildJvm[]::new));
    for (ChildJvm child : children) {
      assertEquals("missing [3, 5]", child.line());
    }
  }

  @Test
  void rankThatGivesUpFirst_mayJoinAgain() throws Exception {
    ChildJvm one = rank("", 1, 3, SHORT_MILLIS);
    ChildJvm zero = rank("", 0, 3, LONG_MILLIS);
    begin(zero);
    begin(one);
    assertEquals("missing [2]", one.line());
    begin(rank("", 1, 3, LONG_MILLIS), rank("", 2, 3, LONG_MILLIS));
    for (ChildJvm child : List.of(zero, children.get(2), children.get(3))) {
      assertEquals("met 3", child.line());
    }
  }

  @Test
  void differentSizes_areReportedBeforeTheStoreCloses() throws Exception {
    begin(rank("", 0, 3, LONG_MILLIS), rank("", 1, 4, LONG_MILLIS));
    for (ChildJvm child : children) {
      String line = child.line();
      assertTrue(line.startsWith("WorldSizeMismatchException"), line);
    }
  }
}
