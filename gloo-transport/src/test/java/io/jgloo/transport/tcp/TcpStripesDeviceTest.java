package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.AbortContract;
import io.jgloo.transport.Area;
import io.jgloo.transport.ClosingContract;
import io.jgloo.transport.ConnectContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.MessageContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ReductionContract;
import io.jgloo.transport.Request;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.UnexpectedContract;
import io.jgloo.transport.tcp.stream.Stripes;
import io.jgloo.transport.tcp.wire.PairOptions;
import java.time.Duration;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The TCP device with three connections a pair and heartbeats keeps the contract, with messages cut
 * in three.
 */
@Timeout(100)
class TcpStripesDeviceTest
    implements MessageContract,
        UnexpectedContract,
        ReductionContract,
        ClosingContract,
        AbortContract,
        ConnectContract {

  private static final DeviceOptions OPTIONS = Loopback.OPTIONS;

  @Override
  public Ranks ranks(int size) {
    DeviceOptions options =
        OPTIONS
            .with("connections", "3")
            .with("eager", "4096")
            .with("heartbeat", "1000")
            .with("misses", "60");
    return ranks(size, rank -> options);
  }

  private static Ranks ranks(int size, IntFunction<DeviceOptions> options) {
    return new ThreadRanks(size, rank -> Devices.open("tcp", options.apply(rank)));
  }

  /** Of 16 parts, of lengths around where cutting begins and where parts differ. */
  @ParameterizedTest
  @ValueSource(ints = {65_535, 65_536, 3_000_001})
  void manyPartsManyMessages(int bytes) {
    DeviceOptions options = OPTIONS.with("connections", "16").with("eager", "0");
    ranks(2, rank -> options)
        .run(
            rank -> {
              int peer = 1 - rank.rank();
              Request[] all = new Request[12];
              Area[] in = new Area[all.length / 2];
              for (int i = 0; i < in.length; i++) {
                in[i] = rank.area(bytes);
                all[i] = rank.recv(peer, i % 2, in[i]);
              }
              for (int i = 0; i < in.length; i++) {
                all[in.length + i] = rank.send(peer, i % 2, rank.area(bytes).fill(i));
              }
              rank.complete(all);
              for (int i = 0; i < in.length; i++) {
                in[i].check(i);
              }
            });
  }

  /** A good-bye goes by the first connection and may overtake what is on the others. */
  @Test
  void aGoodbyeOvertakesNothing() {
    DeviceOptions options = OPTIONS.with("connections", "8");
    for (int i = 0; i < 5; i++) {
      ranks(2, rank -> options)
          .run(
              rank -> {
                Area area = rank.area(2_000_000);
                if (rank.rank() == 0) {
                  rank.complete(rank.recv(1, 1, area));
                  area.check(7);
                  rank.meet();
                } else {
                  rank.complete(rank.send(0, 1, area.fill(7)));
                  rank.device().close();
                  rank.meet();
                }
              });
    }
  }

  @Test
  void pairsConnectOnDemandByAllTheirConnections() {
    DeviceOptions options = OPTIONS.with("connections", "4").with("connecting", "lazy");
    ranks(3, rank -> options)
        .run(
            rank -> {
              Area in = rank.area(500_000);
              rank.complete(
                  rank.send((rank.rank() + 1) % 3, 1, rank.area(500_000).fill(rank.rank())),
                  rank.recv((rank.rank() + 2) % 3, 1, in));
              in.check((rank.rank() + 2) % 3);
              rank.meet();
            });
  }

  @Test
  void theCutKeepsElementsWhole() {
    for (long granule : new long[] {1, 2, 12, 4096, 16_384}) {
      for (int parts = 1; parts <= 16; parts++) {
        long elements = 37 + (64 << 10) / granule;
        long length = elements * granule;
        long before = 0;
        for (int part = 0; part < parts; part++) {
          long end = Stripes.end(length, granule, part, parts);
          assertTrue(end > before, "an empty part");
          assertEquals(0, end % granule);
          before = end;
        }
        assertEquals(length, before);
      }
    }
  }

  @Test
  void unequalNumbersAreNamed() {
    ranks(2, rank -> OPTIONS.with("connections", String.valueOf(1 + 3 * rank)))
        .runUnconnected(
            rank -> {
              MeshConnectException failure =
                  assertThrows(
                      MeshConnectException.class,
                      () -> rank.mesh().connect(rank.addresses("world"), Duration.ofSeconds(2)));
              if (rank.rank() == 1) {
                String message = failure.getMessage();
                assertTrue(
                    message.contains("connections=1 heartbeat=0, but this rank has"), message);
              }
              rank.meet();
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "17", "x"})
  void nonsenseIsRefused(String connections) {
    DeviceOptions options = OPTIONS.with("connections", connections);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Devices.open("tcp", options));
    assertTrue(refused.getMessage().contains("connections"), refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"gloo, connections, 2", "gloo, heartbeat, 1000", "gloo-classic, heartbeat, 100"})
  void wiresOfGlooRefuseIt(String wire, String attribute, String value) {
    DeviceOptions options = OPTIONS.with("wire", wire).with(attribute, value);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Devices.open("tcp", options));
    assertTrue(refused.getMessage().contains(attribute + "=" + value), refused.getMessage());
    assertTrue(refused.getMessage().contains("wire=" + wire), refused.getMessage());
  }

  @Test
  void optionsOfAnotherReleaseAreNamed() {
    assertEquals(
        "connections=3 heartbeat=500 and options 0x1 that this release lacks",
        PairOptions.text(new PairOptions(3, 500).encode() | 1L << 16));
  }
}
