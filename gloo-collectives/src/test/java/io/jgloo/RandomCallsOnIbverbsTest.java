package io.jgloo;

import io.jgloo.transport.ibverbs.SoftRanks;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link RandomCallsTest}, on the ibverbs device's software double. */
@Timeout(300)
final class RandomCallsOnIbverbsTest extends RandomCallsTest {

  private final SoftRanks soft = SoftRanks.reordering(42).with("register", 1000);

  static IntStream sizes() {
    return IntStream.of(1, 2, 3, 4, 7);
  }

  @Override
  Ranks ranks(int size) {
    return Ranks.on(soft.open(), size, Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @MethodSource("sizes")
  @Override
  void agreeWithTheReference(int size) {
    super.agreeWithTheReference(size);
    soft.check();
  }
}
