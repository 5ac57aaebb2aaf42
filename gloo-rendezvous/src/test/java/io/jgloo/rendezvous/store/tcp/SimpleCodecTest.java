package io.jgloo.rendezvous.store.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreCodec;
import io.jgloo.rendezvous.store.TcpStoreLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The simple protocol, byte for byte. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SimpleCodecTest {
  private static final TcpStoreLimits LIMITS = TcpStoreLimits.DEFAULT;

  private StoreServer server = start(LIMITS);

  private static StoreServer start(TcpStoreLimits limits) {
    return StoreServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), limits, StoreCodec.SIMPLE);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private RawStoreClient client() throws IOException {
    return new RawStoreClient(server.port());
  }

  private static String frame(int opcode, String key, String value) {
    int keyBytes = key.getBytes(StandardCharsets.UTF_8).length;
    int valueBytes = value.getBytes(StandardCharsets.UTF_8).length;
    return String.format(
        "%08x %02x %08x %08x '%s''%s'",
        9 + keyBytes + valueBytes, opcode, keyBytes, valueBytes, key, value);
  }

  private static final String OK = "00000002 'OK'";
  private static final String READY = "00000005 'READY'";

  @Test
  void setGetAndWait_areAnswered() throws IOException {
    try (RawStoreClient client = client()) {
      client.send(frame(1, "k", "v1"));
      client.expect(OK);
      client.send(frame(2, "k", ""));
      client.expect("00000002 'v1'");
      client.send(frame(3, "k", "") + frame(1, "", "") + frame(3, "k\n", ""));
      client.expect(READY + OK + READY);
      client.send(frame(2, "", ""));
      client.expect("00000000");
      String big = "x".repeat(100_000);
      client.send(frame(1, "big", big) + frame(2, "big", ""));
      client.expect(OK + "000186a0 '" + big + "'");
    }
  }

  @Test
  void wait_isAnsweredWhenAllKeysExist() throws IOException {
    try (RawStoreClient waiter = client();
        RawStoreClient getter = client();
        RawStoreClient other = client()) {
      waiter.send(frame(3, "a\nb", ""));
      getter.send(frame(2, "b", ""));
      other.send(frame(1, "a", "1"));
      other.expect(OK);
      other.send(frame(1, "b", "2"));
      other.expect(OK);
      waiter.expect(READY);
      getter.expect("00000001 '2'");
    }
  }

  @Test
  void framesInPiecesOfAnySize_areDecoded() throws IOException {
    byte[] all =
        RawStoreClient.bytes(
            frame(1, "key", "value") + frame(2, "key", "") + frame(1, "l", "") + frame(3, "l", ""));
    for (int piece : new int[] {1, 2, 3, 5, 14}) {
      try (RawStoreClient client = client()) {
        for (int at = 0; at < all.length; at += piece) {
          client.send(Arrays.copyOfRange(all, at, Math.min(all.length, at + piece)));
        }
        client.expect(OK + "00000005 'value'" + OK + READY);
      }
    }
  }

  @Test
  void invalidFrame_disconnectsThisClientOnly() throws IOException {
    String[] hostile = {
      "'GET / HTTP/1.1' 0d0a 0d0a",
      "00000009 00 00000000 00000000",
      "00000009 04 00000000 00000000",
      "00000008 01 00000000 00000000",
      "7fffffff 01 00000001 7ffffff5 '",
      "ffffffff 01 ffffffff 00000000",
      "00002010 01 00002007 00000000",
      "00cef785 3c0d7606 00000000 00",
      frame(3, "missing", "") + frame(1, "k", "v"),
    };
    try (RawStoreClient checked = client()) {
      for (String bytes : hostile) {
        try (RawStoreClient client = client()) {
          client.send(bytes.endsWith("'") && !bytes.contains("''") ? bytes + "'" : bytes);
          client.expectClosed();
        }
        checked.send(frame(1, "w", "1"));
        checked.expect(OK);
      }
      assertEquals(hostile.length, server.rejected());
    }
  }

  @Test
  void randomBytes_doNotStopTheServer() throws IOException {
    Random random = new Random(11);
    for (int i = 0; i < 300; i++) {
      byte[] garbage = new byte[1 + random.nextInt(60)];
      random.nextBytes(garbage);
      garbage[0] = i % 2 == 0 ? 0 : garbage[0];
      try (RawStoreClient client = client()) {
        client.send(garbage);
      }
    }
    setGetAndWait_areAnswered();
  }

  @Test
  void silentClient_isDisconnected() throws IOException {
    server.close();
    server = start(LIMITS.withTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(2)));
    try (RawStoreClient silent = client();
        RawStoreClient speaker = client()) {
      speaker.send(frame(1, "k", "v"));
      speaker.expect(OK);
      silent.expectClosed();
      speaker.send(frame(2, "k", ""));
      speaker.expect("00000001 'v'");
      assertTrue(server.rejected() > 0);
    }
  }

  /** 64 MiB of line feeds name 67 million empty keys. */
  @Test
  void aWaitForTooManyKeys_isRefusedAsTheyArrive() throws Exception {
    SimpleStoreDecoder decoder = new SimpleStoreDecoder(LIMITS.requestBytes());
    int keyBytes = (64 << 20) - 1000;
    ByteBuf header = Unpooled.buffer().writeInt(9 + keyBytes).writeByte(3).writeInt(keyBytes);
    assertNull(decoder.next(header.writeInt(0)));
    byte[] feeds = new byte[64 << 10];
    Arrays.fill(feeds, (byte) '\n');
    assertNull(decoder.next(Unpooled.wrappedBuffer(feeds)));
    assertThrows(
        StoreProtocolException.class,
        () -> {
          for (int fed = feeds.length; fed < Store.MAX_KEYS + feeds.length; fed += feeds.length) {
            assertNull(decoder.next(Unpooled.wrappedBuffer(feeds)));
          }
        });
  }

  @Test
  void aWaitForAKeyThatIsTooLong_isDisconnected() throws IOException {
    String longest = "k".repeat(StoreOpcode.MAX_KEY_BYTES);
    try (RawStoreClient client = client();
        RawStoreClient other = client()) {
      other.send(frame(1, longest, "v") + frame(3, longest + "\n" + longest, ""));
      other.expect(OK + READY);
      client.send(frame(3, longest + "\n" + longest + "k", ""));
      client.expectClosed();
    }
  }
}
