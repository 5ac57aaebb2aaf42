package io.jgloo.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.Request;
import io.jgloo.transport.UnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What ranks see of each fault, for some seeds of each. */
@Timeout(60)
class SimFaultTest {

  private static Membership member(int rank, int size) {
    return new Membership("world", 0, rank, size);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void aCrashIsKnownToAllSoonAndSurvivorsFormANewGroup(long seed) {
    SimWorld world = new SimWorld(4, seed);
    Duration detection = Duration.ofMillis(2);
    Duration when = Duration.ofMillis(3);
    long start = world.clock().nanoTime();
    world.at(when, () -> world.faults().crash(2, detection));
    AtomicInteger survivors = new AtomicInteger();
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 4), 6000)) {
            JGlooException failure = talk.exchangeUntilFailure();
            assertEquals(2, assertInstanceOf(PeerLostException.class, failure).peer());
            long took = world.clock().nanoTime() - start - when.plus(detection).toNanos();
            assertTrue(took < 1_000_000, took + " ns after detection");
          }
          int newRank = rank < 2 ? rank : rank - 1;
          Membership again = new Membership("world", 1, newRank, 3);
          try (Talk talk = new Talk(world, device, again, 2000)) {
            Request recv = talk.recv((newRank + 2) % 3, 1, 0, 1000);
            Request send = talk.send((newRank + 1) % 3, 1, 1000, 1000, newRank);
            assertTrue(talk.end(recv).isEmpty());
            assertTrue(talk.end(send).isEmpty());
            talk.check(0, 1000, (newRank + 2) % 3);
          }
          survivors.incrementAndGet();
        });
    assertEquals(3, survivors.get());
    assertTrue(world.faults().hasCrashed(2));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void rankThatVanishes_isReportedAtTheDeadline(long seed) {
    SimWorld world = new SimWorld(3, seed);
    world.at(Duration.ofMillis(3), () -> world.faults().vanish(1));
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 3), 100)) {
            Request never = talk.recv((rank + 1) % 3, 1, 0, 100);
            long start = world.clock().nanoTime();
            assertFalse(talk.isDoneWithin(never, Duration.ofSeconds(5)));
            assertTrue(world.clock().nanoTime() - start >= Duration.ofSeconds(5).toNanos());
            assertTrue(talk.mesh().failure().isEmpty());
          }
        });
  }

  /** The clock goes from its greatest value to its least while the ranks connect and wait. */
  @ParameterizedTest
  @ValueSource(longs = {0, 20_000, 300_000, 1_000_000, 2_000_000_000, 7_000_000_000L})
  void clockThatWraps_changesNoTimeout(long nanosBefore) {
    SimWorld world = new SimWorld(3, 1, Long.MAX_VALUE - nanosBefore).with("heartbeat", 500);
    Duration timeout = Duration.ofSeconds(5);
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 3), 200)) {
            Request never = talk.recv((rank + 1) % 3, 1, 0, 100);
            long start = world.clock().nanoTime();
            assertFalse(talk.isDoneWithin(never, timeout));
            long late = world.clock().nanoTime() - start - timeout.toNanos();
            assertTrue(late >= 0 && late < 1_000_000, late + " ns late");
            assertTrue(talk.mesh().failure().isEmpty(), () -> "" + talk.mesh().failure());
            Request recv = talk.recv((rank + 2) % 3, 2, 0, 100);
            Request send = talk.send((rank + 1) % 3, 2, 100, 100, rank);
            assertTrue(talk.end(recv).isEmpty());
            assertTrue(talk.end(send).isEmpty());
            world.sleep(Duration.ofMillis(10));
          }
        });
  }

  /** At each point of connecting at which a rank may have no socket left. */
  @ParameterizedTest
  @CsvSource({"epoll, 1", "epoll, 2", "epoll, 3", "epoll, 4", "nio, 1", "nio, 3", "nio, 4"})
  void limitOfSockets_failsConnectingOnlyAndTheNextMeshConnects(String sockets, int most) {
    SimWorld world = new SimWorld(4, most).with("sockets", sockets);
    world.faults().mostSockets(1, most);
    world.at(Duration.ofSeconds(3), () -> world.faults().healAll());
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 4), 10, Duration.ofSeconds(2))) {
            world.await(() -> talk.mesh().failure().isPresent(), Duration.ofSeconds(2));
          } catch (MeshConnectException | UnavailableException e) {
            assertTrue(e.getMessage().contains("rank"), e.getMessage());
          }
          world.sleep(Duration.ofSeconds(5));
          Membership again = new Membership("world", 1, rank, 4);
          try (Talk talk = new Talk(world, device, again, 200)) {
            Request recv = talk.recv((rank + 3) % 4, 2, 0, 100);
            Request send = talk.send((rank + 1) % 4, 2, 100, 100, rank);
            assertTrue(talk.end(recv).isEmpty());
            assertTrue(talk.end(send).isEmpty());
            world.sleep(Duration.ofMillis(10));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aCutThatHealsInTimeOnlyDelays(long seed) {
    SimWorld world = new SimWorld(2, seed);
    long start = world.clock().nanoTime();
    for (int i = 0; i < 20; i++) {
      world.at(Duration.ofMillis(1 + 4 * i), () -> world.faults().cut(0, 1));
      world.at(Duration.ofMillis(3 + 4 * i), () -> world.faults().heal(0, 1));
    }
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 2), 40_000)) {
            for (int i = 0; i < 500; i++) {
              int bytes = i % 7 == 0 ? 20_000 : 100 + i;
              Request recv = talk.recv(1 - rank, i % 3, 0, bytes);
              Request send = talk.send(1 - rank, i % 3, 20_000, bytes, 2 * i + rank);
              assertTrue(talk.end(recv).isEmpty());
              assertTrue(talk.end(send).isEmpty());
              talk.check(0, bytes, 2 * i + 1 - rank);
            }
          }
        });
    assertTrue(world.clock().nanoTime() - start > Duration.ofMillis(6).toNanos());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aOneWayCutStopsOneWay(long seed) {
    SimWorld world = new SimWorld(2, seed);
    world.at(Duration.ofMillis(5), () -> world.faults().cutOneWay(0, 1));
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 2), 100)) {
            world.sleep(Duration.ofMillis(10));
            Request recv = talk.recv(1 - rank, 1, 0, 50);
            talk.send(1 - rank, 1, 50, 50, rank);
            assertEquals(rank == 0, talk.isDoneWithin(recv, Duration.ofSeconds(1)));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aResetIsALossOnBothSides(long seed) {
    SimWorld world = new SimWorld(3, seed);
    world.at(Duration.ofMillis(2), () -> world.faults().reset(0, 1));
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 3), 6000)) {
            JGlooException failure = talk.exchangeUntilFailure();
            if (failure instanceof PeerLostException lost) {
              assertTrue(rank == 2 ? lost.peer() < 2 : lost.peer() == 1 - rank);
            } else {
              // The third rank's notice that it is lost came first.
              assertInstanceOf(AbortedException.class, failure);
              assertTrue(rank < 2);
            }
          }
        });
  }

  /** A send may be done while its bytes wait for room in the socket: they go without a call. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void stagedBytesAreSentWithoutAnotherCall(long seed) {
    int messages = 60;
    SimWorld world = new SimWorld(2, seed).with("window", 1 << 20);
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 2), 1000 * messages)) {
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
              requests.add(
                  rank == 0 ? talk.recv(1, 1, 1000 * i, 1000) : talk.send(0, 1, 1000 * i, 1000, i));
            }
            for (Request request : requests) {
              assertTrue(talk.isDoneWithin(request, Duration.ofSeconds(1)));
            }
            world.sleep(Duration.ofSeconds(2)); // neither makes a call
          }
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aPauseOnlyDelays(long seed) {
    SimWorld world = new SimWorld(3, seed);
    world.at(Duration.ofMillis(2), () -> world.faults().pause(1, Duration.ofMillis(500)));
    world.faults().slow(2, Duration.ofNanos(700));
    long start = world.clock().nanoTime();
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 3), 2000)) {
            for (int i = 0; i < 300; i++) {
              Request recv = talk.recv((rank + 2) % 3, 1, 0, 1000);
              Request send = talk.send((rank + 1) % 3, 1, 1000, 1000, i);
              assertTrue(talk.end(recv).isEmpty());
              assertTrue(talk.end(send).isEmpty());
              talk.check(0, 1000, i);
            }
          }
        });
    assertTrue(world.clock().nanoTime() - start > Duration.ofMillis(502).toNanos());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void rankThatCrashesWhileConnecting_isNamed(long seed) {
    SimWorld world = new SimWorld(4, seed);
    world.faults().vanish(3);
    world.run(
        (rank, device) -> {
          MeshConnectException failure =
              assertThrows(
                  MeshConnectException.class,
                  () -> world.connect(device, member(rank, 4), Duration.ofSeconds(3)));
          assertEquals(Set.of(3), failure.causes().keySet());
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void connectingSurvivesCutsAndResets(long seed) {
    SimWorld world = new SimWorld(3, seed);
    world.faults().cut(0, 1);
    world.faults().cut(2, 1);
    for (int i = 0; i < 10; i++) {
      world.at(Duration.ofNanos(30_000 + 7_000 * i), () -> world.faults().reset(0, 2));
    }
    world.at(Duration.ofMillis(20), () -> world.faults().heal(0, 1));
    world.at(Duration.ofMillis(30), () -> world.faults().heal(2, 1));
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 3), 200)) {
            Request recv = talk.recv((rank + 2) % 3, 1, 0, 100);
            Request send = talk.send((rank + 1) % 3, 1, 100, 100, rank);
            assertTrue(talk.end(recv).isEmpty());
            assertTrue(talk.end(send).isEmpty());
          }
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void threadsOfACrashedRankEnd(long seed) {
    SimWorld world = new SimWorld(2, seed);
    AtomicInteger ended = new AtomicInteger();
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 2), 100)) {
            if (rank == 0) {
              world.fork("killer", () -> world.faults().crash(0));
              talk.isDoneWithin(talk.recv(1, 1, 0, 10), Talk.LONG);
              throw new AssertionError("lives on");
            }
            assertInstanceOf(
                PeerLostException.class, talk.end(talk.recv(0, 1, 0, 10)).orElseThrow());
          } finally {
            ended.incrementAndGet();
          }
        });
    assertEquals(2, ended.get());
    assertThrows(RankCrash.class, () -> world.device(0).newMesh(member(0, 1)));
  }
}
