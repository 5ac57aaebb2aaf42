package io.jgloo.rendezvous.time;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deadlines that are very far. */
@Timeout(30)
final class DeadlineTest {
  private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

  @Test
  void theLongestTimeout_doesNotOverflow() {
    assertTrue(Deadline.after(LONGEST).remainingNanos() > 0);
    assertTrue(Deadline.after(LONGEST).later(LONGEST).remainingNanos() > 0);
  }
}
