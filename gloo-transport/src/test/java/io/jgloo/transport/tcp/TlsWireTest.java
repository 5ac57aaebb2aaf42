package io.jgloo.transport.tcp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Request;
import io.jgloo.transport.memory.Memory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What TLS puts on the wire, and what becomes of what it finds there. */
@Timeout(60)
class TlsWireTest {

  private static final byte PATTERN = 'J';
  private static final int PATTERN_BYTES = 16;

  private static void through(
      FaultProxy proxy, DeviceOptions options, NetworkFaultTest.Program program) {
    NetworkFaultTest.through(TcpTlsDeviceTest.ranks(2, options), proxy, program);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void wire_hasNoPlaintext(boolean secret) {
    try (FaultProxy proxy = FaultProxy.recording()) {
      DeviceOptions options = Loopback.OPTIONS.with("eager", 4096);
      through(
          proxy,
          secret ? options.withSecret(Secrets.SECRET) : options,
          (rank, unused) -> {
            for (int bytes : new int[] {100, 5000, 300_000}) {
              Area in = rank.area(bytes);
              Area out = rank.area(bytes);
              for (int i = 0; i < bytes; i++) {
                Memory.putByte(out.address() + i, PATTERN);
              }
              int peer = 1 - rank.rank();
              rank.complete(rank.recv(peer, bytes, in), rank.send(peer, bytes, out));
              assertEquals(PATTERN, Memory.getByte(in.address() + bytes - 1));
            }
            rank.meet();
          });
      Wire wire = proxy.wire(0);
      for (Pipe pipe : List.of(wire.toListener(), wire.toDialler())) {
        String bytes = new String(pipe.recorded(), ISO_8859_1);
        assertTrue(bytes.length() > 305_100, "only " + bytes.length() + " bytes");
        assertFalse(bytes.contains("J".repeat(PATTERN_BYTES)), "a message");
        assertFalse(bytes.contains("JGLOO"), "a handshake");
        assertFalse(bytes.contains("jgloo://"), "a name");
      }
    }
  }

  /**
   * Many messages come in one record and are decrypted with the first: a thread that blocks for the
   * next one must not wait for the socket, which is empty.
   */
  @Test
  void decryptedBytes_areNotMissedByAThreadThatBlocks() {
    TcpTlsDeviceTest.ranks(2, Loopback.OPTIONS.with("spin", 0))
        .run(
            rank -> {
              for (int round = 0; round < 60; round++) {
                if (rank.rank() == 0) {
                  Request[] sends = new Request[40];
                  for (int i = 0; i < sends.length; i++) {
                    sends[i] = rank.send(1, i, rank.area(64 + 1000 * (i % 3)).fill(i));
                  }
                  rank.complete(sends);
                  rank.hear(1, 1000);
                } else {
                  for (int i = 0; i < 40; i++) {
                    Area in = rank.area(64 + 1000 * (i % 3));
                    rank.complete(rank.recv(0, i, in));
                    in.check(i);
                  }
                  rank.tell(0, 1000);
                }
              }
              rank.meet();
            });
  }

  /**
   * A long message without a receive is read in parts, and the grant behind it is what the thread
   * blocks for: both are in the engine, whose room a message before has made large; the socket is
   * empty, and another peer's is read first.
   */
  @Test
  void bytesBehindAMessageWithoutAReceive_areNotMissedByAThreadThatBlocks() {
    TcpTlsDeviceTest.ranks(3, Loopback.OPTIONS.with("spin", 0).with("eager", 200_000))
        .run(
            rank -> {
              Area early = rank.area(60_000);
              Area granted = rank.area(1 << 20);
              if (rank.rank() == 0) {
                rank.complete(rank.recv(1, 2, granted));
                Request send = rank.send(1, 5, granted.fill(5));
                Request other = rank.recv(2, 9, rank.area(4));
                rank.meet();
                rank.pause(300); // in which the message and the grant come
                rank.complete(send);
                rank.complete(rank.recv(1, 1, early));
                early.check(1);
                rank.meet();
                rank.complete(other);
              } else if (rank.rank() == 1) {
                rank.complete(rank.send(0, 2, granted.fill(2)));
                rank.end(rank.send(0, 1, early.fill(1)));
                rank.meet();
                rank.complete(rank.recv(0, 5, granted));
                granted.check(5);
                rank.meet();
              } else {
                rank.meet();
                rank.meet();
                rank.end(rank.send(0, 9, rank.area(4)));
              }
              rank.meet();
            });
  }

  private static void echo(Rank rank) {
    if (rank.rank() == 0) {
      rank.tell(1, 1);
      rank.hear(1, 1);
    } else {
      rank.hear(0, 1);
      rank.tell(0, 1);
    }
  }

  /** The frames behind the handshake are in the same record as its last bytes, or may be. */
  @Test
  void messagesRightAfterConnecting_arrive() {
    for (int i = 0; i < 10; i++) {
      TcpTlsDeviceTest.ranks(2, Loopback.OPTIONS.with("connecting", "lazy").with("spin", 0))
          .run(
              rank -> {
                echo(rank);
                rank.meet();
              });
    }
  }

  /** Ranks of one host agree on memory over TLS, and wake each other over it. */
  @Test
  void sharedMemory_isUsedBesideTls() {
    TcpTlsDeviceTest.ranks(2, TcpMemoryDeviceTest.MEMORY.with("spin", 0))
        .run(
            rank -> {
              assertTrue(rank.mesh().pair(1 - rank.rank()).medium().startsWith("shared memory"));
              for (int round = 0; round < 100; round++) {
                echo(rank);
              }
              rank.meet();
            });
  }

  /** Who cuts the connection can end it, not the stream: a goodbye is encrypted, too. */
  @Test
  void cutConnection_isALostPeer() {
    try (FaultProxy proxy = new FaultProxy()) {
      through(
          proxy,
          Loopback.OPTIONS,
          (rank, between) -> {
            Request request = rank.recv(1 - rank.rank(), 1, rank.area(100));
            rank.meet();
            if (rank.rank() == 0) {
              Wire wire = between.wire(0);
              for (Pipe pipe : List.of(wire.toListener(), wire.toDialler())) {
                pipe.endAt(pipe.passed());
              }
            }
            rank.fails(PeerLostException.class, request);
            rank.meet();
          });
    }
  }

  @Test
  void changedByte_isAnErrorOfTheProtocol() {
    try (FaultProxy proxy = new FaultProxy()) {
      through(
          proxy,
          Loopback.OPTIONS,
          (rank, between) -> {
            if (rank.rank() == 0) {
              Request request = rank.recv(1, 1, rank.area(100_000));
              rank.meet();
              rank.fails(ProtocolException.class, request);
            } else {
              between.wire(0).toListener().flip();
              rank.meet();
              rank.end(rank.send(0, 1, rank.area(100_000).fill(3)));
            }
            rank.meet();
          });
    }
  }
}
