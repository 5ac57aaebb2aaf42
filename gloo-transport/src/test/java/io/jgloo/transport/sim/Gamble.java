package io.jgloo.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Device;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;

/** A random program of sends and receives, run in a world of random faults; all from one seed. */
final class Gamble {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final int MOST_BYTES = 9_000;

  /** One message of the program. */
  private record Message(int number, int from, int to, long slot, int bytes, boolean any) {}

  private final long seed;
  private final int size;
  private final SimWorld world;
  private final List<Message> messages = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final ConcurrentSkipListMap<Integer, String> outcome = new ConcurrentSkipListMap<>();

  Gamble(long seed) {
    this.seed = seed;
    SplittableRandom random = new SplittableRandom(seed);
    size = 2 + random.nextInt(3);
    world = new SimWorld(size, seed);
    world.preemption(1 + random.nextInt(40));
    if (random.nextInt(4) == 0) {
      world.with("eager", random.nextInt(2_000)).with("window", 4_096 + random.nextInt(8_000));
    }
    if (random.nextInt(3) == 0) {
      long least = random.nextInt(20_000);
      world.network(new LinkModel(least, least + random.nextInt(300_000), 1e8));
    }
    for (int i = 10 + random.nextInt(30); i > 0; i--) {
      int from = random.nextInt(size);
      int to = (from + 1 + random.nextInt(size - 1)) % size;
      int bytes = random.nextInt(3) == 0 ? random.nextInt(MOST_BYTES) : random.nextInt(100);
      // Slots of receives from any name their sender, so that the oracle knows who matches whom.
      boolean any = random.nextInt(5) == 0;
      long slot = any ? 100 + from : random.nextInt(3);
      messages.add(new Message(i, from, to, slot, bytes, any));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      fault(random);
    }
  }

  private void fault(SplittableRandom random) {
    Duration when = Duration.ofNanos(random.nextInt(2_000_000));
    int rank = random.nextInt(size);
    int other = (rank + 1 + random.nextInt(size - 1)) % size;
    Duration later = when.plusNanos(random.nextLong(1_500_000_000L));
    Faults f = world.faults();
    int kind = random.nextInt(7);
    faults.add(kind + " at " + when);
    switch (kind) {
      case 0 -> world.at(when, () -> f.crash(rank, Duration.ofNanos(later.toNanos() / 1000)));
      case 1 -> world.at(when, () -> f.vanish(rank));
      case 2 -> world.at(when, () -> f.reset(rank, other));
      case 3 -> world.at(when, () -> f.cut(rank, other)).at(later, () -> f.heal(rank, other));
      case 4 -> {
        world.at(when, () -> f.cutOneWay(rank, other));
        world.at(later, () -> f.heal(rank, other));
      }
      case 5 -> world.at(when, () -> f.pause(rank, later.minus(when)));
      default -> f.slow(rank, Duration.ofNanos(random.nextInt(20_000)));
    }
  }

  void play() {
    world.run(this::play);
    if (faults.isEmpty()) {
      for (int rank = 0; rank < size; rank++) {
        assertEquals("done", outcome.get(rank), "rank " + rank + " without any fault");
      }
    }
  }

  private void play(int rank, Device device) {
    Membership membership = new Membership("gamble", seed, rank, size);
    try (Talk talk = new Talk(world, device, membership, messages.size() * MOST_BYTES)) {
      outcome.put(rank, exchange(talk));
    } catch (GlooException e) {
      outcome.put(rank, "not connected: " + e.getClass().getSimpleName());
    }
  }

  private String exchange(Talk talk) {
    int rank = talk.mesh().rank();
    List<Request> requests = new ArrayList<>();
    List<Message> posted = new ArrayList<>();
    for (Message message : messages) {
      int offset = (message.number - 1) * MOST_BYTES;
      if (message.from == rank) {
        long bytes = message.number + seed;
        requests.add(talk.send(message.to, message.slot, offset, message.bytes, bytes));
        posted.add(message);
      } else if (message.to == rank) {
        requests.add(
            message.any
                ? talk.recvAny(message.slot, offset, message.bytes)
                : talk.recv(message.from, message.slot, offset, message.bytes));
        posted.add(message);
      }
    }
    long deadline = talk.mesh().clock().nanoTime() + TIMEOUT.toNanos();
    for (Request request : requests) {
      long left = deadline - talk.mesh().clock().nanoTime();
      if (!talk.isDoneWithin(request, Duration.ofNanos(Math.max(0, left)))) {
        List<Integer> missing = List.of(posted.get(requests.indexOf(request)).from);
        talk.mesh().abort(new OperationTimeoutException("a message is late", missing));
      }
    }
    for (int i = 0; i < requests.size(); i++) {
      check(talk, requests.get(i), posted.get(i));
    }
    return farewell(talk.mesh());
  }

  private void check(Talk talk, Request request, Message message) {
    assertTrue(request.isDone(), "an aborted mesh has posted requests");
    if (request.state() == Request.State.DONE) {
      assertEquals(message.bytes, request.transferred());
      if (message.to == talk.mesh().rank()) {
        assertEquals(message.from, request.peer());
        talk.check((message.number - 1) * MOST_BYTES, message.bytes, message.number + seed);
      }
    } else {
      assertEquals(Request.State.FAILED, request.state());
      assertTrue(talk.mesh().failure().isPresent(), "a request failed and the mesh did not");
    }
  }

  private static String farewell(Mesh mesh) {
    return mesh.failure().map(e -> e.getClass().getSimpleName()).orElse("done");
  }

  /** Whether some rank met a failure. */
  boolean failed() {
    return outcome.size() < size || outcome.values().stream().anyMatch(end -> !end.equals("done"));
  }

  /** How each rank ended. */
  String outcome() {
    return outcome.toString();
  }

  long traceHash() {
    return world.traceHash();
  }

  long events() {
    return world.events();
  }
}
