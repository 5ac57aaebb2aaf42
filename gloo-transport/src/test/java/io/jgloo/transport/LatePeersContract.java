package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With failure scope pairwise peers may come later, or again. */
public interface LatePeersContract extends DeviceUnderTest {

  /** Breaks all connections of a rank's mesh at once, as the end of its process does. */
  void lose(Mesh mesh);

  /** Whether nothing that is posted before {@link #lose} reaches the peer after it. */
  default boolean losesAtOnce() {
    return true;
  }

  /** Whether pairs are connected when they are first used. */
  default boolean connectsOnDemand() {
    return false;
  }

  @Test
  default void startedAnew_isConnectedInPlace() {
    ranks(4)
        .runUnconnected(
            rank -> {
              PairwiseRank own = new PairwiseRank(rank).connectWithout();
              own.exchange(1, 0, 1, 2, 3);
              if (rank.rank() == 3) {
                for (int peer = 0; peer < 3; peer++) {
                  own.complete(own.send(peer, 7, rank.area(64).fill(1))); // no receive takes it
                }
                lose(own.mesh());
                own.mesh().close();
                PairwiseRank again = new PairwiseRank(rank, rank.open(), "again").connectWithout();
                for (int peer = 0; peer < 3; peer++) {
                  again.complete(again.send(peer, 7, rank.area(64).fill(2)));
                }
                again.exchange(2, 0, 1, 2);
                rank.meet();
                return;
              }
              own.ends(PeerLostException.class, 3);
              List<Address> addresses = own.addressesWithout(3);
              addresses.set(3, rank.address("again", 3));
              own.connect(addresses, Ranks.PATIENCE);
              assertEquals(Optional.empty(), own.mesh().pair(3).failure());
              Area area = rank.area(64);
              own.complete(own.recv(3, 7, area));
              area.check(2);
              own.exchange(2, 3);
              own.exchange(3, 0, 1, 2);
              rank.meet();
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  default void rankThatComesLater_isConnected(int late) {
    ranks(3)
        .runUnconnected(
            rank -> {
              if (rank.rank() == late) {
                rank.meet();
                PairwiseRank own = new PairwiseRank(rank).connectWithout();
                own.exchange(2, 0, 1, 2);
                rank.meet();
                return;
              }
              PairwiseRank own = new PairwiseRank(rank).connectWithout(late);
              int other = 3 - late - rank.rank();
              own.exchange(1, other);
              Area area = rank.area(3000);
              Request early = own.recvAny(own.request(3, rank.area(8)), late, other);
              Request waiting = own.recv(late, 8, area);
              assertTrue(waiting.cancel());
              assertEquals("", own.mesh().hosts().get(late));
              rank.meet();
              own.connect(own.addressesWithout(), Ranks.PATIENCE);
              own.exchange(2, late, other);
              assertFalse(early.isDone());
              List<String> hosts = own.mesh().hosts();
              assertEquals(3, Collections.frequency(hosts, hosts.get(late)));
              rank.meet();
            });
  }

  @Test
  default void postedForARankThatComesLater_isServed() {
    ranks(2)
        .runUnconnected(
            rank -> {
              if (rank.rank() == 1) {
                rank.meet();
              }
              PairwiseRank own = new PairwiseRank(rank);
              if (rank.rank() == 0) {
                own.connectWithout(1);
                Area area = rank.area(64);
                Request recv = own.recvAny(own.request(1, area), 1);
                Request send = own.send(1, 1, rank.area(64).fill(0));
                rank.meet();
                own.connectWithout();
                own.complete(recv, send);
                area.check(1);
              } else {
                own.connectWithout();
                Area area = rank.area(64);
                own.complete(own.send(0, 1, rank.area(64).fill(1)), own.recv(0, 1, area));
                area.check(0);
              }
              rank.meet();
            });
  }

  @Test
  default void deadline_namesTheMissingRanksAndLeavesTheOthersConnected() {
    ranks(3)
        .runUnconnected(
            rank -> {
              PairwiseRank own = new PairwiseRank(rank);
              rank.meet();
              if (rank.rank() == 0) {
                rank.device().close();
                rank.meet();
                return;
              }
              List<Address> addresses = own.addressesWithout();
              if (connectsOnDemand()) {
                own.connect(addresses, Duration.ofMillis(300));
              } else {
                MeshConnectException failure =
                    assertThrows(
                        MeshConnectException.class,
                        () -> own.connect(addresses, Duration.ofMillis(700)));
                assertTrue(failure.causes().containsKey(0), failure.getMessage());
                own.connect(own.addressesWithout(0), Ranks.PATIENCE);
              }
              own.exchange(1, 1, 2);
              assertEquals(Optional.empty(), own.mesh().failure());
              rank.meet();
            });
  }
}
