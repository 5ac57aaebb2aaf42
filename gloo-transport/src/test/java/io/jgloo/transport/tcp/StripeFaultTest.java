package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.Area;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What networks do to one of a pair's several connections. */
@Timeout(60)
class StripeFaultTest {

  private static final int HELLOS = WireBytes.HELLO_BYTES + WireBytes.CONFIRMATION_BYTES;

  private static final DeviceOptions OPTIONS =
      Loopback.OPTIONS.with("connections", "3").with("eager", "64");

  private static void through(Shape shape, NetworkFaultTest.Program program) {
    NetworkFaultTest.through(OPTIONS, shape, program);
  }

  @Test
  void anyPieces() {
    through(
        Shape.pieces(1, 3000),
        (rank, proxy) -> {
          NetworkFaultTest.exchange(rank, 100, 65_535, 65_536, 300_000, (1 << 20) + 1);
          NetworkFaultTest.reduce(rank, 8, 1, 1000, 50_000);
        });
  }

  /** Elements longer than a piece: a part's read ends in the middle of one. */
  @ParameterizedTest
  @ValueSource(ints = {72, 65_536})
  void piecesOfLongElements(int granule) {
    through(
        Shape.pieces(1, 5000),
        (rank, proxy) -> NetworkFaultTest.reduce(rank, granule, 3, 40, (200 << 10) / granule));
  }

  /** The first connection lives on, and tells nothing: the loss of a part is the loss of a peer. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneConnectionBreaks(boolean reset) {
    through(
        Shape.PLAIN,
        (rank, proxy) -> {
          int peer = 1 - rank.rank();
          Area area = rank.area(1_000_000).fill(7);
          if (rank.rank() == 1) {
            Pipe pipe = proxy.wire(2).toListener();
            if (reset) {
              pipe.resetAt(HELLOS + 5000);
            } else {
              pipe.endAt(HELLOS + 5000);
            }
          }
          rank.meet();
          if (rank.rank() == 1) {
            rank.send(peer, 1, area);
          }
          Request waiting = rank.recv(peer, rank.rank() == 0 ? 1 : 2, rank.area(1_000_000));
          if (rank.rank() == 0) {
            assertEquals(peer, rank.fails(PeerLostException.class, waiting).peer());
          } else {
            rank.end(waiting); // by what rank 0 says, or by the end of what it reads
          }
          rank.mesh().close();
        });
  }

  /** A rank that gives up says why on the first connection, whatever is under way on the others. */
  @Test
  void abortArrivesInTheMiddleOfParts() {
    through(
        Shape.PLAIN,
        (rank, proxy) -> {
          int peer = 1 - rank.rank();
          proxy.wire(1).toListener().stall();
          proxy.wire(2).toDialler().stall();
          rank.meet();
          Request recv = rank.recv(peer, 1, rank.area(8_000_000));
          Request send = rank.send(peer, 1, rank.area(8_000_000));
          rank.meet();
          if (rank.rank() == 1) {
            rank.mesh().abort(new AbortedException(1, "enough"));
          }
          AbortedException failure = rank.fails(AbortedException.class, recv);
          assertEquals(1, failure.origin());
          rank.end(send);
          rank.meet();
          proxy.wire(1).toListener().resume();
          proxy.wire(2).toDialler().resume();
          rank.mesh().close();
        });
  }
}
