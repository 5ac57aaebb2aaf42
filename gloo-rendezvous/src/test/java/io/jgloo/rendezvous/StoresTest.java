package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rendezvous.store.TcpStore;
import io.jgloo.rendezvous.store.file.FileLogStore;
import io.jgloo.rendezvous.store.file.FileStore;
import io.jgloo.rendezvous.store.tcp.TcpStoreClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores opened by their URLs. */
final class StoresTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  @Test
  void fileUrl_opensADirectory(@TempDir Path temp) {
    Path directory = temp.resolve("with space/%41");
    try (Store store = Stores.open("file://" + directory, 3, LONG)) {
      assertInstanceOf(FileStore.class, store);
      assertEquals(LONG, store.timeout());
      assertTrue(directory.toFile().isDirectory());
    }
  }

  @Test
  void tcpUrl_isServedByRankZero() {
    int port;
    try (TcpStoreClient probe = TcpStoreClient.serve("127.0.0.1", 0, LONG)) {
      port = probe.port();
    }
    String url = "tcp://127.0.0.1:" + port + "/";
    try (Store server = Stores.open(url, 0, LONG);
        Store client = Stores.open(url, 1, LONG)) {
      client.set("k", new byte[1]);
      assertTrue(server.check(List.of("k")));
    }
  }

  @Test
  void formatOption_choosesTheFileFormat(@TempDir Path temp) throws Exception {
    Path log = temp.resolve("log");
    try (Store first = Stores.open("file://" + log + "?format=pytorch", 0, 1, LONG)) {
      assertInstanceOf(FileLogStore.class, first);
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> Stores.open("file://" + log, 0, 2, LONG));
      assertTrue(e.getMessage().contains("format=pytorch"), e.getMessage());
    }
    assertFalse(log.toFile().exists(), "the one worker has closed its handle");
    try (Store gloo = Stores.open("file://" + temp + "?format=gloo", 0, 2, LONG)) {
      gloo.set("0", new byte[1]);
      assertTrue(temp.resolve("2297668033614959926").toFile().exists());
    }
  }

  @Test
  void serveNo_connectsRankZeroToo() {
    try (TcpStoreClient server = TcpStoreClient.serve("127.0.0.1", 0, LONG);
        Store zero = Stores.open("tcp://127.0.0.1:" + server.port() + "?serve=no", 0, 2, LONG)) {
      assertFalse(((TcpStoreClient) zero).isServer());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "host:1",
        "http://host:1",
        "file:/x",
        "file://relative",
        "file:///",
        "file:///x?a=b",
        "tcp://host",
        "tcp://host:",
        "tcp://:1",
        "tcp://host:0",
        "tcp://host:65536",
        "tcp://host:x",
        "tcp://::1:80",
        "tcp://host:1?serve=maybe",
        "tcp://host:1?color=red",
        "file:///x?format=zip",
        "env://"
      })
  void invalidUrl_isQuotedInTheError(String url) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Stores.open(url, 1, LONG));
    String quoted = url.contains("?") ? url.substring(url.indexOf('=') + 1) : url;
    assertTrue(e.getMessage().contains(quoted), e.getMessage());
  }

  @Test
  void nullUrlOrNegativeRank_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> Stores.open(null, 0, LONG));
    assertThrows(IllegalArgumentException.class, () -> Stores.open("file:///tmp/x", -1, LONG));
  }

  @Test
  void bindThatIsNoAddress_isNamed() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Stores.open("tcp://127.0.0.1:29500?bind=999.1.1.1", 0, Duration.ofSeconds(20)));
    assertEquals("bind must be an address of this host, is 999.1.1.1", e.getMessage());
  }

  @Test
  void secondStoreAtOnePort_saysHowToShareTheFirst() {
    try (TcpStore first = Stores.serve("127.0.0.1", 0, Duration.ofSeconds(20))) {
      StoreUnavailableException e =
          assertThrows(
              StoreUnavailableException.class,
              () -> Stores.serve("127.0.0.1", first.port(), Duration.ofSeconds(20)));
      assertTrue(e.getMessage().contains("share its handle"), e.getMessage());
    }
  }
}
