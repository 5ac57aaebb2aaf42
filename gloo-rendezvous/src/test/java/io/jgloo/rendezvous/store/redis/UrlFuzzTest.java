package io.jgloo.rendezvous.store.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.rendezvous.address.HostPort;
import io.jgloo.rendezvous.store.StoreUrl;
import io.jgloo.transport.FuzzContract;
import io.jgloo.transport.FuzzTarget;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** URLs of stores, and host and port, for any text. */
final class UrlFuzzTest extends FuzzContract {

  @Override
  protected List<FuzzTarget> targets() {
    return List.of(
        target("redis-url", "redis://user:secret@[::1]:6379/2", RedisAddress::parse),
        target("store-url", "tcp://10.0.0.5:29500?prefix=job&timeout=30", StoreUrl::parse),
        target("host-port", "[fe80::1]:80", UrlFuzzTest::hostPort));
  }

  private static FuzzTarget target(
      String name, String sample, java.util.function.Consumer<String> parse) {
    return FuzzTarget.of(
        name,
        IllegalArgumentException.class,
        sample.getBytes(StandardCharsets.UTF_8),
        input -> parse.accept(new String(input, StandardCharsets.UTF_8)));
  }

  private static void hostPort(String text) {
    HostPort parsed = HostPort.parse(text);
    assertEquals(parsed.port(), HostPort.parse(parsed.toString()).port());
  }
}
