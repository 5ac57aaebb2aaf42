package io.jgloo.rendezvous.store.redis;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of Redis made from a URL. */
@Timeout(30)
final class RedisAddressTest {
  @Test
  void theLongestTimeout_doesNotOverflow() {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    RedisAddress.parse("redis://127.0.0.1:1").open(longest).close();
  }
}
