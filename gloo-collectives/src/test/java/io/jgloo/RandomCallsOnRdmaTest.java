package io.jgloo;

import io.jgloo.transport.ibverbs.RdmaRanks;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;

/** As {@link RandomCallsTest}, on real queue pairs; where there are none it is skipped. */
@Timeout(300)
final class RandomCallsOnRdmaTest extends RandomCallsTest {

  static IntStream sizes() {
    return IntStream.rangeClosed(1, 5);
  }

  @Override
  Ranks ranks(int size) {
    // Long messages are registered from 1000 bytes on, so that both ways of moving them are met.
    return Ranks.on(RdmaRanks.find().with("register", 1000).open(), size, Duration.ofMinutes(5));
  }
}
