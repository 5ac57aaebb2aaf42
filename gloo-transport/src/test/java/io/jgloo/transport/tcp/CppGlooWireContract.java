package io.jgloo.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Ability;
import io.jgloo.transport.Area;
import io.jgloo.transport.DeviceContract;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.Rank;
import io.jgloo.transport.Ranks;
import io.jgloo.transport.Request;
import io.jgloo.transport.UnavailableException;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a device on one of Gloo's wires promises instead of what they have no words for. */
abstract class CppGlooWireContract extends DeviceContract {

  abstract String wire();

  /**
   * The address of all ranks. No other test has it: ranks of tests that run beside this one dial
   * ports of 127.0.0.1 at which no process listens any more. A rank of this wire that has such a
   * port takes them for its peers, and so do its ranks where they dial a port of others.
   */
  abstract String address();

  @Override
  public Ranks ranks(int size) {
    DeviceOptions options = DeviceOptions.DEFAULTS.with("bind", address()).with("wire", wire());
    return Loopback.ranks(size, options);
  }

  @Override
  public Set<Ability> abilities() {
    return EnumSet.noneOf(Ability.class);
  }

  @Override
  public boolean tellsLiveness() {
    return false;
  }

  /** Tells a rank something, and does not wait until it listens. */
  private static void shout(Rank rank, int peer, long slot) {
    rank.send(peer, slot, rank.area(1));
  }

  /** Moves bytes until all ranks have met. */
  private static void drive(Rank rank) {
    rank.meet(); // the device's own thread makes this progress
  }

  /** A receive that was withdrawn has asked for a payload all the same: the next one has it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void creditOfAWithdrawnReceive_servesTheNextOne(boolean any) {
    ranks(3)
        .run(
            rank -> {
              if (rank.rank() == 0) {
                Area untouched = rank.area(100_000).fill(99);
                Request withdrawn = rank.recv(1, 5, untouched);
                assertTrue(withdrawn.cancel());
                rank.end(withdrawn);
                rank.meet();
                rank.hear(1, 6); // behind the payload, which is here and unmatched
                for (int i = 0; i < 3; i++) {
                  Area in = rank.area(100_000);
                  Request next = any ? rank.recvAny(5, in, 1, 2) : rank.recv(1, 5, in);
                  rank.complete(next);
                  in.check(i);
                }
                untouched.check(99);
                rank.meet();
              } else {
                rank.meet();
                if (rank.rank() == 1) {
                  for (int i = 0; i < 3; i++) {
                    rank.send(0, 5, rank.area(100_000).fill(i));
                  }
                  shout(rank, 0, 6);
                }
                drive(rank);
              }
            });
  }

  // Bound messages.

  @ParameterizedTest
  @CsvSource({
    "0, false",
    "8, false",
    "100000, false",
    "3000000, false",
    "8, true",
    "3000000, true"
  })
  void boundMessagesNeedNotBeAskedFor(int bytes, boolean late) {
    ranks(2)
        .run(
            rank -> {
              int peer = 1 - rank.rank();
              Request[] all = new Request[6];
              Area[] in = new Area[3];
              if (late) {
                for (int i = 0; i < 3; i++) {
                  Area out = rank.area(bytes).fill(i);
                  all[i] = rank.send(peer, rank.request(-3, out).bound(64L * i));
                }
                rank.meet();
              }
              for (int i = 0; i < 3; i++) {
                in[i] = rank.area(bytes);
                all[3 + i] = rank.recv(peer, rank.request(-3, in[i]).bound(64L * i));
              }
              for (int i = 0; i < 3 && !late; i++) {
                Area out = rank.area(bytes).fill(i);
                all[i] = rank.send(peer, rank.request(-3, out).bound(64L * i));
              }
              rank.complete(all);
              for (int i = 0; i < 3; i++) {
                in[i].check(i);
              }
            });
  }

  /** What has no receive stops its connection once a window is full, and goes on after that. */
  @Test
  void boundMessagesBeyondTheWindowWaitInTheirConnection() {
    ranks(2)
        .run(
            rank -> {
              int count = 40;
              int bytes = 300_000;
              if (rank.rank() == 0) {
                Request[] sends = new Request[count + 1];
                for (int i = 0; i < count; i++) {
                  sends[i] = rank.send(1, rank.request(i % 3, rank.area(bytes).fill(i)).bound(0));
                }
                rank.meet();
                sends[count] = rank.send(1, 77, rank.area(8).fill(5));
                rank.complete(sends);
              } else {
                rank.meet();
                Area last = rank.area(8);
                Request behind = rank.recv(0, 77, last);
                for (int i = 0; i < count; i++) {
                  Area in = rank.area(bytes);
                  rank.complete(rank.recv(0, rank.request(i % 3, in).bound(0)));
                  in.check(i);
                  rank.free(in);
                }
                rank.complete(behind);
                last.check(5);
              }
            });
  }

  @Test
  void boundAndOtherMessagesOfASlotDoNotMeet() {
    ranks(2)
        .run(
            rank -> {
              int peer = 1 - rank.rank();
              Area[] in = {rank.area(8), rank.area(8)};
              Request[] all = {
                rank.send(peer, rank.request(4, rank.area(8).fill(1)).bound(16)),
                rank.send(peer, 4, rank.area(8).fill(2)),
                rank.recv(peer, 4, in[1]),
                rank.recv(peer, rank.request(4, in[0]).bound(16)),
              };
              rank.complete(all);
              in[0].check(1);
              in[1].check(2);
            });
  }

  @Test
  void aPlaceThatWasNotExpectedFailsTheMesh() {
    ranks(2)
        .run(
            rank -> {
              if (rank.rank() == 0) {
                rank.send(1, rank.request(4, rank.area(8)).bound(16));
                rank.fails(PeerLostException.class, rank.recv(1, 5, rank.area(8)));
              } else {
                Request recv = rank.recv(0, rank.request(4, rank.area(8)).bound(24));
                String message = rank.fails(ProtocolException.class, recv).getMessage();
                assertTrue(message.contains("byte 16") && message.contains("byte 24"), message);
              }
            });
  }

  // Failure.

  /** The receiver says what is wrong; the others lose it. */
  @ParameterizedTest
  @CsvSource({"8, 7", "7, 8", "1, 0", "0, 1", "3000000, 8", "8, 3000000"})
  void lengthsThatDiffer(int sent, int posted) {
    ranks(3)
        .run(
            rank -> {
              if (rank.rank() == 1) {
                Request recv = rank.recv(0, 4, rank.area(posted));
                MismatchException failure = rank.fails(MismatchException.class, recv);
                assertEquals(posted, failure.first().length());
                assertEquals(sent, failure.second().length());
                return;
              }
              if (rank.rank() == 0) {
                rank.send(1, 4, rank.area(sent));
              }
              Request waiting = rank.recv(1, 99, rank.area(1));
              assertEquals(1, rank.fails(PeerLostException.class, waiting).peer());
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {3})
  void requestsForARankThatAborts_failAsLost(int size) {
    ranks(size)
        .run(
            rank -> {
              Request waiting = rank.recv((rank.rank() + 1) % size, 1, rank.area(8));
              rank.meet();
              if (rank.rank() == 1) {
                rank.mesh().abort(new UnavailableException("no more paper"));
                rank.fails(UnavailableException.class, waiting);
              } else {
                PeerLostException lost = rank.fails(PeerLostException.class, waiting);
                assertEquals((rank.rank() + 1) % size, lost.peer());
              }
            });
  }
}
