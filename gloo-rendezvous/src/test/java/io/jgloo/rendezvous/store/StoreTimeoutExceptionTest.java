package io.jgloo.rendezvous.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The messages of timeouts. */
@Timeout(30)
final class StoreTimeoutExceptionTest {
  private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

  @Test
  void theLongestTimeout_doesNotOverflow() {
    List<String> keys = List.of("k");
    assertEquals(keys, new StoreTimeoutException(LONGEST, keys).keys());
  }
}
