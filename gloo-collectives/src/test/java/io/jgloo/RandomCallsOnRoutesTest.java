package io.jgloo;

import io.jgloo.transport.Certificates;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * As {@link RandomCallsTest}, round by round on every route between ranks, with groups of 1 to 5
 * ranks and with parts of these groups, of one rank too.
 *
 * <p>Each round has a seed of its own, from which route and size follow: {@code -Dgloo.seed=SEED}
 * makes that round first. With {@code -Djgloo.test.full=true}, as {@code -Pfull} sets it, rounds go
 * on for a minute, else for some seconds.
 */
@Timeout(600)
final class RandomCallsOnRoutesTest {

  private static final Duration TIME =
      Duration.ofSeconds(Boolean.getBoolean("jgloo.test.full") ? 60 : 1);
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int LARGEST = 5;
  private static final int CASES = 20;

  /** How bytes move between two ranks. */
  private enum Route {
    MEMORY,
    SOCKETS("memory", "off"),
    NIO("memory", "off", "sockets", "nio"),
    CONNECTIONS("memory", "off", "connections", "3"),
    SMALL_WINDOW("memory", "off", "eager", "100", "window", "4096"),
    TLS("memory", "off");

    @SuppressWarnings("ImmutableEnumChecker") // its maps are copies that nothing changes
    private final DeviceOptions options;

    Route(String... attributes) {
      DeviceOptions all = DeviceOptions.DEFAULTS.with("bind", "127.0.0.1");
      for (int i = 0; i < attributes.length; i += 2) {
        all = all.with(attributes[i], attributes[i + 1]);
      }
      options = all;
    }

    DeviceOptions options() {
      if (this != TLS) {
        return options;
      }
      Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
      return Certificates.of("jgloo://" + Certificates.JOB, tomorrow, false).addTo(options);
    }
  }

  @Test
  void callsOnEveryRoute_agreeWithTheReference() {
    long first = Long.getLong("gloo.seed", System.nanoTime());
    long start = System.nanoTime();
    int rounds = 0;
    while (rounds < Route.values().length || System.nanoTime() - start < TIME.toNanos()) {
      round(first + rounds++);
    }
    System.out.println(rounds + " rounds of random calls: -Dgloo.seed=" + first);
  }

  private static void round(long seed) {
    Route route = Route.values()[Math.floorMod(seed, Route.values().length)];
    Random random = new Random(seed);
    int size = 1 + random.nextInt(LARGEST);
    int parts = 1 + random.nextInt(size);
    String replay = "-Dgloo.seed=" + seed + ", " + route + ", " + size + " ranks";
    try (Ranks ranks = Ranks.on(Devices.open("tcp", route.options()), size, TIMEOUT)) {
      ranks.each(
          (group, rank) -> {
            RandomCallsTest.check(group, seed, CASES, replay);
            int color = rank % parts;
            try (ProcessGroup part = group.split(color, 0).orElseThrow()) {
              RandomCallsTest.check(part, seed + 1 + color, CASES / 2, replay);
            }
            RandomCallsTest.check(group, ~seed, CASES / 2, replay);
            group.barrier();
          });
    } catch (AssertionError e) {
      throw new AssertionError(replay, e);
    }
  }
}
