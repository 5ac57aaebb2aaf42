package io.jgloo.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Device;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Worlds repeat themselves by seed, take no real time, and cope with threads of others. A turn
 * takes milliseconds, not microseconds, while the host is busy with other work.
 */
@Timeout(300)
class SimWorldTest {

  private static Membership member(int rank, int size) {
    return new Membership("world", 0, rank, size);
  }

  /** Ranks with two threads each that talk all at once, with a fault or two. */
  private static long history(long seed, List<String> trace) {
    SimWorld world = new SimWorld(3, seed);
    world.trace(trace::add);
    world.at(Duration.ofMillis(1), () -> world.faults().cut(0, 1));
    world.at(Duration.ofMillis(2), () -> world.faults().heal(0, 1));
    world.at(Duration.ofMillis(8), () -> world.faults().crash(1));
    world.run(
        (rank, device) -> {
          world.fork("second", () -> exchange(world, device, new Membership("b", 0, rank, 3)));
          exchange(world, device, member(rank, 3));
        });
    return world.traceHash();
  }

  private static void exchange(SimWorld world, Device device, Membership membership) {
    try (Talk talk = new Talk(world, device, membership, 6000)) {
      talk.exchangeUntilFailure();
    }
  }

  @Test
  void oneSeedIsOneHistory() {
    Set<Long> hashes = new HashSet<>();
    for (long seed = 0; seed < 3; seed++) {
      List<String> first = new ArrayList<>();
      List<String> second = new ArrayList<>();
      long hash = history(seed, first);
      assertEquals(hash, history(seed, second), "seed " + seed);
      assertEquals(first, second);
      hashes.add(hash);
    }
    assertEquals(3, hashes.size());
  }

  @Test
  void aRankThatBlocksElsewhereLetsOthersGoOn() {
    SimWorld world = new SimWorld(2, 1);
    CountDownLatch latch = new CountDownLatch(1);
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 2), 100)) {
            if (rank == 0) {
              latch.await();
            }
            Request send = talk.send(1 - rank, 1, 0, 50, rank);
            latch.countDown();
            assertTrue(talk.end(talk.recv(1 - rank, 1, 50, 50)).isEmpty());
            assertTrue(talk.end(send).isEmpty());
            talk.check(50, 50, 1 - rank);
          }
        });
  }

  @Test
  void foreignThreadsMayDriveARanksMesh() {
    SimWorld world = new SimWorld(2, 1);
    AtomicInteger heard = new AtomicInteger();
    world.run(
        (rank, device) -> {
          try (Talk talk = new Talk(world, device, member(rank, 2), 100)) {
            Thread background =
                new Thread(
                    () -> {
                      for (int i = 0; i < 100; i++) {
                        talk.send(1 - rank, 1, 0, 50, i);
                        if (talk.end(talk.recv(1 - rank, 1, 50, 50)).isEmpty()) {
                          heard.incrementAndGet();
                        }
                      }
                    });
            background.start();
            background.join();
            // Neither side leaves before the other has heard all.
            Request send = talk.send(1 - rank, 2, 0, 1, 1);
            assertTrue(talk.end(talk.recv(1 - rank, 2, 50, 1)).isEmpty());
            assertTrue(talk.end(send).isEmpty());
          }
        });
    assertEquals(200, heard.get());
  }

  @Test
  void hostsHoldSoManyRanks() {
    SimWorld world = new SimWorld(5, 1).ranksPerHost(2);
    world.run(
        (rank, device) -> {
          Mesh mesh = world.connect(device, member(rank, 5), Talk.LONG);
          assertEquals(
              rank == 4 ? 1 : 2, Collections.frequency(mesh.hosts(), mesh.hosts().get(rank)));
          assertEquals(rank < 2, mesh.hosts().get(0).equals(mesh.hosts().get(rank)));
        });
  }

  @Test
  void failuresTellTheSeed() {
    SimWorld world = new SimWorld(3, 4711);
    RankFailure failure =
        assertThrows(
            RankFailure.class,
            () ->
                world.run(
                    (rank, device) -> {
                      if (rank == 1) {
                        throw new IllegalStateException("no");
                      }
                    }));
    assertEquals(1, failure.rank());
    assertTrue(failure.getMessage().contains("4711"), failure.getMessage());
  }

  @Test
  void nonsenseIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new LinkModel(-1, 5, 1));
    assertThrows(IllegalArgumentException.class, () -> new LinkModel(6, 5, 1));
    assertThrows(IllegalArgumentException.class, () -> new LinkModel(5, 5, Double.NaN));
    SimWorld world = new SimWorld(2, 0);
    assertThrows(IllegalArgumentException.class, () -> world.device(2));
    assertThrows(IllegalArgumentException.class, () -> world.faults().crash(-1));
    assertThrows(IllegalArgumentException.class, () -> world.ranksPerHost(0));
    assertThrows(IllegalStateException.class, () -> world.fork("foreign", () -> {}));
  }
}
