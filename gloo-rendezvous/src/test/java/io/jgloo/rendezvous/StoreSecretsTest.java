package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.StoreUrl;
import io.jgloo.rendezvous.store.redis.RedisStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No message, stack trace or log line repeats the password in a store's URL. */
final class StoreSecretsTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  private static void assertHidden(Throwable e) {
    StringWriter trace = new StringWriter();
    e.printStackTrace(new PrintWriter(trace));
    assertFalse(trace.toString().contains("hunter2"), trace.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://u:hunter2@",
        "redis://u:hunter2@host/x",
        "redis://:hunter2@host?a=b",
        "redis://:hunter2 @host",
        "redis://:hunter2/x@host",
        "redis://:hunter2@x@host ",
        "redis://host?password=hunter2",
        "redis://u:hunter2@127.0.0.1:1",
        "redisses://u:hunter2@host",
        "tcp://u:hunter2@host",
        "tcp://u:hunter2@host:1?serve=maybe",
        "file://u:hunter2@host/x",
        "://u:hunter2@host",
        "x://u:hunter2@host?&",
      })
  void aRefusedUrl_isQuotedWithoutItsPassword(String url) {
    assertHidden(assertThrows(RuntimeException.class, () -> Stores.open(url, 0, 2, SHORT)));
    assertHidden(assertThrows(RuntimeException.class, () -> new RedisStore(url, SHORT)));
  }

  @Test
  void aUrlAndALaunch_areShownWithoutPassword() {
    String url = "redis://u:hunter2@host:1/3";
    assertEquals("redis://***@host:1/3", StoreUrl.parse(url).toString());
    Launch launch = new Launch("test", 0, 1, url, 0, Optional.empty(), Optional.empty());
    assertTrue(launch.toString().endsWith("redis://***@host:1/3"), launch.toString());
    assertEquals(url, launch.store());
    assertEquals("file:///a@b?c=d@e", StoreUrl.parse("file:///a@b?c=d@e").toString());
  }
}
