package io.jgloo.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.AbortedException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ReductionContract;
import io.jgloo.transport.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Heartbeats name the peer that is silent within their bound, and no peer that is only slow. */
@Timeout(60)
class HeartbeatFaultTest {

  private static final int PERIOD_MILLIS = 100;
  private static final int MISSES = 3;

  /** A period for the last byte, one for the check, and what messages and notices take. */
  private static final Duration BOUND = Duration.ofMillis((MISSES + 1) * PERIOD_MILLIS + 10);

  private static final Duration WHEN = Duration.ofSeconds(5);

  private static SimWorld world(int ranks, long seed) {
    return new SimWorld(ranks, seed).with("heartbeat", PERIOD_MILLIS).with("misses", MISSES);
  }

  private static Membership member(int rank, int size) {
    return new Membership("world", 0, rank, size);
  }

  /** What an idle rank learns within the bound after the fault. */
  private static JGlooException failure(SimWorld world, Talk talk, long start) {
    Duration left = WHEN.plus(BOUND).minusNanos(world.clock().nanoTime() - start);
    assertTrue(world.await(() -> talk.mesh().failure().isPresent(), left), "no failure in time");
    long took = world.clock().nanoTime() - start - WHEN.toNanos();
    assertTrue(took > 0, "failed " + -took + " ns before the fault");
    return talk.mesh().failure().orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void hostThatVanishesWhileIdle_isNamedByAllWithinTheBound(long seed) {
    SimWorld world = world(3, seed);
    long start = world.clock().nanoTime();
    world.at(WHEN, () -> world.faults().vanish(1));
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 3), 100)) {
            JGlooException failure = failure(world, talk, start);
            assertEquals(1, assertInstanceOf(PeerLostException.class, failure).peer());
          }
        });
  }

  /** Both sides of the cut name each other; the third rank learns it from one of them. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void partitionOfTwoRanks_endsTheGroupAtAllWithinTheBound(long seed) {
    SimWorld world = world(3, seed);
    long start = world.clock().nanoTime();
    world.at(WHEN, () -> world.faults().cut(0, 1));
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 3), 100)) {
            JGlooException failure = failure(world, talk, start);
            assertTrue(failure.getMessage().contains("has sent nothing"), failure.getMessage());
            int named =
                failure instanceof AbortedException told
                    ? told.origin()
                    : assertInstanceOf(PeerLostException.class, failure).peer();
            assertTrue(Set.of(0, 1).contains(named), failure.getMessage());
          }
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void oneWayPartition_isFoundWhereNothingArrives(long seed) {
    SimWorld world = world(2, seed);
    long start = world.clock().nanoTime();
    world.at(WHEN, () -> world.faults().cutOneWay(1, 0));
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 2), 100)) {
            Request never = talk.recv(1 - rank, 1, 0, 100);
            assertFalse(
                talk.isDoneWithin(never, WHEN.minusNanos(world.clock().nanoTime() - start)));
            JGlooException failure = talk.end(never).orElseThrow();
            assertTrue(failure.getMessage().contains("peer 1 "), failure.getMessage());
            assertTrue(failure.getMessage().contains("has sent nothing"), failure.getMessage());
            assertEquals(rank == 0, failure instanceof PeerLostException);
            long took = world.clock().nanoTime() - start - WHEN.toNanos();
            assertTrue(took < BOUND.toNanos(), "took " + took + " ns");
          }
        });
  }

  /** As by SIGSTOP, a pause of the collector, or of the whole host. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void rankThatIsStoppedForLessThanTheBound_survives(long seed) {
    SimWorld world = world(3, seed);
    for (int i = 0; i < 10; i++) {
      int rank = i % 3;
      Duration stop = Duration.ofMillis((MISSES - 1) * PERIOD_MILLIS);
      world.at(Duration.ofSeconds(1 + i), () -> world.faults().pause(rank, stop));
    }
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 3), 200)) {
            assertFalse(
                world.await(() -> talk.mesh().failure().isPresent(), Duration.ofSeconds(15)));
            Request recv = talk.recv((rank + 2) % 3, 1, 0, 100);
            Request send = talk.send((rank + 1) % 3, 1, 100, 100, rank);
            assertTrue(talk.end(recv).isEmpty());
            assertTrue(talk.end(send).isEmpty());
            talk.check(0, 100, (rank + 2) % 3);
            world.sleep(Duration.ofMillis(10)); // a rank that closes is a peer that has left
          }
        });
  }

  /** A rank that was stopped for longer does not take its own silence for that of the others. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void rankThatIsStoppedForLonger_isNamedByAll(long seed) {
    SimWorld world = world(3, seed);
    world.at(WHEN, () -> world.faults().pause(2, Duration.ofSeconds(3)));
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 3), 100)) {
            assertTrue(
                world.await(() -> talk.mesh().failure().isPresent(), Duration.ofSeconds(10)));
            JGlooException failure = talk.mesh().failure().orElseThrow();
            if (rank == 2) {
              assertFalse(failure.getMessage().contains("peer 0 has sent nothing"));
              assertFalse(failure.getMessage().contains("peer 1 has sent nothing"));
            } else {
              assertEquals(2, assertInstanceOf(PeerLostException.class, failure).peer());
            }
          }
        });
  }

  /** While a thread computes, no other reduces into its memory: what has arrived stays unread. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void bytesThatWaitForALateRank_areLife(long seed) {
    int bytes = 1 << 20;
    SimWorld world = world(2, seed);
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 2), bytes)) {
            Request request =
                rank == 0
                    ? talk.recvReduced(1, 1, bytes, new ReductionContract.Sum(Long.BYTES))
                    : talk.send(0, 1, 0, bytes, seed);
            if (rank == 0) {
              world.sleep(WHEN);
            }
            assertEquals(Optional.empty(), talk.end(request));
            world.sleep(Duration.ofMillis(10)); // a rank that closes is a peer that has left
          }
        });
  }

  /** A message takes much longer than the bound: its bytes are the life of the link. */
  @Test
  void slowTransfer_isLife() {
    SimWorld world = world(2, 7).with("window", 4 << 20).with("eager", 2 << 20);
    LinkModel slow = LinkModel.DEFAULT.rate(125_000);
    world.link(0, 1, slow);
    world.run(
        (rank, device) -> {
          int bytes = 1 << 20;
          Duration patience = Duration.ofSeconds(30);
          try (Talk talk = new Talk(world, device, member(rank, 2), bytes)) {
            Request request = rank == 0 ? talk.send(1, 1, 0, bytes, 5) : talk.recv(0, 1, 0, bytes);
            assertTrue(talk.isDoneWithin(request, patience));
            assertTrue(talk.mesh().failure().isEmpty(), () -> "" + talk.mesh().failure());
            Request back = rank == 0 ? talk.recv(1, 2, 0, 100) : talk.send(0, 2, 0, 100, 6);
            assertTrue(talk.isDoneWithin(back, patience));
            world.sleep(Duration.ofMillis(10));
          }
        });
  }
}
