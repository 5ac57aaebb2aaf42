package io.jgloo.rendezvous.store.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreConcurrencyContract;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link RedisStore} keeps the contract on a real server. */
final class RedisStoreTest extends StoreConcurrencyContract {
  @TempDir static Path directory;
  private static RedisServer server;

  @BeforeAll
  static void startServer() throws IOException {
    assumeTrue(RedisServer.program().isPresent(), "no redis-server on the PATH");
    server = RedisServer.start(directory);
  }

  @AfterAll
  static void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected Store open() {
    return new RedisStore(server.url(), LONG);
  }

  @Override
  protected void dispose() throws Exception {
    assertEquals("+OK", server.command("FLUSHALL"));
  }

  /** What C++ Gloo sends: SETNX, EXISTS, GET. */
  @Test
  void keys_areSharedWithGloo() throws Exception {
    Store store = handle();
    assertEquals(":1", server.command("SETNX", "prefix/0", "theirs"));
    assertValue("theirs", store.get("prefix/0"));
    store.set("prefix/1", bytes("ours"));
    assertEquals(":2", server.command("EXISTS", "prefix/0", "prefix/1"));
    assertEquals("ours", server.command("GET", "prefix/1"));
    assertEquals(":0", server.command("SETNX", "prefix/1", "again"));
  }

  @Test
  void databases_areSeparate() {
    Store store = handle();
    store.set("k", bytes("0"));
    try (Store other = Stores.open(server.url() + "/3", 1, LONG)) {
      assertFalse(other.check(List.of("k")));
      other.set("k", bytes("3"));
    }
    assertValue("0", store.get("k"));
  }

  @Test
  void unreachableServer_isNamedInTheError() throws Exception {
    RedisServer brief = RedisServer.start(directory);
    try (Store store = new RedisStore(brief.url(), LONG)) {
      store.set("k", bytes("1"));
      brief.close();
      StoreUnavailableException e =
          assertThrows(StoreUnavailableException.class, () -> store.get("k"));
      assertTrue(e.getMessage().contains("127.0.0.1:" + brief.port()), e.getMessage());
    }
    assertThrows(
        StoreUnavailableException.class, () -> new RedisStore(brief.url(), Duration.ofMillis(150)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis://", "redis:///3", "redis://host/x", "http://host", "redis://h?a"})
  void invalidUrl_isQuotedInTheError(String url) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> new RedisStore(url, LONG));
    assertTrue(e.getMessage().contains(url), e.getMessage());
  }
}
