package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.rendezvous.store.PrefixStore;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.FreePort;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
      try (Store opened = Stores.open(arguments[0], rank, size, Duration.ofSeconds(100));
          Device device = Devices.open("tcp", DeviceOptions.DEFAULTS.with("bind", "127.0.0.1"));
          Context context = new Context(new Membership("world", 0, rank, size), timeout)) {
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
    String url = "tcp://127.0.0.1:" + port;
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

  /** Of three ranks one is never started; the other is told to join before rank 0. */
  @Test
  void serverTimeout_reportsTheMissingRanksToAll() throws Exception {
    ChildJvm zero = rank("job", 0, 3, SHORT_MILLIS);
    ChildJvm one = rank("job", 1, 3, LONG_MILLIS);
    begin(one);
    begin(zero);
    assertEquals("missing [2]", zero.line());
    assertEquals("missing [2]", one.line());
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
}
