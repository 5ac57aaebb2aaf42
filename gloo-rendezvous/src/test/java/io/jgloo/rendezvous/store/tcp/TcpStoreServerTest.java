package io.jgloo.rendezvous.store.tcp;

import static io.jgloo.rendezvous.store.tcp.RawStoreClient.VALIDATE;
import static io.jgloo.rendezvous.store.tcp.RawStoreClient.field;
import static io.jgloo.rendezvous.store.tcp.RawStoreClient.u64;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.Store;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server's side of the protocol, byte for byte. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TcpStoreServerTest {
  private StoreServer server;

  @BeforeEach
  void start() {
    server =
        StoreServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TcpStoreLimits.DEFAULT);
  }

  @AfterEach
  void stop() {
    int port = server.port();
    server.close();
    assertTrue(
        Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().equals("gloo-store-" + port)));
  }

  private RawStoreClient client() throws IOException {
    return RawStoreClient.validated(server.port());
  }

  /** An exchange recorded between a PyTorch client and server. */
  @Test
  void recordedExchange_isRepeated() throws IOException {
    try (RawStoreClient client = new RawStoreClient(server.port())) {
      client.send("00 cef7853c  0d 76060000");
      client.expect("76060000");
      client.send("04 0500000000000000 696e69742f 0100000000000000");
      client.expect("0100000000000000");
      client.send("01 0200000000000000 2f6b 0200000000000000 7631");
      client.send("06 0100000000000000 0200000000000000 2f6b");
      client.expect("00");
      client.send("03 0200000000000000 2f6b");
      client.expect("0200000000000000 7631");
      client.send("04 0200000000000000 2f63 0500000000000000");
      client.expect("0500000000000000");
    }
  }

  /** Every opcode once, and its answer. */
  private static final String[][] EVERY_OPCODE = {
    {"0d 01020304", "01020304"},
    {"01" + field("/k") + field("v1"), ""},
    {"03" + field("/k"), field("v1")},
    {"03" + field("/missing"), u64(0)},
    {"02" + field("/k") + field("v1") + field("v2"), field("v2")},
    {"02" + field("/k") + field("v1") + field("v3"), field("v2")},
    {"02" + field("/none") + field("x") + field("y"), field("x")},
    {"04" + field("/c") + u64(-7), u64(-7)},
    {"05" + u64(2) + field("/k") + field("/c"), "00"},
    {"05" + u64(2) + field("/k") + field("/d"), "01"},
    {"05" + u64(0), "00"},
    {"06" + u64(1) + field("/k"), "00"},
    {"06" + u64(0), "00"},
    {"07", u64(2)},
    {"08" + field("/k"), u64(1)},
    {"08" + field("/k"), u64(0)},
    {"09" + field("/a") + field("po"), ""},
    {"09" + field("/a") + field("tato"), ""},
    {"0b" + u64(2) + field("/m") + field("1") + field("/n") + field(""), ""},
    {
      "0a" + u64(3) + field("/m") + field("/n") + field("/a"), field("1") + u64(0) + field("potato")
    },
    {"0a" + u64(0), ""},
    {"0c", "01"},
    {"0e" + field("/q") + field("e1"), ""},
    {"10" + field("/q"), u64(1)},
    {"05" + u64(1) + field("/q"), "00"},
    {"0f" + field("/q"), u64(1) + field("e1")},
    {"0f" + field("/q"), u64(0)},
    {"08" + field("/c"), u64(1)},
    {"08" + field("/a"), u64(1)},
    {"08" + field("/n"), u64(1)},
    {"11", u64(1) + field("/m")},
    {"12" + field("/b") + u64(1), "00"},
    {"04" + field("/b") + u64(0), u64(1)},
    {"08" + field("/b"), u64(1)},
  };

  @Test
  void everyOpcode_isAnswered() throws IOException {
    try (RawStoreClient client = client()) {
      for (String[] exchange : EVERY_OPCODE) {
        client.send(exchange[0]);
        client.expect(exchange[1]);
      }
    }
  }

  @Test
  void everyOpcodeInPieces_isAnswered() throws IOException {
    StringBuilder requests = new StringBuilder(VALIDATE);
    StringBuilder answers = new StringBuilder();
    for (String[] exchange : EVERY_OPCODE) {
      requests.append(exchange[0]);
      answers.append(exchange[1]);
    }
    byte[] all = RawStoreClient.bytes(requests.toString());
    for (int piece : new int[] {1, 7, all.length}) {
      try (RawStoreClient client = new RawStoreClient(server.port())) {
        for (int at = 0; at < all.length; at += piece) {
          client.send(java.util.Arrays.copyOfRange(all, at, Math.min(all.length, at + piece)));
        }
        client.expect(answers.toString());
        client.send("08" + field("/m"));
        client.expect(u64(1));
      }
    }
  }

  @Test
  void wait_isAnsweredWhenItsKeysExist() throws IOException {
    try (RawStoreClient waiter = client();
        RawStoreClient other = client()) {
      waiter.send("06" + u64(2) + field("/a") + field("/b"));
      waiter.send("0d 11111111"); // answered although the wait is pending
      waiter.expect("11111111");
      other.send("02" + field("/a") + field("x") + field("y") + "0d 22222222");
      other.expect(field("x") + "22222222"); // a compareSet that created nothing wakes no waiter
      other.send("02" + field("/a") + field("") + field("y") + "08" + field("/a"));
      other.expect(field("y") + u64(1));
      other.send("01" + field("/b") + field("1") + "0d 33333333");
      other.expect("33333333");
      waiter.send("0d 44444444");
      waiter.expect("44444444"); // still: /a was deleted before /b was set
      other.send("09" + field("/a") + field("1"));
      waiter.expect("00");
    }
  }

  @Test
  void canceledWait_leavesTheConnectionUsable() throws IOException {
    try (RawStoreClient waiter = client();
        RawStoreClient other = client()) {
      waiter.send("06" + u64(1) + field("/a") + "0c");
      waiter.expect("01");
      other.send("01" + field("/a") + field("1") + "0d 11111111");
      other.expect("11111111");
      waiter.send("06" + u64(1) + field("/b") + "0d 22222222");
      waiter.expect("22222222"); // and not the 00 of the canceled wait
      other.send("01" + field("/b") + field("1"));
      waiter.expect("00");
      waiter.send("0c"); // after the reply: the answer is "canceled" all the same
      waiter.expect("01");
    }
  }

  @Test
  void completeBarrier_isPassedByAllAndByLaterCallers() throws IOException {
    try (RawStoreClient a = client();
        RawStoreClient b = client();
        RawStoreClient c = client()) {
      String barrier = "12" + field("/b") + u64(3);
      a.send(barrier + "0d 11111111");
      a.expect("11111111");
      b.send(barrier + "0c"); // gives up, and has been counted all the same
      b.expect("01");
      c.send(barrier);
      c.expect("00");
      a.expect("00");
      b.send(barrier + "03" + field("/b"));
      b.expect("00" + field("4"));
    }
  }

  @Test
  void queue_wakesItsOwnWaitersOnly() throws IOException {
    try (RawStoreClient a = client();
        RawStoreClient b = client();
        RawStoreClient other = client()) {
      a.send("06" + u64(1) + field("/q"));
      other.send("0e" + field("/q") + field("1"));
      a.expect("00");
      a.send("0f" + field("/q") + "06" + u64(1) + field("/x"));
      a.expect(u64(1) + field("1"));
      b.send("06" + u64(1) + field("/q") + "0d 11111111");
      b.expect("11111111");
      other.send("0e" + field("/q") + field("2"));
      b.expect("00");
      a.send("0d 22222222");
      a.expect("22222222"); // not woken by a push to a queue it waited for before
      other.send("06" + u64(2) + field("/q") + field("/x") + "0d 33333333");
      other.expect("33333333");
      b.send("01" + field("/x") + field("1"));
      a.expect("00");
      other.expect("00"); // the queue existed when the wait began, the key was set later
    }
  }

  @Test
  void invalidRequest_disconnectsAtOnce() throws IOException {
    String[] hostile = {
      "'GET / HTTP/1.1' 0d0a 'Host: x' 0d0a0d0a",
      "'SSH-2.0-OpenSSH_9.2' 0d0a",
      "16 03 01 02 00 01 00 01 fc 03 03", // TLS hello
      "ff",
      "01",
      "0d 00000000",
      "00 cef7853d",
      "00 00000000",
      VALIDATE + VALIDATE,
      VALIDATE + "13",
      VALIDATE + "7f",
      VALIDATE + "80",
      VALIDATE + "ff",
      VALIDATE + "01" + u64(8193),
      VALIDATE + "01" + u64(-1),
      VALIDATE + "01" + u64(Long.MIN_VALUE),
      VALIDATE + "01" + u64(Long.MAX_VALUE),
      VALIDATE + "01" + u64(1L << 32),
      VALIDATE + "01" + field("/k") + u64(Store.MAX_VALUE_BYTES + 1L),
      VALIDATE + "02" + field("/k") + field("x") + u64(Long.MAX_VALUE),
      VALIDATE + "05" + u64(Store.MAX_KEYS + 1L),
      VALIDATE + "06" + u64(1_000_000),
      VALIDATE + "0a" + u64(-1),
      VALIDATE + "0b" + u64(Long.MAX_VALUE),
      VALIDATE + "06" + u64(1) + field("/a") + "06" + u64(1) + field("/b"),
      VALIDATE + "01" + field("/text") + field("abc") + "04" + field("/text") + u64(1),
    };
    try (RawStoreClient checked = client()) {
      for (String bytes : hostile) {
        try (RawStoreClient client = new RawStoreClient(server.port())) {
          client.send(bytes);
          client.expectClosed();
        }
        checked.send("0d 12345678");
        checked.expect("12345678");
      }
      assertEquals(hostile.length, server.rejected());
    }
  }

  @Test
  void requestsAtTheLimits_areAllowed() throws IOException {
    try (RawStoreClient client = client()) {
      String key = "k".repeat(8192);
      client.send("01" + field(key) + u64(Store.MAX_VALUE_BYTES));
      client.send(new byte[Store.MAX_VALUE_BYTES]);
      client.send("05" + u64(1) + field(key));
      client.expect("00");
      StringBuilder many = new StringBuilder("05" + u64(Store.MAX_KEYS));
      many.append(u64(0).repeat(Store.MAX_KEYS));
      client.send(many.toString());
      client.expect("01");
    }
  }
}
