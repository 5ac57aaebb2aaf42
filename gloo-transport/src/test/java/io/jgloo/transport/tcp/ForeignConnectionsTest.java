package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.connect.Endpoint;
import io.jgloo.transport.tcp.connect.IncomingConnection;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that are not of a JGloo rank are closed, and the exchange of messages goes on. */
@Timeout(60)
class ForeignConnectionsTest {

  private static final UUID ID = new UUID(1, 2);

  private interface Visit {
    void to(Rank host) throws Exception;
  }

  /** Two ranks exchange messages for as long as the visit to rank 0 takes. */
  private static void whileRanksWork(long helloMillis, Visit visit) {
    whileRanksWork(Loopback.OPTIONS.with("hello", helloMillis), visit);
  }

  private static void whileRanksWork(DeviceOptions options, Visit visit) {
    Loopback.ranks(2, options)
        .run(
            rank -> {
              int peer = 1 - rank.rank();
              Area out = rank.area(5000);
              Area in = rank.area(5000);
              Area more = rank.area(1);
              Ranks.Fork visiting =
                  rank.rank() == 1 ? null : rank.fork("visit", host -> visit.to(host));
              for (int i = 0; ; i++) {
                out.fill(2 * i + rank.rank());
                rank.complete(rank.recv(peer, 1, in), rank.send(peer, 1, out));
                in.check(2 * i + peer);
                if (visiting == null) {
                  rank.complete(rank.recv(0, 2, more));
                } else {
                  Memory.putByte(more.address(), (byte) (visiting.hasEnded() ? 0 : 1));
                  rank.complete(rank.send(1, 2, more));
                }
                if (more.bytes(0, 1)[0] == 0) {
                  break;
                }
              }
              if (visiting != null) {
                visiting.join();
              }
              assertTrue(rank.mesh().failure().isEmpty());
            });
  }

  /** First bytes of scanners, browsers and clients of other services. */
  private static byte[] greeting(int kind, SplittableRandom random) {
    byte[] noise = new byte[random.nextInt(1, 300)];
    random.nextBytes(noise);
    return switch (kind % 8) {
      case 0 -> noise;
      case 1 -> "GET / HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
      case 2 -> // TLS 1.2 record, handshake, client hello
          WireBytes.join(new byte[] {22, 3, 1, 1, 0x2c, 1, 0, 1, 0x28, 3, 3}, noise);
      case 3 -> "SSH-2.0-OpenSSH_9.2\r\n".getBytes(StandardCharsets.ISO_8859_1);
      case 4 -> new byte[0];
      case 5 -> new byte[] {'J', 'G'};
      case 6 -> "JGLOOB\0\1 a later handshake of ours".getBytes(StandardCharsets.ISO_8859_1);
      default -> {
        byte[] magic = "JGLOOC\0\1".getBytes(StandardCharsets.ISO_8859_1);
        byte[] rest = new byte[WireBytes.HELLO_BYTES - magic.length];
        random.nextBytes(rest);
        yield WireBytes.join(magic, rest);
      }
    };
  }

  /** All are left without a word, but those that begin as TLS does: these get the reason. */
  private static boolean isEnded(RoguePeer foreigner, int kind) throws IOException {
    if (kind != 2) {
      return foreigner.hearsTheEnd();
    }
    try {
      byte[] rest = foreigner.hearRest();
      return rest.length == 0 || Arrays.equals(WireBytes.welcome(WireBytes.NO_TLS, 0, 0, 0), rest);
    } catch (SocketException e) {
      return true; // closed with bytes unread
    }
  }

  @Test
  void manyWhoSayTheWrongThing() {
    SplittableRandom random = new SplittableRandom(20);
    whileRanksWork(
        5000,
        host -> {
          for (int i = 0; i < 240; i++) {
            try (RoguePeer foreigner = RoguePeer.dial(host.mesh().address())) {
              foreigner.sayIfHeard(greeting(i, random));
              foreigner.end(i % 16 == 9);
              assertTrue(i % 16 == 9 || isEnded(foreigner, i % 8), "kind " + i % 8);
            }
          }
          host.until("the last has gone", () -> LiveObjects.of(IncomingConnection.class) == 0);
        });
  }

