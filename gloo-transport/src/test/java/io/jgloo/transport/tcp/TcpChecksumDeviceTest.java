package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.CancelContract;
import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Devices;
import io.jgloo.transport.MemorySafetyContract;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.MismatchContract;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.ReceiveAnyContract;
import io.jgloo.transport.RepeatedSuites;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.ThreadsContract;
import io.jgloo.transport.UsageContract;
import io.jgloo.transport.WaitingContract;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * With checksums, heartbeats and three connections a pair the TCP device keeps the contract.
 *
 * <p>Suites are repeated that send the frames of the others.
 */
@RepeatedSuites({
  ReceiveAnyContract.class,
  CancelContract.class,
  MismatchContract.class,
  WaitingContract.class,
  ThreadsContract.class,
  MemorySafetyContract.class,
  UsageContract.class
})
class TcpChecksumDeviceTest extends DeviceContract {

  @Override
  public Ranks ranks(int size) {
    DeviceOptions options =
        Loopback.OPTIONS
            .with("checksum", "crc32c")
            .with("heartbeat", "1000")
            .with("misses", "60")
            .with("connections", "3");
    return Loopback.ranks(size, options);
  }

  @ParameterizedTest
  @CsvSource({"checksum, off, crc32c", "heartbeat, 0, 1000", "heartbeat, 500, 1000"})
  void unequalAttributes_areNamed(String attribute, String first, String second) {
    new ThreadRanks(
            2,
            rank ->
                Devices.open("tcp", Loopback.OPTIONS.with(attribute, rank == 0 ? first : second)))
        .runUnconnected(
            rank -> {
              MeshConnectException failure =
                  assertThrows(
                      MeshConnectException.class,
                      () -> rank.mesh().connect(rank.addresses("world"), Duration.ofMillis(500)));
              if (rank.rank() == 1) {
                String message = failure.getMessage();
                assertTrue(message.contains(attribute + "=" + first), message);
                assertTrue(message.contains(attribute + "=" + second), message);
              }
              rank.meet();
            });
  }

  @ParameterizedTest
  @CsvSource({"gloo, checksum, crc32c", "gloo, heartbeat, 1000", "gloo-classic, heartbeat, 100"})
  void wiresOfGloo_refuseIt(String wire, String attribute, String value) {
    DeviceOptions options = Loopback.OPTIONS.with("wire", wire).with(attribute, value);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Devices.open("tcp", options));
    assertTrue(refused.getMessage().contains(attribute + "=" + value), refused.getMessage());
    assertTrue(refused.getMessage().contains("wire=" + wire), refused.getMessage());
  }

  @Test
  void uselessHeartbeats_areRefused() {
    DeviceOptions options = Loopback.OPTIONS.with("heartbeat", "9");
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Devices.open("tcp", options));
    assertTrue(refused.getMessage().contains("10 to 3600000"), refused.getMessage());
  }
}
