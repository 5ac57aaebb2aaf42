package io.jgloo.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Device;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.sim.Faults;
import io.jgloo.transport.sim.LinkModel;
import io.jgloo.transport.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Ranks that meet through a simulated store and connect over a simulated network, with faults of
 * both, all from one seed.
 *
 * <p>First phase: each rank joins under faults; it is connected, or fails in time. Ranks that crash
 * leave their records. Second phase: all faults are healed, a replacement takes the place of each
 * crashed rank, and the same group must connect.
 */
final class SeededRendezvous {
  private static final Duration JOIN = Duration.ofSeconds(3);

  /** A join may take its timeout, and the grace of the store operations that follow it. */
  private static final Duration LATE = Duration.ofSeconds(12);

  private static final Duration HEALED = Duration.ofSeconds(20);
  private static final Duration SECOND_JOIN = Duration.ofSeconds(20);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration CALM = Duration.ofSeconds(2);

  private final long seed;
  private final SplittableRandom random;
  private final int size;
  private final SimWorld world;
  private final SimStore.Server server;
  private final String[] outcome;
  private final boolean[] connected;
  private final Duration[] took;
  private final boolean absentee;
  private final List<String> faults = new ArrayList<>();
  private int met;
  private int left;

  SeededRendezvous(long seed) {
    this.seed = seed;
    random = new SplittableRandom(seed);
    size = 2 + random.nextInt(3);
    outcome = new String[size];
    connected = new boolean[size];
    took = new Duration[size];
    // The second half of the nodes are those on which replacements run.
    world = new SimWorld(2 * size, seed).limit(LIMIT).ranksPerHost(1);
    world.preemption(1 + random.nextInt(40));
    if (random.nextInt(3) == 0) {
      long least = random.nextInt(20_000);
      world.network(new LinkModel(least, least + random.nextInt(300_000), 1e8));
    }
    if (random.nextInt(4) == 0) {
      world.with("connecting", "lazy");
    }
    Duration longest = Duration.ofNanos(1_000L * (random.nextInt(4) == 0 ? 40_000 : 400));
    server = new SimStore.Server(world, seed, longest);
    absentee = random.nextInt(8) == 0;
    for (int i = absentee ? 0 : Math.max(0, random.nextInt(5) - 1); i > 0; i--) {
      fault();
    }
    world.at(HEALED, this::heal);
  }

  private void fault() {
    // Most of what a rendezvous does is over after 20 ms.
    Duration when =
        Duration.ofNanos(random.nextLong(random.nextBoolean() ? 5_000_000 : 60_000_000));
    Duration until = when.plusNanos(random.nextLong(6_000_000_000L));
    int rank = random.nextInt(size);
    int other = (rank + 1 + random.nextInt(size - 1)) % size;
    Faults f = world.faults();
    int kind = random.nextInt(7);
    faults.add(kind + " of rank " + rank + " at " + when);
    switch (kind) {
      case 0, 1 -> world.at(when, () -> f.crash(rank));
      case 2 -> world.at(when, () -> f.vanish(rank));
      case 3 -> world.at(when, () -> f.reset(rank, other));
      case 4 -> world.at(when, () -> f.cut(rank, other)).at(until, () -> f.heal(rank, other));
      case 5 -> world.at(when, () -> f.pause(rank, until.minus(when)));
      default -> world.at(when, server::fallSilent).at(until, server::answer);
    }
  }

  private void heal() {
    world.faults().healAll();
    server.answer();
  }

  void play() {
    world.run(this::play);
    assertEquals(List.of(), groupKeys(), "left in the store");
  }

  private List<String> groupKeys() {
    return server.keys().stream().filter(key -> !key.contains("/lease/")).toList();
  }

  private void play(int node, Device device) {
    int rank = node % size;
    long start = world.clock().nanoTime();
    if (node < size && !(absentee && rank == size - 1)) {
      joinUnderFaults(rank, device);
      Duration took = Duration.ofNanos(world.clock().nanoTime() - start);
      assertTrue(took.compareTo(LATE) < 0, () -> "rank " + rank + " joined for " + took);
    }
    world.sleep(Duration.ofNanos(start + HEALED.toNanos() - world.clock().nanoTime()));
    boolean replaced = world.faults().hasCrashed(rank);
    if (node < size != replaced) {
      joinHealed(rank, device);
    }
  }

  private void joinUnderFaults(int rank, Device device) {
    long start = world.clock().nanoTime();
    try (Context context = context(rank, JOIN)) {
      Mesh mesh = context.connectFullMesh(new SimStore(server), device);
      checkHosts(mesh);
      connected[rank] = true;
      took[rank] = Duration.ofNanos(world.clock().nanoTime() - start);
      outcome[rank] = "connected";
      met++;
      // Who leaves early is missed by those that still connect.
      world.await(() -> met == size, Duration.ofSeconds(4));
    } catch (JGlooException e) {
      outcome[rank] = e.toString();
      check(e);
    }
  }

  private void check(JGlooException failure) {
    assertTrue(
        !(failure instanceof DuplicateRankException)
            && !(failure instanceof WorldSizeMismatchException),
        () -> "no rank was given twice: " + failure);
    if (absentee) {
      RendezvousTimeoutException timeout = (RendezvousTimeoutException) failure;
      assertEquals(Set.of(size - 1), new TreeSet<>(timeout.missingRanks()));
    }
  }

  private Context context(int rank, Duration timeout) {
    return new Context(
        new Membership("world", 0, rank, size),
        timeout,
        (store, own) -> new SimStore.Executor((SimStore) store, own));
  }

  private void checkHosts(Mesh mesh) {
    assertEquals(size, mesh.hosts().size());
    assertTrue(mesh.failure().isEmpty() || !faults.isEmpty(), () -> "failed: " + mesh.failure());
  }

  private void joinHealed(int rank, Device device) {
    try (Context context = context(rank, SECOND_JOIN)) {
      checkHosts(context.connectFullMesh(new SimStore(server), device));
      left++;
      world.await(() -> left == size, SECOND_JOIN);
    }
  }

  /** Without faults all ranks are connected, soon. */
  void checkCalm() {
    if (faults.isEmpty() && !absentee) {
      for (int rank = 0; rank < size; rank++) {
        assertEquals("connected", outcome[rank], "rank " + rank + " without any fault");
        assertTrue(took[rank].compareTo(CALM) < 0, "joined for " + took[rank]);
      }
    }
  }

  /** Whether some rank could not join at first. */
  boolean failed() {
    for (boolean each : connected) {
      if (!each) {
        return true;
      }
    }
    return false;
  }

  long traceHash() {
    return world.traceHash();
  }

  @Override
  public String toString() {
    return "seed "
        + seed
        + ", "
        + size
        + " ranks, faults "
        + faults
        + ": "
        + Arrays.toString(outcome);
  }
}
