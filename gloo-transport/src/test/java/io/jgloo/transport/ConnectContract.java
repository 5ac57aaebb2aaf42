package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Device.Liveness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Meshes consist of the right ranks only, by the deadline, or report exactly the missing ranks. */
public interface ConnectContract extends DeviceUnderTest {

  @Test
  default void missingRanksAreNamedAndMayComeLater() {
    AtomicInteger incomplete = new AtomicInteger();
    ranks(4)
        .runUnconnected(
            rank -> {
              if (rank.rank() == 2) {
                Device crashed = rank.open();
                Mesh gone = crashed.newMesh(rank.mesh().membership());
                rank.publish("gone", gone.address());
                crashed.close();
                rank.closeAtTheEnd(occupied(gone.address()));
              }
              rank.meet();
              // A busy machine may not connect the others in the first of these times.
              Duration most = Duration.ofMillis(600L * Ranks.SLOWDOWN);
              for (int last = -1; last != incomplete.get(); most = most.multipliedBy(5)) {
                last = incomplete.get();
                rank.meet();
                assertTrue(most.compareTo(Ranks.PATIENCE) < 0, "other ranks are missed as well");
                if (rank.rank() != 2 && !missed(rank, most).equals(Set.of(2))) {
                  incomplete.incrementAndGet();
                }
                rank.meet();
              }
              rank.connect();
              Request[] all = new Request[3];
              for (int i = 0; i < 3; i++) {
                all[i] = rank.recv((rank.rank() + 1 + i) % 4, 1, rank.area(8));
                rank.send((rank.rank() + 1 + i) % 4, 1, rank.area(8));
              }
              rank.complete(all);
            });
  }

  /** The ranks that rank 0, 1 or 3 misses at this deadline, rank 2 among them. */
  private static Set<Integer> missed(Rank rank, Duration most) {
    List<Address> addresses = new ArrayList<>(rank.addresses("world"));
    addresses.set(2, rank.address("gone", 2));
    long deadline = rank.deadline(most);
    MeshConnectException failure =
        assertThrows(MeshConnectException.class, () -> rank.mesh().connect(addresses, most));
    assertTrue(rank.mesh().clock().nanoTime() - deadline >= 0, "too early");
    assertTrue(failure.causes().containsKey(2), failure::getMessage);
    return failure.causes().keySet();
  }

  /** Ranks 1 and 2 look for each other at the wrong place; rank 0 may be found by both. */
  @Test
  default void wrongRanksNeverFormAPair() {
    needs(Ability.IDENTITY);
    ranks(3)
        .runUnconnected(
            rank -> {
              List<Address> swapped = new ArrayList<>(rank.addresses("world"));
              Collections.swap(swapped, 1, 2);
              if (rank.rank() == 0) {
                rank.meet();
                return;
              }
              RuntimeException failure =
                  assertThrows(
                      RuntimeException.class,
                      () -> rank.mesh().connect(swapped, Duration.ofMillis(300)));
              assertTrue(
                  failure instanceof IllegalArgumentException
                      || (failure instanceof MeshConnectException missing
                          && missing.causes().containsKey(3 - rank.rank())),
                  () -> "not " + failure);
              rank.meet();
            });
  }

  @Test
  default void groupsEpochsAndSizesMustAgree() {
    needs(Ability.IDENTITY);
    ranks(2)
        .runUnconnected(
            rank -> {
              boolean odd = rank.rank() == 1;
              List<Membership> memberships =
                  List.of(
                      new Membership(odd ? "a" : "b", 0, rank.rank(), 2),
                      new Membership("group", odd ? 1 : 2, rank.rank(), 2));
              for (int i = 0; i < memberships.size(); i++) {
                Mesh mesh = rank.device().newMesh(memberships.get(i));
                rank.publish("m" + i, mesh.address());
                List<Address> addresses = rank.addresses("m" + i);
                MeshConnectException failure =
                    assertThrows(
                        MeshConnectException.class,
                        () -> mesh.connect(addresses, Duration.ofMillis(300)));
                assertEquals(Set.of(1 - rank.rank()), failure.causes().keySet());
              }
              rank.meet();
              rank.connect();
            });
  }