  /** As many, with up to 4 KiB, some of which know how a handshake with a secret begins. */
  @Test
  void foreignConnectionsToADeviceWithASecret_areAllCounted() {
    int count = Boolean.getBoolean("jgloo.test.full") ? 1000 : 150;
    SplittableRandom random = new SplittableRandom(21);
    whileRanksWork(
        Secrets.OPTIONS,
        host -> {
          long before = Diagnosis.of(host.mesh()).counters().get("refused");
          for (int i = 0; i < count; i++) {
            try (RoguePeer foreigner = RoguePeer.dial(host.mesh().address())) {
              byte[] noise = new byte[random.nextInt(1, 4097)];
              random.nextBytes(noise);
              if (i % 2 == 0) {
                Secrets.challenge(foreigner, Secrets.nonce(i));
              }
              foreigner.sayIfHeard(i % 3 == 0 ? new WireBytes.RawHello(ID, "x").bytes() : noise);
              foreigner.end(false);
              foreigner.hearAll();
            }
          }
          host.until("all have gone", () -> LiveObjects.of(IncomingConnection.class) == 0);
          assertEquals(before + count, Diagnosis.of(host.mesh()).counters().get("refused"));
        });
  }

  @Test
  void moreSilentConnectionsThanAllowed_doNotBlockTheListener() {
    whileRanksWork(
        700,
        host -> {
          List<RoguePeer> silent = new ArrayList<>();
          for (int i = 0; i < 600; i++) {
            silent.add(RoguePeer.dial(host.mesh().address()));
          }
          for (RoguePeer each : silent) {
            assertTrue(each.hearsTheEnd());
            each.close();
          }
        });
  }

  /** Bytes that come one by one, all of them right, do not earn more time. */
  @Test
  void helloThatArrivesTooSlowly_isClosedAtTheDeadline() {
    whileRanksWork(
        300,
        host -> {
          byte[] hello = new WireBytes.RawHello(ID, "x").bytes();
          try (RoguePeer slow = RoguePeer.dial(host.mesh().address())) {
            Ranks.Fork talking =
                host.fork(
                    "slow",
                    self -> {
                      for (int i = 0; i < hello.length - 1; i++) {
                        if (!slow.sayIfHeard(new byte[] {hello[i]})) {
                          return;
                        }
                        self.pause(30);
                      }
                      throw new AssertionError("all but the last byte could be said");
                    });
            assertTrue(slow.hearsTheEnd());
            talking.join();
          }
        });
  }

  /** A hello that lies in a socket unread must not make way for those that never come. */
  @Test
  void aHelloAmongACrowdThatComesAtOnce() {
    Loopback.ranks(1)
        .run(
            rank -> {
              Victim victim = new Victim(rank);
              TcpMesh mesh = (TcpMesh) victim.mesh();
              List<RoguePeer> silent = new ArrayList<>();
              RoguePeer early = RoguePeer.dial(mesh.address());
              RoguePeer first;
              CountDownLatch go = new CountDownLatch(1);
              ((TcpDevice) rank.device()).retry(() -> awaitUninterrupted(go));
              try {
                early.say(victim.hello().bytes());
                rank.until("the device's thread waits", () -> isBlocked(mesh));
                first = RoguePeer.dial(mesh.address()).say(victim.hello().bytes());
                for (int i = 0; i < 600; i++) {
                  silent.add(RoguePeer.dial(mesh.address()));
                }
              } finally {
                go.countDown();
              }
              try {
                early.hear(WireBytes.WELCOME_BYTES);
                first.hear(WireBytes.WELCOME_BYTES);
              } finally {
                for (RoguePeer each : silent) {
                  each.close();
                }
                early.close();
                first.close();
              }
            });
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isBlocked(TcpMesh mesh) {
    String name = "gloo-tcp-" + Endpoint.decode(mesh.address()).listener().getPort();
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(
            thread -> thread.getName().equals(name) && thread.getState() == Thread.State.WAITING);
  }
}
