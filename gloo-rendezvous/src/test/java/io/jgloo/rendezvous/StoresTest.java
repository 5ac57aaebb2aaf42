package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Store URLs, hosts with ports, and where a server listens. */
final class StoresTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  @Test
  void aDirectory(@TempDir Path temp) {
    Path directory = temp.resolve("with space/%41");
    try (Store store = Stores.open("file://" + directory, 3, LONG)) {
      assertInstanceOf(FileStore.class, store);
      assertEquals(LONG, store.timeout());
      assertTrue(directory.toFile().isDirectory());
    }
  }

  @Test
  void aServerThatRankZeroIs() {
    int port;
    try (TcpStore probe = TcpStore.serve("127.0.0.1", 0, LONG)) {
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
  void formatsOfFiles(@TempDir Path temp) throws Exception {
    Path log = temp.resolve("log");
    try (Store first = Stores.open("file://" + log + "?format=pytorch", 0, 1, LONG)) {
      assertInstanceOf(FileLogStore.class, first);
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> Stores.open("file://" + log, 0, 2, LONG));
      assertTrue(e.getMessage().contains("format=pytorch"), e.getMessage());
    }
    assertFalse(log.toFile().exists(), "the one worker has gone");
    try (Store gloo = Stores.open("file://" + temp + "?format=gloo", 0, 2, LONG)) {
      gloo.set("0", new byte[1]);
      assertTrue(temp.resolve("2297668033614959926").toFile().exists());
    }
  }

  @Test
  void aServerThatNoRankIs() {
    try (TcpStore server = TcpStore.serve("127.0.0.1", 0, LONG);
        Store zero = Stores.open("tcp://127.0.0.1:" + server.port() + "?serve=no", 0, 2, LONG)) {
      assertFalse(((TcpStore) zero).isServer());
      assertEquals(1, zero.numKeys(), "it has been counted among the workers");
    }
  }

  @Test
  void urlsAreReadAndWrittenAlike() {
    StoreUrl url = StoreUrl.parse("x://where?ever=1&b=&c=d=e");
    assertEquals("x", url.scheme());
    assertEquals("where", url.location());
    assertEquals("d=e", url.option("c", "?"));
    assertEquals("x://where?ever=1&b=&c=d=e", url.toString());
    assertEquals("x://where?b=&c=d=e", url.without("ever").toString());
    assertThrows(IllegalArgumentException.class, () -> StoreUrl.parse("x://a?b=1&b=2"));
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
  void whatIsNoStoreUrlIsQuoted(String url) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Stores.open(url, 1, LONG));
    String quoted = url.contains("?") ? url.substring(url.indexOf('=') + 1) : url;
    assertTrue(e.getMessage().contains(quoted), e.getMessage());
  }

  @Test
  void ranksAndUrlsAreChecked() {
    assertThrows(IllegalArgumentException.class, () -> Stores.open(null, 0, LONG));
    assertThrows(IllegalArgumentException.class, () -> Stores.open("file:///tmp/x", -1, LONG));
  }

  @Test
  void hostsWithPorts() {
    assertEquals(new HostPort("::1", 80), HostPort.parse("[::1]:80"));
    assertEquals("[::1]:80", new HostPort(" [::1] ", 80).toString());
    assertEquals("node-1_x:29500", HostPort.parse("node-1_x:29500").toString());
    assertThrows(IllegalArgumentException.class, () -> new HostPort(" ", 1));
    assertThrows(IllegalArgumentException.class, () -> new HostPort("h", -1));
  }

  @Test
  void addressesAlternateBetweenFamilies() throws Exception {
    List<InetAddress> resolved = List.of(v6(1), v6(2), v6(3), v4(1), v4(2));
    assertEquals(List.of(v6(1), v4(1), v6(2), v4(2), v6(3)), StoreDialer.alternated(resolved));
    assertEquals(List.of(v4(1)), StoreDialer.alternated(List.of(v4(1))));
    assertEquals(List.of(), StoreDialer.alternated(List.of()));
  }

  private static InetAddress v4(int last) throws Exception {
    return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
  }

  private static InetAddress v6(int last) throws Exception {
    byte[] address = new byte[16];
    address[15] = (byte) last;
    return InetAddress.getByAddress(address);
  }

  @Test
  void aServerListensWhereItsNameLeads() {
    assertTrue(BindAddress.of(new HostPort("localhost", 1)).getAddress().isLoopbackAddress());
    assertTrue(BindAddress.of(new HostPort("127.0.0.1", 1)).getAddress().isLoopbackAddress());
    assertTrue(BindAddress.of(new HostPort("127.3.2.1", 1)).getAddress().isLoopbackAddress());
    assertTrue(BindAddress.of(new HostPort("192.0.2.7", 1)).getAddress().isAnyLocalAddress());
    assertThrows(
        StoreUnavailableException.class, () -> BindAddress.of(new HostPort("no.invalid", 1)));
  }
}