  @Test
  default void badListsAreRefused() {
    ranks(2)
        .runUnconnected(
            rank -> {
              List<Address> addresses = rank.addresses("world");
              Duration second = Duration.ofSeconds(1);
              for (List<Address> bad :
                  List.of(List.<Address>of(), addresses.subList(0, 1), doubled(addresses))) {
                assertThrows(
                    IllegalArgumentException.class, () -> rank.mesh().connect(bad, second));
              }
              rank.meet();
              rank.connect();
            });
  }

  private static List<Address> doubled(List<Address> once) {
    List<Address> twice = new ArrayList<>(once);
    twice.addAll(once);
    return twice;
  }

  @Test
  default void addressesSurviveEncoding() {
    ranks(3)
        .runUnconnected(
            rank -> {
              List<Address> decoded = new ArrayList<>();
              for (Address address : rank.addresses("world")) {
                Address copy = Address.decode(address.encode());
                assertEquals(address, copy);
                assertEquals(rank.device().name(), copy.device());
                decoded.add(copy);
              }
              rank.mesh().connect(decoded, Ranks.PATIENCE);
              rank.complete(
                  rank.send((rank.rank() + 1) % 3, 1, rank.area(8)),
                  rank.recv((rank.rank() + 2) % 3, 1, rank.area(8)));
              rank.meet();
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void connectingEndsByClosingOrAnInterrupt(boolean interrupt) {
    ranks(2)
        .runUnconnected(
            rank -> {
              List<Address> addresses = rank.addresses("world");
              rank.meet();
              if (rank.rank() == 1) {
                rank.device().close();
                rank.meet();
                return;
              }
              rank.meet();
              AtomicBoolean connecting = new AtomicBoolean();
              Ranks.Fork fork =
                  rank.fork(
                      "connecting",
                      self -> {
                        connecting.set(true);
                        JGlooException end =
                            assertThrows(
                                JGlooException.class,
                                () -> self.mesh().connect(addresses, Ranks.PATIENCE));
                        Class<? extends JGlooException> expected =
                            interrupt ? InterruptedOperationException.class : ClosedException.class;
                        assertInstanceOf(expected, end);
                        assertEquals(interrupt, Thread.interrupted());
                      });
              rank.until("the thread connects", connecting::get);
              rank.pause(20);
              long start = rank.mesh().clock().nanoTime();
              if (interrupt) {
                fork.interrupt();
              } else {
                rank.mesh().close();
              }
              fork.join();
              long took = rank.mesh().clock().nanoTime() - start;
              assertTrue(took < Ranks.PATIENCE.toNanos() / 2, took + " ns to end");
            });
  }

  @Test
  default void theLivingAndTheGone() {
    ranks(2)
        .run(
            rank -> {
              Duration timeout = Duration.ofSeconds(5);
              Address other = rank.addresses("world").get(1 - rank.rank());
              expect(Liveness.ALIVE, rank.device().liveness(other, timeout));
              Mesh extra = rank.newMesh("extra");
              Address theirs = rank.addresses("extra").get(1 - rank.rank());
              expect(Liveness.ALIVE, rank.device().liveness(theirs, timeout));
              rank.meet();
              extra.close();
              rank.meet();
              expect(Liveness.GONE, rank.device().liveness(theirs, timeout));
              expect(Liveness.ALIVE, rank.device().liveness(other, timeout));
              rank.meet();
              if (rank.rank() == 1) {
                rank.device().close();
              }
              rank.meet();
              if (rank.rank() == 0) {
                expect(Liveness.GONE, rank.device().liveness(other, timeout));
              }
            });
  }

  private void expect(Liveness expected, Liveness answer) {
    assertTrue(
        answer == expected || (answer == Liveness.UNKNOWN && !tellsLiveness()),
        () -> "answered " + answer + " for " + expected);
  }

  @Test
  default void manyMeshesComeAndGo() {
    ranks(3)
        .run(
            rank -> {
              for (int i = 0; i < 10; i++) {
                rank.connectAnother("group" + i).close();
              }
              rank.meet();
              rank.complete(
                  rank.send((rank.rank() + 1) % 3, 1, rank.area(8)),
                  rank.recv((rank.rank() + 2) % 3, 1, rank.area(8)));
              rank.meet();
            });
  }

  @Test
  default void connectWithTheLongestTimeout_connects() {
    ranks(2)
        .runUnconnected(
            rank -> {
              rank.mesh().connect(rank.addresses("world"), Duration.ofSeconds(Long.MAX_VALUE));
              rank.meet();
            });
  }
}
