package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jgloo.transport.Area;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.Request;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.socket.EpollSockets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages whose bytes are sent from arrays, and connections on which they cannot be. */
@Timeout(100)
class ArraySendsTest {

  private static final int BEFORE = 5;

  /** More than two sockets and the proxy between them hold. */
  private static final int LONG_BYTES = 32 << 20;

  @BeforeEach
  void onEpoll() {
    Throwable missing = EpollSockets.unavailability();
    assumeTrue(missing == null, () -> "no epoll: " + missing);
  }

  private static byte[] bytes(int length, int seed) {
    byte[] content = new byte[length];
    new SplittableRandom(seed).nextBytes(content);
    return content;
  }

  private static Request send(Rank rank, Object array, long offset, long length) {
    Buffer window = rank.mesh().newBuffer().wrap(array, offset, length);
    Request request = rank.queue().newRequest().message(1, window, 0, length);
    return rank.send(1 - rank.rank(), request);
  }

  /** Both ways at once, so that sockets are full now and then. */
  @ParameterizedTest
  @CsvSource({"jgloo, 1", "jgloo, 100003", "jgloo, 8000001", "gloo, 3000001"})
  void bytesArrive(String wire, int length) {
    Loopback.ranks(2, Loopback.OPTIONS.with("wire", wire))
        .run(
            rank -> {
              int peer = 1 - rank.rank();
              rank.meet();
              assertTrue(rank.mesh().pair(peer).sendsArrays());
              for (int i = 0; i < 3; i++) {
                Area area = rank.area(length);
                Request recv = rank.recv(peer, 1, area);
                byte[] own = bytes(BEFORE + length + 3, 2 * i + rank.rank());
                rank.complete(send(rank, own, BEFORE, length), recv);
                byte[] theirs = bytes(BEFORE + length + 3, 2 * i + peer);
                byte[] arrived = area.bytes(0, length);
                int end = BEFORE + length;
                assertEquals(-1, Arrays.mismatch(theirs, BEFORE, end, arrived, 0, length));
                rank.free(area);
              }
              rank.meet();
            });
  }

  @Test
  void partsOfAFloatArray() {
    Loopback.ranks(2, Loopback.OPTIONS)
        .run(
            rank -> {
              float[] x = new float[300_000];
              for (int i = 0; i < x.length; i++) {
                x[i] = i + rank.rank();
              }
              Area area = rank.area(4 * 100_000);
              Request recv = rank.recv(1 - rank.rank(), 1, area);
              rank.complete(send(rank, x, 4 * 70_000, 4 * 100_000), recv);
              for (int i = 0; i < 100_000; i++) {
                float expected = 70_000 + i + 1 - rank.rank();
                assertEquals(expected, Memory.getFloat(area.address() + 4L * i));
              }
            });
  }

  @Test
  void aReceiveIntoAnArrayNeedsAReduction() {
    Loopback.ranks(2, Loopback.OPTIONS)
        .run(
            rank -> {
              Buffer window = rank.mesh().newBuffer().wrap(new int[5], 0, 20);
              Request request = rank.queue().newRequest().message(1, window, 0, 20);
              assertThrows(
                  IllegalArgumentException.class, () -> rank.recv(1 - rank.rank(), request));
            });
  }

  /** The peer has stopped to read in the middle: what is written to the array later is not sent. */
  @Test
  void abortInTheMiddle_sendsNoLaterBytes() {
    NetworkFaultTest.through(
        Shape.PLAIN,
        (rank, proxy) -> {
          Pipe pipe = proxy.wire(0).toListener();
          rank.meet();
          long stallAt = pipe.passed() + LONG_BYTES / 8;
          rank.meet();
          if (rank.rank() == 1) {
            pipe.stallAt(stallAt);
            byte[] x = new byte[LONG_BYTES];
            Arrays.fill(x, (byte) 1);
            Buffer window = rank.mesh().newBuffer().wrap(x, 0, x.length);
            Request send = rank.queue().newRequest().message(1, window, 0, x.length);
            rank.send(0, send);
            rank.until("a part has passed", () -> hasPassed(rank, pipe, stallAt));
            assertFalse(send.isDone());
            rank.mesh().abort(new UnavailableException("enough of it"));
            rank.fails(UnavailableException.class, send);
            Arrays.fill(x, (byte) 2);
            pipe.resume();
          } else {
            Area in = rank.area(LONG_BYTES);
            Memory.setZero(in.address(), LONG_BYTES);
            rank.fails(JGlooException.class, rank.recv(1, 1, in));
            for (byte each : in.bytes(0, LONG_BYTES)) {
              assertTrue(each < 2, "a byte is a later one");
            }
          }
          rank.meet();
        });
  }

  private static boolean hasPassed(Rank rank, Pipe pipe, long bytes) {
    rank.queue().progress();
    return pipe.passed() >= bytes;
  }

  /** What arrives later is not reduced into the array any more. */
  @Test
  void receiverThatEndsInTheMiddle_leavesItsArray() {
    NetworkFaultTest.through(
        Shape.PLAIN,
        (rank, proxy) -> {
          Pipe pipe = proxy.wire(0).toListener();
          byte[] x = new byte[LONG_BYTES];
          Arrays.fill(x, (byte) 1);
          rank.meet();
          long stallAt = pipe.passed() + LONG_BYTES / 8;
          rank.meet();
          if (rank.rank() == 1) {
            pipe.stallAt(stallAt);
            rank.fails(JGlooException.class, send(rank, x, 0, LONG_BYTES));
          } else {
            Reduction storing =
                new Reduction() {
                  @Override
                  public void reduce(long target, long source, long bytes) {
                    Memory.copy(source, x, (int) target, (int) bytes);
                  }

                  @Override
                  public int granule() {
                    return 1;
                  }
                };
            Arrays.fill(x, (byte) 0);
            Buffer window = rank.mesh().newBuffer().wrap(x, 0, LONG_BYTES);
            Request recv = rank.queue().newRequest().message(1, window, 0, LONG_BYTES);
            rank.recv(1, recv.reducing(storing));
            rank.until(
                "a part is here",
                () -> {
                  rank.queue().progress();
                  return x[1000] == 1;
                });
            rank.mesh().abort(new UnavailableException("enough of it"));
            rank.fails(UnavailableException.class, recv);
            Arrays.fill(x, (byte) 3);
            pipe.resume();
          }
          rank.meet();
          byte expected = (byte) (rank.rank() == 0 ? 3 : 1);
          for (byte each : x) {
            assertEquals(expected, each);
          }
        });
  }

  static Stream<Arguments> others() {
    return Stream.of(
        Arguments.of("connections", "2"),
        Arguments.of("sockets", "nio"),
        Arguments.of("memory", "require"));
  }

  @ParameterizedTest
  @MethodSource("others")
  void whereTheyAreNotSent(String option, String value) {
    boolean shares = option.equals("memory");
    DeviceOptions base = shares ? TcpMemoryDeviceTest.MEMORY : Loopback.OPTIONS;
    Loopback.ranks(2, base.with(option, value))
        .run(
            rank -> {
              rank.meet();
              assertFalse(rank.mesh().pair(1 - rank.rank()).sendsArrays());
              assertThrows(IllegalArgumentException.class, () -> send(rank, new byte[100], 0, 100));
              rank.meet();
            });
  }
}
