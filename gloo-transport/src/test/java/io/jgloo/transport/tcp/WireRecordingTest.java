package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.Request;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two ranks that run a fixed program send the bytes that were recorded before, frame by frame.
 *
 * <p>The recordings are the resources {@code wire-*.txt} beside this class. After a wanted change
 * they are made anew by
 *
 * <pre>
 *   mvn -pl gloo-transport test -Dtest=WireRecordingTest -Dio.jgloo.test.recordWires=true
 * </pre>
 */
@Timeout(120)
class WireRecordingTest {

  private static final boolean RECORDS = Boolean.getBoolean("io.jgloo.test.recordWires");
  private static final Path RESOURCES = Path.of("src/test/resources/io/jgloo/transport/tcp");
  private static final Path RECORDED = Path.of("target/wire-recordings");

  /** So small that a program of short messages meets every rule. */
  private static final DeviceOptions OPTIONS =
      DeviceOptions.DEFAULTS.with("eager", "1024").with("window", "4096").with("memory", "off");

  private static final int LONG = 2000;

  private interface Program {
    void run(RecordedRanks ranks) throws Exception;
  }

  /** Keeps the bits that are set on both sides; elements of 12 bytes. */
  private static final Reduction AND =
      new Reduction() {
        @Override
        public void reduce(long target, long source, long bytes) {
          for (long i = 0; i < bytes; i++) {
            byte both = (byte) (Memory.getByte(target + i) & Memory.getByte(source + i));
            Memory.putByte(target + i, both);
          }
        }

        @Override
        public int granule() {
          return 12;
        }
      };

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void ownWire(String sockets) throws Exception {
    compare(
        "wire-jgloo.txt",
        OPTIONS.with("sockets", sockets),
        ranks -> {
          ranks.connect("messages");
          eagerMessages(ranks);
          announcedMessages(ranks);
          withdrawnMessages(ranks);
          ownReceivesFromAny(ranks);
          credit(ranks);
          ranks.step("goodbye");
          ranks.close(1);
          aborts(ranks);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "nio"})
  void ownWireWithTwoConnections(String sockets) throws Exception {
    compare(
        "wire-jgloo-2-connections.txt",
        OPTIONS.with("sockets", sockets).with("connections", "2"),
        ranks -> {
          ranks.connect("messages");
          dividedMessages(ranks);
          ranks.step("goodbye");
          ranks.close(0);
          ranks.connect("abort");
          abort(ranks, new UnavailableException("no more paper"));
        });
  }

  @ParameterizedTest
  @CsvSource({"gloo, epoll", "gloo, nio", "gloo-classic, epoll", "gloo-classic, nio"})
  void glooWires(String wire, String sockets) throws Exception {
    compare(
        "wire-" + wire + ".txt",
        OPTIONS.with("wire", wire).with("sockets", sockets),
        ranks -> {
          ranks.connect("messages");
          glooMessages(ranks);
          glooWithdrawnMessages(ranks);
          glooReceivesFromAny(ranks);
          boundMessages(ranks);
          batches(ranks);
          ranks.step("end");
          ranks.close(1);
          ranks.connect("abort");
          abort(ranks, new UnavailableException("no more paper"));
        });
  }

  // The own wire.

  private static void eagerMessages(RecordedRanks ranks) {
    ranks.step("eager, receive posted first, with a fingerprint");
    long high = 0x1112131415161718L;
    long low = 0x2122232425262728L;
    Request first = ranks.recv(1, ranks.room(1, 0x0102030405060708L, 24).fingerprint(high, low));
    ranks.send(0, ranks.message(0, 0x0102030405060708L, 24).fingerprint(high, low));
    ranks.received(first);
    ranks.step("eager, receive posted after arrival");
    ranks.send(1, 2, 7);
    ranks.received(ranks.recv(0, 2, 7));
    ranks.step("a message of length 0, receive posted first");
    Request empty = ranks.recv(1, 3, 0);
    ranks.done(empty, ranks.send(0, 3, 0));
    ranks.step("a message of length 0, receive posted after arrival");
    ranks.send(0, 3, 0);
    ranks.done(ranks.recv(1, 3, 0));
    ranks.step("the longest eager message, shorter than its receive");
    Request longer = ranks.recv(0, ranks.room(0, 4, 3000).allowShorter());
    ranks.send(1, 4, 1024);
    ranks.received(longer);
    ranks.step("two slots, receives posted in the other order");
    ranks.send(0, 5, 8);
    ranks.send(0, 6, 8);
    ranks.received(ranks.recv(1, 6, 8), ranks.recv(1, 5, 8));
  }

  private static void announcedMessages(RecordedRanks ranks) {
    ranks.step("announced, receive posted first");
    Request first = ranks.recv(0, 7, LONG);
    Request send = ranks.send(1, ranks.message(1, 7, LONG));
    ranks.received(first);
    ranks.done(send);
    ranks.step("announced, receive posted after the announcement");
    send = ranks.send(0, ranks.message(0, 8, LONG).fingerprint(0, 0));
    assertFalse(send.isDone());
    ranks.received(ranks.recv(1, 8, LONG));
    ranks.done(send);
    ranks.step("announced, the receive reduces elements of 12 bytes");
    Request reducing = ranks.recv(1, ranks.room(1, 9, 1200).reducing(AND));
    ranks.done(ranks.send(0, 9, 1200), reducing);
    ranks.step("announced, a message of another slot overtakes it");
    send = ranks.send(1, 10, LONG);
    ranks.send(1, 11, 8);
    ranks.received(ranks.recv(0, 11, 8), ranks.recv(0, 10, LONG));
    ranks.done(send);
  }

  private static void withdrawnMessages(RecordedRanks ranks) {
    ranks.step("a withdrawn send, asked for by a receive that then takes the next message");
    Request send = ranks.send(0, 12, LONG);
    assertTrue(ranks.cancel(0, send));
    Request recv = ranks.recv(1, 12, LONG);
    assertFalse(recv.isDone());
    send = ranks.send(0, 12, LONG);
    ranks.received(recv);
    ranks.done(send);
    ranks.step("a withdrawn receive");
    assertTrue(ranks.cancel(0, ranks.recv(0, 13, LONG)));
    ranks.send(1, 13, 8);
    ranks.received(ranks.recv(0, 13, 8));
  }

  private static void ownReceivesFromAny(RecordedRanks ranks) {
    ranks.step("receive from any, posted first: eager, announced");
    Request eager = ranks.recvAny(0, 14, 8);
    ranks.send(1, 14, 8);
    ranks.received(eager);
    Request announced = ranks.recvAny(0, 14, LONG);
    ranks.done(ranks.send(1, 14, LONG));
    ranks.received(announced);
    ranks.step("receive from any, posted after arrival: eager, announced");
    ranks.send(0, 15, 8);
    ranks.received(ranks.recvAny(1, 15, 8));
    Request send = ranks.send(0, 15, LONG);
    ranks.received(ranks.recvAny(1, 15, LONG));
    ranks.done(send);
  }

  private static void credit(RecordedRanks ranks) {
    ranks.step("credit is returned when a quarter of the window has been matched");
    for (int i = 0; i < 5; i++) {
      Request recv = ranks.recv(1, 16, 500);
      ranks.send(0, 16, 500);
      ranks.received(recv);
    }
    ranks.step("a full window: later messages are announced");
    Request[] sends = new Request[8];
    for (int i = 0; i < sends.length; i++) {
      sends[i] = ranks.send(0, 17 + i % 2, 900);
    }
    ranks.step("a full window: the messages are received");
    for (int i = 0; i < sends.length; i++) {
      ranks.received(ranks.recv(1, 17 + i % 2, 900));
    }
    ranks.done(sends);
    ranks.step("the window is free again");
    ranks.send(0, 19, 900);
    ranks.received(ranks.recv(1, 19, 900));
  }

  private static void aborts(RecordedRanks ranks) throws Exception {
    MismatchException.Side ours = new MismatchException.Side(0, 1, 2, 3, 4);
    MismatchException.Side theirs = new MismatchException.Side(1, -1, 5, 6, 7);
    List<JGlooException> causes =
        List.of(
            new UnavailableException("no more paper"),
            new PeerLostException(1, "peer 1 is lost", null),
            new PeerDepartedException(1, "peer 1 has left"),
            new OperationTimeoutException("timeout", List.of(1)),
            new MismatchException("different lengths", ours, theirs),
            new AbortedException(0, "é \u0000", null));
    for (JGlooException cause : causes) {
      ranks.connect("abort, " + cause.getClass().getSimpleName());
      abort(ranks, cause);
    }
  }

  private static void abort(RecordedRanks ranks, JGlooException cause) {
    ranks.step("a message before the abort");
    Request recv = ranks.recv(0, 1, 8);
    ranks.send(1, 1, 8);
    ranks.received(recv);
    Request waiting = ranks.recv(1, 2, 8);
    ranks.step("abort");
    ranks.mesh(0).abort(cause);
    ranks.until("rank 1 has failed", waiting::isDone);
    assertInstanceOf(JGlooException.class, waiting.failure());
    ranks.close(0);
  }

  // Two connections.

  private static void dividedMessages(RecordedRanks ranks) {
    ranks.step("eager: on the first connection");
    ranks.send(0, 1, 100);
    ranks.received(ranks.recv(1, 1, 100));
    ranks.step("announced, below 64 KiB: on the first connection");
    Request shorter = ranks.recv(1, 2, 65_535);
    ranks.done(ranks.send(0, 2, 65_535));
    ranks.received(shorter);
    ranks.step("announced, 64 KiB: on both connections");
    Request even = ranks.recv(1, 3, 65_536);
    ranks.done(ranks.send(0, 3, 65_536));
    ranks.received(even);
    ranks.step("announced, an odd length, receive posted after the announcement");
    Request send = ranks.send(1, 4, 100_001);
    ranks.received(ranks.recv(0, 4, 100_001));
    ranks.done(send);
    ranks.step("announced, the receive reduces elements of 12 bytes, which are not divided");
    Request reducing = ranks.recv(0, ranks.room(0, 5, 90_012).reducing(AND));
    ranks.done(ranks.send(1, 5, 90_012), reducing);
  }

  // Gloo's wires.

  private static void glooMessages(RecordedRanks ranks) {
    ranks.step("receive posted first");
    Request first = ranks.recv(1, 0x0102030405060708L, 24);
    ranks.send(0, 0x0102030405060708L, 24);
    ranks.received(first);
    ranks.step("receive posted after the announcement");
    Request send = ranks.send(1, 2, 7);
    assertFalse(send.isDone());
    ranks.received(ranks.recv(0, 2, 7));
    ranks.done(send);
    ranks.step("a message of length 0, receive posted first");
    Request empty = ranks.recv(1, 3, 0);
    ranks.done(ranks.send(0, 3, 0), empty);
    ranks.step("a message of length 0, receive posted after the announcement");
    send = ranks.send(0, 3, 0);
    ranks.done(ranks.recv(1, 3, 0), send);
    ranks.step("a long message each way, receives posted first");
    Request zero = ranks.recv(0, 4, 20_000);
    Request one = ranks.recv(1, 4, 20_001);
    ranks.done(ranks.send(0, 4, 20_001), ranks.send(1, 4, 20_000));
    ranks.received(zero, one);
    ranks.step("a shorter message than its receive");
    Request longer = ranks.recv(0, ranks.room(0, 5, 3000).allowShorter());
    ranks.send(1, 5, 1024);
    ranks.received(longer);
    ranks.step("two messages of a slot, receives posted after the announcements");
    Request sixth = ranks.send(0, 6, 8);
    send = ranks.send(0, 6, 8);
    ranks.received(ranks.recv(1, 6, 8), ranks.recv(1, 6, 8));
    ranks.done(sixth, send);
    ranks.step("the receive reduces elements of 12 bytes");
    Request reducing = ranks.recv(1, ranks.room(1, 9, 1200).reducing(AND));
    ranks.done(ranks.send(0, 9, 1200), reducing);
  }

  private static void glooWithdrawnMessages(RecordedRanks ranks) {
    ranks.step("an announced send cannot be withdrawn");
    Request send = ranks.send(0, 10, 8);
    assertFalse(ranks.cancel(0, send));
    ranks.received(ranks.recv(1, 10, 8));
    ranks.done(send);
    ranks.step("a withdrawn receive: the next one uses what it has asked for");
    assertTrue(ranks.cancel(1, ranks.recv(1, 11, 8)));
    Request next = ranks.recv(1, 11, 8);
    ranks.send(0, 11, 8);
    ranks.received(next);
    ranks.step("a withdrawn receive: the payload arrives without one");
    assertTrue(ranks.cancel(1, ranks.recv(1, 12, 8)));
    ranks.send(0, 12, 8);
    ranks.received(ranks.recv(1, 12, 8));
  }

  private static void glooReceivesFromAny(RecordedRanks ranks) {
    ranks.step("receive from any, posted first");
    Request recv = ranks.recvAny(0, 13, 8);
    ranks.send(1, 13, 8);
    ranks.received(recv);
    ranks.step("receive from any, posted after the announcement");
    ranks.send(1, 14, LONG);
    ranks.received(ranks.recvAny(0, 14, LONG));
  }

  private static void boundMessages(RecordedRanks ranks) {
    ranks.step("bound, receive posted first");
    Request recv = ranks.recv(1, ranks.room(1, 15, 8).bound(64));
    ranks.send(0, ranks.message(0, 15, 8).bound(64));
    ranks.received(recv);
    ranks.step("bound, receive posted after arrival");
    ranks.send(1, ranks.message(1, 16, LONG).bound(0));
    ranks.received(ranks.recv(0, ranks.room(0, 16, LONG).bound(0)));
    ranks.step("bound, length 0");
    ranks.send(1, ranks.message(1, 17, 0).bound(8));
    ranks.done(ranks.recv(0, ranks.room(0, 17, 0).bound(8)));
  }

  private static void batches(RecordedRanks ranks) {
    ranks.step("a batch: two receives and a send");
    ranks.collect(0);
    Request first = ranks.recv(0, 18, 8);
    Request second = ranks.recv(0, 19, 8);
    Request send = ranks.send(0, 20, 8);
    ranks.flush(0);
    ranks.step("the answer in a batch");
    ranks.collect(1);
    Request answer = ranks.recv(1, 20, 8);
    ranks.send(1, 19, 8);
    ranks.send(1, 18, 8);
    ranks.flush(1);
    ranks.received(first, second, answer);
    ranks.done(send);
  }

  // Recordings.

  private static void compare(String name, DeviceOptions options, Program program)
      throws Exception {
    String recorded;
    try (RecordedRanks ranks = new RecordedRanks(options)) {
      program.run(ranks);
      recorded = ranks.text();
    }
    if (RECORDS) {
      Files.createDirectories(RESOURCES);
      Files.writeString(RESOURCES.resolve(name), recorded);
    } else {
      assertSame(name, expected(name), recorded);
    }
  }

  private static String expected(String name) throws IOException {
    try (InputStream in = WireRecordingTest.class.getResourceAsStream(name)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Names the first line that differs, and its step. */
  private static void assertSame(String name, String expected, String recorded) throws IOException {
    if (expected.equals(recorded)) {
      return;
    }
    Files.createDirectories(RECORDED);
    Path whole = Files.writeString(RECORDED.resolve(name), recorded);
    List<String> before = expected.lines().toList();
    List<String> now = recorded.lines().toList();
    String step = "";
    int line = 0;
    while (line < before.size() && line < now.size() && before.get(line).equals(now.get(line))) {
      step = now.get(line).startsWith("#") ? now.get(line) : step;
      line++;
    }
    assertEquals(
        line < before.size() ? before.get(line) : "the end",
        line < now.size() ? now.get(line) : "the end",
        "%s, line %d, in step \"%s\"; all that was sent is in %s"
            .formatted(name, line + 1, step, whole.toAbsolutePath()));
  }
}
