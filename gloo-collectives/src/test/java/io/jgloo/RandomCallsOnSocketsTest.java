package io.jgloo;

import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link RandomCallsTest}, over sockets, where long arrays are sent from where they are. */
@Timeout(300)
final class RandomCallsOnSocketsTest extends RandomCallsTest {

  static IntStream sizes() {
    return IntStream.rangeClosed(2, 5);
  }

  @Override
  Ranks ranks(int size) {
    DeviceOptions options = DeviceOptions.DEFAULTS.with("memory", "off");
    return Ranks.on(Devices.open("tcp", options), size, Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @MethodSource("sizes")
  @Override
  void agreeWithTheReference(int size) {
    super.agreeWithTheReference(size);
  }
}
