package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
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
import io.jgloo.transport.Request;
import io.jgloo.transport.ThreadRanks;
import io.jgloo.transport.ThreadsContract;
import io.jgloo.transport.UsageContract;
import io.jgloo.transport.WaitingContract;
import io.jgloo.transport.capability.Diagnosis;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.CRC32C;
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

  /** The payload has arrived before its receive is posted, its checksum only in part. */
  @ParameterizedTest
  @CsvSource({"0, 1", "1, 1", "2, 1", "3, 1", "3, 8", "4, 8"})
  void checksumInTwoParts_isComplete(int arrived, int granule) {
    Loopback.ranks(1, Loopback.OPTIONS.with("checksum", "crc32c"))
        .run(
            rank -> {
              try (Victim victim = new Victim(rank);
                  RoguePeer peer = Victim.invade(victim)) {
                byte[] payload = new byte[80];
                Arrays.fill(payload, (byte) 3);
                byte[] header = WireBytes.header(WireBytes.EAGER, 5, payload.length);
                System.arraycopy(checksum(header), 0, header, 4, 4);
                byte[] sum = checksum(payload);
                peer.say(header, payload, Arrays.copyOf(sum, arrived));
                int there = header.length + payload.length + arrived;
                rank.until("it is read", () -> in(victim) == there);
                Area area = rank.area(payload.length);
                Request recv = victim.request(5, area);
                if (granule > 1) {
                  recv.reducing(new Sums(granule));
                }
                victim.recv(recv);
                peer.say(Arrays.copyOfRange(sum, arrived, sum.length));
                victim.complete(recv);
              }
            });
  }

  private static byte[] checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return ByteBuffer.allocate(4)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt((int) crc.getValue())
        .array();
  }

  private static long in(Victim victim) {
    victim.look();
    return Diagnosis.of(victim.mesh()).counters().get("bytesIn");
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
