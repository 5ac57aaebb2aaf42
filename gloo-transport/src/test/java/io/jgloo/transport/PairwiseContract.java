package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With failure scope pairwise a failure ends one pair alone. */
public interface PairwiseContract extends LatePeersContract {

  /** What a rank does whose pairs have all been used; all ranks wait for its end. */
  interface Program {
    void run(Rank rank, PairwiseRank own) throws Exception;
  }

  private void pairwise(int size, Program program) {
    ranks(size)
        .runUnconnected(
            rank -> {
              PairwiseRank own = new PairwiseRank(rank).connectWithout();
              own.exchange(1, IntStream.range(0, size).toArray());
              program.run(rank, own);
              rank.meet();
            });
  }

  @Test
  default void lostPeer_endsItsPairOnly() {
    pairwise(
        4,
        (rank, own) -> {
          Area area = rank.area(100);
          Request waiting = rank.rank() < 3 ? own.recv(3, 9, area) : null;
          rank.meet();
          if (rank.rank() == 3) {
            lose(own.mesh());
          } else {
            assertEquals(3, own.fails(PeerLostException.class, waiting).peer());
            assertSame(waiting.failure(), own.ends(PeerLostException.class, 3));
            for (int i = 2; i < 10; i++) {
              own.exchange(i, 0, 1, 2);
            }
            own.exchangeBytes(1_000_000, 10, 0, 1, 2);
            assertEquals(Optional.empty(), own.mesh().failure());
            assertEquals(Optional.empty(), own.mesh().pair((rank.rank() + 1) % 3).failure());
          }
        });
  }

  @Test
  default void messagesOfOtherPairs_arriveWhileAPairEnds() {
    int messages = 200;
    pairwise(
        3,
        (rank, own) -> {
          if (rank.rank() == 2) {
            own.send(0, 3, rank.area(1_000_000));
            own.recv(1, 4, rank.area(1_000_000));
            lose(own.mesh());
          } else {
            List<Request> all = new ArrayList<>();
            List<Area> areas = new ArrayList<>();
            Request dying =
                rank.rank() == 0
                    ? own.recv(2, 3, rank.area(1_000_000))
                    : own.send(2, 4, rank.area(1_000_000));
            for (int i = 0; i < messages; i++) {
              areas.add(rank.area(500));
              if (rank.rank() == 0) {
                areas.get(i).fill(i);
                all.add(own.send(1, 2, areas.get(i)));
              } else {
                all.add(own.recv(0, 2, areas.get(i)));
              }
            }
            own.complete(all.toArray(Request[]::new));
            for (int i = 0; i < messages; i++) {
              areas.get(i).check(i);
            }
            own.end(dying);
            own.ends(PeerLostException.class, 2);
          }
        });
  }

  @Test
  default void receiveFromAny_waitsForTheLivingAndFailsWithTheLast() {
    pairwise(
        3,
        (rank, own) -> {
          Area area = rank.area(64).fill(rank.rank());
          Request first = rank.rank() == 0 ? own.recvAny(own.request(5, area), 1, 2) : null;
          Request last = rank.rank() == 0 ? own.recvAny(own.request(6, rank.area(8)), 1, 2) : null;
          rank.meet();
          if (rank.rank() == 2) {
            lose(own.mesh());
          } else if (rank.rank() == 0) {
            own.ends(PeerLostException.class, 2);
            assertFalse(first.isDone());
          }
          rank.meet();
          if (rank.rank() == 1) {
            own.complete(own.send(0, 5, area));
          } else if (rank.rank() == 0) {
            own.complete(first);
            assertEquals(1, first.peer());
            area.check(1);
          }
          rank.meet();
          if (rank.rank() == 1) {
            lose(own.mesh());
          } else if (rank.rank() == 0) {
            assertEquals(1, own.fails(PeerLostException.class, last).peer());
            Request late = own.recvAny(own.request(7, area), 1, 2);
            assertTrue(late.isDone());
            assertSame(last.failure(), late.failure());
          }
        });
  }

