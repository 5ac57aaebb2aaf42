package io.jgloo.transport.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Address;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.Request;
import io.jgloo.transport.memory.Memory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Ranks that exchange messages in rounds while connections are reset and cut, all from one seed.
 *
 * <p>A message is received with the bytes that were sent, or fails with its pair. After each round
 * the ranks connect the pairs that have ended; once the faults are over a round must pass in which
 * nothing fails.
 */
final class SeededPairs {

  private static final Duration FAULTY = Duration.ofMillis(100);
  private static final Duration TIMEOUT = Duration.ofMillis(300);
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(2);
  private static final int ROUNDS = 30;
  private static final int LEAST_ROUNDS = 6;

  private final SimWorld world;
  private final int size;
  private final int bytes;
  private final Address[] addresses;
  private final AtomicInteger met = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicIntegerArray failures = new AtomicIntegerArray(ROUNDS);

  SeededPairs(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    size = 2 + random.nextInt(3);
    bytes = random.nextInt(30_000);
    addresses = new Address[size];
    world = new SimWorld(size, seed).limit(LIMIT).preemption(1 + random.nextInt(40));
    if (random.nextInt(3) == 0) {
      world.with("connecting", "lazy");
    }
    if (random.nextInt(3) == 0) {
      world.with("connections", 2);
    }
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      int rank = random.nextInt(size);
      int other = (rank + 1 + random.nextInt(size - 1)) % size;
      Duration when = Duration.ofNanos(random.nextLong(FAULTY.toNanos() / 20));
      if (random.nextInt(3) == 0) {
        world.at(when, () -> world.faults().cut(rank, other));
      } else {
        world.at(when, () -> world.faults().reset(rank, other));
      }
    }
    world.at(FAULTY, world.faults()::healAll);
  }

  /** Runs it; how many pairs have ended, counted at both ends. */
  int run() {
    world.run((rank, device) -> new OneRank(rank, device).run());
    return ended.get();
  }

  /** What one rank does. */
  private final class OneRank {
    private final int rank;
    private final Mesh mesh;
    private final CompletionQueue queue;
    private final List<Long> blocks = new ArrayList<>();
    private int meetings;

    OneRank(int rank, Device device) {
      this.rank = rank;
      mesh = device.newMesh(new Membership("pairs", 0, rank, size), FailureScope.PAIRWISE);
      queue = mesh.newQueue();
      addresses[rank] = mesh.address();
    }

    void run() {
      try {
        boolean passed = false;
        for (int round = 0; round < ROUNDS && !passed; round++) {
          meet();
          if (!connect()) {
            failures.incrementAndGet(round);
          }
          if (!exchange(round)) {
            failures.incrementAndGet(round);
          }
          countEnded();
          meet();
          passed = round > LEAST_ROUNDS && failures.get(round) == 0;
        }
        assertTrue(passed, "no round has passed");
        assertEquals(Optional.empty(), mesh.failure());
      } finally {
        mesh.close();
        blocks.forEach(Memory::free);
      }
    }

    private void meet() {
      met.incrementAndGet();
      int wanted = ++meetings * size;
      long end = world.clock().nanoTime() + LIMIT.toNanos();
      // A world that runs in real time looks at conditions at the end of a wait only.
      while (!world.await(() -> met.get() >= wanted, LOOK)) {
        assertTrue(world.clock().nanoTime() - end < 0, "a rank does not come");
      }
    }

    private boolean connect() {
      try {
        mesh.connect(List.of(addresses), TIMEOUT);
        return true;
      } catch (MeshConnectException e) {
        return false;
      }
    }

    private void countEnded() {
      for (int peer = 0; peer < size; peer++) {
        if (peer != rank && mesh.pair(peer).failure().isPresent()) {
          ended.incrementAndGet();
        }
      }
    }

    /** Exchanges a message with each peer; false if a pair has ended or is not connected. */
    private boolean exchange(int round) {
      Request[] received = new Request[size];
      List<Request> all = new ArrayList<>();
      for (int peer = 0; peer < size; peer++) {
        if (peer != rank) {
          received[peer] = request(round, block());
          mesh.pair(peer).recv(received[peer]);
          all.add(received[peer]);
          long own = block();
          Memory.copy(pattern(rank, peer, round), 0, own, bytes);
          Request send = request(round, own);
          mesh.pair(peer).send(send);
          all.add(send);
        }
      }
      end(all);
      for (int peer = 0; peer < size; peer++) {
        if (peer != rank && received[peer].state() == Request.State.DONE) {
          byte[] found = new byte[bytes];
          Memory.copy(received[peer].address(), found, 0, bytes);
          assertArrayEquals(pattern(peer, rank, round), found, "from " + peer);
        }
      }
      return all.stream().allMatch(request -> request.state() == Request.State.DONE);
    }

    private long block() {
      long block = Memory.allocate(Math.max(1, bytes), Memory.CACHE_LINE);
      blocks.add(block);
      return block;
    }

    private Request request(int round, long block) {
      Buffer buffer = mesh.newBuffer().wrap(block, bytes, null);
      return queue.newRequest().message(round, buffer, 0, bytes);
    }

    private void end(List<Request> requests) {
      long deadline = mesh.clock().nanoTime() + TIMEOUT.toNanos();
      while (!requests.stream().allMatch(Request::isDone)) {
        if (queue.poll() == null && !queue.await(deadline)) {
          return;
        }
      }
    }
  }

  private byte[] pattern(int from, int to, int round) {
    byte[] pattern = new byte[bytes];
    new SplittableRandom((from * 31L + to) * 1_000 + round).nextBytes(pattern);
    return pattern;
  }
}
