package io.jgloo.rendezvous.store.tcp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.StoreCredentials;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.JobSecret.JobKey;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store server with a job secret serves the clients that prove to have it, and no others. */
@Timeout(60)
final class StoreProofTest {
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final Duration BRIEF = Duration.ofSeconds(15);
  private static final JobSecret SECRET = secret("the secret of this job");
  private static final byte[] VALIDATE = HexFormat.of().parseHex("00cef7853c");
  private static final byte[] NONCE = new byte[32];

  private final StoreServer server = start(SECRET);

  private static JobSecret secret(String text) {
    return JobSecret.of(text.getBytes(US_ASCII));
  }

  private static StoreCredentials of(JobSecret secret) {
    return new StoreCredentials(Optional.ofNullable(secret), Optional.empty());
  }

  private static StoreServer start(JobSecret secret) {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return StoreServer.start(List.of(any), TcpStoreLimits.DEFAULT, StoreGuard.of(of(secret)));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static TcpStoreClient client(StoreServer server, JobSecret secret, Duration timeout) {
    return TcpStoreClient.connect("127.0.0.1", server.port(), timeout, of(secret));
  }

  private static void refused(
      StoreServer server, JobSecret secret, Duration timeout, String reason) {
    AuthenticationException failure =
        assertThrows(AuthenticationException.class, () -> client(server, secret, timeout));
    assertTrue(failure.getMessage().contains(reason), failure::getMessage);
  }

  private static byte[] bytes(byte[]... parts) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
    Arrays.asList(parts).forEach(all::put);
    return all.array();
  }

  private Socket connected() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  /** Sends it; what the server answers until it closes the connection. */
  private byte[] sent(byte[]... parts) throws IOException {
    try (Socket socket = connected()) {
      socket.getOutputStream().write(bytes(parts));
      return socket.getInputStream().readAllBytes();
    } catch (SocketException e) {
      return new byte[0]; // closed with bytes unread, which makes it a reset
    }
  }

  @Test
  void clientsWithTheSecret_areServed() {
    try (TcpStoreClient one = client(server, SECRET, LONG);
        TcpStoreClient other = client(server, SECRET, LONG)) {
      one.set("key", new byte[100_000]);
      assertEquals(100_000, other.get("key", LONG).length);
    }
  }

  @Test
  void proofAsDocumented_opensTheStore() throws IOException {
    JobKey key = SECRET.key("store", "", 0);
    try (Socket socket = connected()) {
      OutputStream out = socket.getOutputStream();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      for (byte each : bytes(VALIDATE, new byte[] {64}, NONCE)) {
        out.write(each);
      }
      byte[] other = in.readNBytes(32);
      byte[] mac = in.readNBytes(JobKey.MAC_BYTES);
      assertArrayEquals(key.mac("server".getBytes(US_ASCII), NONCE, other), mac);
      byte[] ping = {13, 1, 2, 3, 4};
      out.write(bytes(key.mac("client".getBytes(US_ASCII), NONCE, other), VALIDATE, ping));
      assertArrayEquals(new byte[] {1, 2, 3, 4}, in.readNBytes(4));
      byte[] replayed = key.mac("client".getBytes(US_ASCII), NONCE, other);
      assertTrue(sent(VALIDATE, new byte[] {64}, NONCE, replayed).length <= 64);
    }
    awaitRejected(1);
  }

  @Test
  void otherSecret_isRefusedAtOnce() {
    refused(server, secret("the secret of another job"), LONG, "has another job secret");
    awaitRejected(1);
  }

  private void awaitRejected(long count) {
    while (server.rejected() < count) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void clientWithoutASecret_isRefusedAtOnceAndCounted() {
    refused(server, null, LONG, "requires a job secret");
    awaitRejected(1);
  }

  @Test
  void serverWithoutASecret_isNamedAtOnce() {
    try (StoreServer open = start(null)) {
      refused(open, SECRET, BRIEF, "has no job secret");
    }
  }

  @Test
  void requestsBeforeTheProof_areRefusedAndCounted() throws IOException {
    byte[] set = HexFormat.of().parseHex("01" + "0100000000000000" + "2f" + "0000000000000000");
    byte[] wrong = new byte[JobKey.MAC_BYTES];
    byte[] needed =
        ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(0x4a47534e).array();
    assertArrayEquals(new byte[0], sent(VALIDATE, set));
    assertArrayEquals(needed, sent(VALIDATE, new byte[] {13, 1, 2, 3, 4}));
    assertArrayEquals(new byte[0], sent("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII)));
    assertTrue(sent(VALIDATE, new byte[] {64}, NONCE, wrong).length <= 64);
    try (Socket socket = connected()) {
      socket.getOutputStream().write(bytes(VALIDATE, new byte[] {64}, NONCE));
      assertEquals(64, socket.getInputStream().readNBytes(64).length);
      socket.getOutputStream().write(bytes(wrong, VALIDATE, set));
      assertEquals(0, socket.getInputStream().readAllBytes().length);
    }
    awaitRejected(5);
    try (TcpStoreClient client = client(server, SECRET, LONG)) {
      assertFalse(client.check(List.of("")));
    }
  }
}