  /** It was matched with an announced message that will not arrive. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void receiveFromAny_takesAnotherMessageForOneThatWasAnnounced(boolean reduces) {
    assumeTrue(!reduces || losesAtOnce(), "bytes of the announced message may still arrive");
    int bytes = 8_000_000; // longer than any window
    pairwise(
        3,
        (rank, own) -> {
          if (rank.rank() == 0) {
            Area area = rank.area(bytes).ints(new int[bytes / 4]);
            Request request = own.request(5, area);
            own.recvAny(reduces ? request.reducing(new ReductionContract.Sum(4)) : request, 1, 2);
            rank.meet();
            rank.meet();
            own.ends(PeerLostException.class, 2);
            assertFalse(request.isDone());
            rank.meet();
            own.complete(request);
            assertEquals(1, request.peer());
            area.check(1);
          } else if (rank.rank() == 2) {
            rank.meet();
            own.send(0, 5, rank.area(bytes).fill(2));
            lose(own.mesh());
            rank.meet();
            rank.meet();
          } else {
            rank.meet();
            rank.meet();
            rank.meet();
            own.complete(own.send(0, 5, rank.area(bytes).fill(1)));
          }
        });
  }

  @Test
  default void departedPeer_endsItsPairOnlyAndWhatHadArrivedCanBeReceived() {
    pairwise(
        3,
        (rank, own) -> {
          if (rank.rank() == 2) {
            own.complete(own.send(0, 4, rank.area(64).fill(4)));
            own.complete(own.send(1, 4, rank.area(64).fill(4)));
            own.mesh().close();
          } else {
            assertEquals(2, own.ends(PeerDepartedException.class, 2).peer());
            Area area = rank.area(64);
            own.complete(own.recv(2, 4, area));
            area.check(4);
            Request more = own.recv(2, 4, area);
            assertTrue(more.isDone());
            own.fails(PeerDepartedException.class, more);
            own.fails(PeerDepartedException.class, own.send(2, 4, area));
            own.exchange(2, 0, 1);
          }
        });
  }

  @Test
  default void departedPeerStartedAnew_doesNotLeaveMessages() {
    pairwise(
        2,
        (rank, own) -> {
          if (rank.rank() == 1) {
            own.complete(own.send(0, 4, rank.area(64).fill(4)));
            own.mesh().close();
            PairwiseRank again = new PairwiseRank(rank, rank.device(), "again").connectWithout();
            again.complete(again.send(0, 4, rank.area(64).fill(5)));
            again.exchange(2, 0);
          } else {
            own.ends(PeerDepartedException.class, 1);
            List<Address> addresses = own.addressesWithout(1);
            addresses.set(1, rank.address("again", 1));
            own.connect(addresses, Ranks.PATIENCE);
            Area area = rank.area(64);
            own.complete(own.recv(1, 4, area));
            area.check(5);
            own.exchange(2, 1);
          }
        });
  }

  @Test
  default void newAddress_endsAPairThatLives() {
    pairwise(
        2,
        (rank, own) -> {
          if (rank.rank() == 1) {
            PairwiseRank again = new PairwiseRank(rank, rank.open(), "again").connectWithout();
            own.ends(JGlooException.class, 0); // by the peer's notice
            again.exchange(2, 0);
          } else {
            Request waiting = own.recv(1, 9, rank.area(8));
            List<Address> addresses = own.addressesWithout(1);
            addresses.set(1, rank.address("again", 1));
            own.connect(addresses, Ranks.PATIENCE);
            PeerLostException lost = own.fails(PeerLostException.class, waiting);
            assertTrue(lost.getMessage().contains("replaced"), lost.getMessage());
            own.exchange(2, 1);
          }
        });
  }

  @Test
  default void sameAddresses_connectLostPairsAgainAndLeaveTheOthers() {
    pairwise(
        3,
        (rank, own) -> {
          rank.meet();
          if (rank.rank() == 2) {
            lose(own.mesh());
            own.ends(PeerLostException.class, 0);
            own.ends(PeerLostException.class, 1);
          } else {
            own.ends(PeerLostException.class, 2);
          }
          Request across = null;
          Area area = rank.area(64);
          if (rank.rank() < 2) {
            across = own.recv(1 - rank.rank(), 3, area);
          }
          rank.meet();
          own.connect(own.addressesWithout(), Ranks.PATIENCE);
          own.exchange(2, 0, 1, 2);
          if (rank.rank() < 2) {
            own.complete(own.send(1 - rank.rank(), 3, rank.area(64).fill(3)), across);
            area.check(3);
          }
        });
  }

  @Test
  default void mismatch_endsThePairAtBothEndsOnly() {
    pairwise(
        3,
        (rank, own) -> {
          if (rank.rank() == 0) {
            own.fails(MismatchException.class, own.recv(1, 2, rank.area(10)));
            own.ends(MismatchException.class, 1);
          } else if (rank.rank() == 1) {
            own.send(0, 2, rank.area(11));
            own.ends(MismatchException.class, 0);
          }
          own.exchange(3, rank.rank() < 2 ? 2 : 0, rank.rank() < 2 ? 2 : 1);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 3_000_000})
  default void reductionThatThrows_endsThePairOnly(int bytes) {
    Reduction broken =
        new Reduction() {
          @Override
          public int granule() {
            return 8;
          }

          @Override
          public void reduce(long target, long source, long count) {
            throw new IllegalStateException("no");
          }
        };
    pairwise(
        3,
        (rank, own) -> {
          if (rank.rank() == 0) {
            Request request = own.request(2, rank.area(bytes)).reducing(broken);
            own.recvAny(request, 1, 2);
            own.fails(AbortedException.class, request);
            own.ends(AbortedException.class, 1);
          } else if (rank.rank() == 1) {
            own.send(0, 2, rank.area(bytes));
            assertEquals(0, own.ends(AbortedException.class, 0).origin());
          }
          own.exchange(3, rank.rank() < 2 ? 2 : 0, rank.rank() < 2 ? 2 : 1);
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void endOfTheMesh_endsAllItsPairs(boolean aborts) {
    pairwise(
        3,
        (rank, own) -> {
          if (rank.rank() == 0) {
            Request any = own.recvAny(own.request(2, rank.area(8)), 1, 2);
            Request one = own.recv(1, 3, rank.area(8));
            if (aborts) {
              own.mesh().abort(new AbortedException(0, "enough"));
            } else {
              own.mesh().close();
            }
            Class<? extends JGlooException> kind =
                aborts ? AbortedException.class : ClosedException.class;
            own.fails(kind, any);
            own.fails(kind, one);
            own.fails(kind, own.recv(2, 4, rank.area(8)));
          } else {
            Class<? extends JGlooException> kind =
                aborts ? AbortedException.class : PeerDepartedException.class;
            own.ends(kind, 0);
            own.exchange(2, 1, 2);
          }
        });
  }
}
