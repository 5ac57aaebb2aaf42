package io.jgloo.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.transport.Device;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.OperationTimeoutException;
import io.jgloo.transport.Request;
import io.jgloo.transport.memory.GuardedMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A random program in a world of random faults, all from one seed.
 *
 * <p>First phase: messages under faults; each is received with the bytes that were sent, or the
 * mesh fails in time. Second phase: all faults are healed, and the ranks that live form a new mesh
 * on the same devices, connect, and exchange messages; nothing may fail.
 */
final class SeededRun {

  private static final Duration TIMEOUT = Duration.ofMillis(100);
  private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(150);
  private static final Duration HEALED = Duration.ofMillis(400);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** Less than a thread waits that is not woken: 50 ms. */
  private static final Duration CALM = Duration.ofMillis(48);

  private static final Path SECRET = secretFile();

  private static final int MOST_BYTES = 20_000;

  /** One message of the program. */
  private record Message(int number, int from, int to, long slot, int bytes, boolean any) {}

  private final long seed;
  private final SplittableRandom random;
  private final int size;
  private final SimWorld world;
  private final List<Message> messages;
  private final List<Message> afterwards;
  private final boolean flooding;
  private final List<String> faults = new ArrayList<>();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger doneAfterwards = new AtomicInteger();
  private boolean lazy;
  private boolean calm = true;
  private boolean twoThreads;
  private boolean exhausting;
  private final ConcurrentSkipListMap<Integer, String> outcome = new ConcurrentSkipListMap<>();

  SeededRun(long seed) {
    this.seed = seed;
    random = new SplittableRandom(seed);
    size = 2 + random.nextInt(3);
    world = new SimWorld(size, seed).limit(LIMIT);
    // A device that closes does not wait until a slow rank of its own host has read all.
    world.ranksPerHost(1);
    world.preemption(1 + random.nextInt(40));
    attributes();
    if (random.nextInt(3) == 0) {
      long least = random.nextInt(20_000);
      calm = false;
      world.network(new LinkModel(least, least + random.nextInt(300_000), 1e8));
    }
    flooding = random.nextInt(6) == 0;
    messages = flooding ? flood() : messages(10 + random.nextInt(30), 0);
    twoThreads = !flooding && random.nextInt(3) == 0;
    afterwards = messages(5, 1_000);
    for (int i = Math.max(0, random.nextInt(6) - 2); i > 0; i--) {
      fault();
    }
    SplittableRandom more = new SplittableRandom(~seed); // leaves what is drawn above as it was
    if (more.nextInt(8) == 0) {
      Duration delay = Duration.ofNanos(more.nextLong(100_000_000L));
      faults.add("slow accept, " + delay);
      world.faults().slowAccept(more.nextInt(size), delay);
    }
    if (more.nextInt(8) == 0) {
      exhausting = true;
      int rank = more.nextInt(size);
      Duration when = Duration.ofNanos(more.nextInt(2_000_000));
      faults.add("no memory at " + when);
      world.at(when, () -> world.faults().exhaustMemory(rank));
    }
    if (!faults.isEmpty()) {
      world.at(HEALED, world.faults()::healAll);
    }
  }

  private static Path secretFile() {
    try {
      Path file = Files.createTempFile("jgloo-sim", ".secret"); // only its owner may access it
      file.toFile().deleteOnExit();
      return Files.writeString(file, "the secret of all simulated ranks");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void attributes() {
    boolean gloo = random.nextInt(4) == 0;
    if (!gloo && seed % 16 == 15) {
      world.with("secret-file", SECRET);
    }
    if (gloo) {
      world.with("wire", "gloo");
    } else if (random.nextInt(4) == 0) {
      world.with("connections", 2 + random.nextInt(2));
    }
    if (!gloo && random.nextInt(3) == 0) {
      lazy = true;
      world.with("connecting", "lazy");
    }
    if (random.nextInt(2) == 0) {
      int window = 4_096 + random.nextInt(12_000);
      world.with("window", window).with("eager", random.nextInt(window / 2));
    }
  }

  private List<Message> messages(int count, int firstSlot) {
    List<Message> all = new ArrayList<>();
    for (int i = count; i > 0; i--) {
      int from = random.nextInt(size);
      int to = (from + 1 + random.nextInt(size - 1)) % size;
      int bytes = random.nextInt(3) == 0 ? random.nextInt(MOST_BYTES) : random.nextInt(100);
      // Slots of receives from any name their sender, so that the oracle knows who matches whom.
      boolean any = random.nextInt(5) == 0;
      long slot = (long) firstSlot + (any ? 100 + from : random.nextInt(3));
      all.add(new Message(i, from, to, slot, bytes, any));
    }
    return all;
  }

  /** Messages that fill the window to the byte, before one that the receiver waits for first. */
  private List<Message> flood() {
    world.with("window", (64 << 6) + 63 + random.nextInt(3)).with("eager", 128);
    List<Message> all = new ArrayList<>();
    for (int i = 80; i > 1; i--) {
      all.add(new Message(i, 0, 1, 0, 64 * random.nextInt(2), false));
    }
    all.add(new Message(1, 0, 1, 1, 0, false));
    return all;
  }

  private void fault() {
    Duration when = Duration.ofNanos(random.nextInt(2_000_000));
    int rank = random.nextInt(size);
    int other = (rank + 1 + random.nextInt(size - 1)) % size;
    Duration later = when.plusNanos(random.nextLong(100_000_000L));
    Faults f = world.faults();
    int kind = random.nextInt(8);
    faults.add(kind + " at " + when);
    switch (kind) {
      case 0 -> world.at(when, () -> f.crash(rank, Duration.ofNanos(later.toNanos() / 100)));
      case 1 -> world.at(when, () -> f.vanish(rank));
      case 2 -> world.at(when, () -> f.reset(rank, other));
      case 3 -> world.at(when, () -> f.cut(rank, other)).at(later, () -> f.heal(rank, other));
      case 4 -> {
        world.at(when, () -> f.cutOneWay(rank, other));
        world.at(later, () -> f.heal(rank, other));
      }
      case 5 -> world.at(when, () -> f.pause(rank, later.minus(when)));
      case 6 -> world.at(when, () -> f.mostSockets(rank, 1 + random.nextInt(size)));
      default -> f.slow(rank, Duration.ofNanos(random.nextInt(20_000)));
    }
  }

  void play() {
    long start = world.clock().nanoTime();
    world.run(this::play);
    long took = world.clock().nanoTime() - start;
    if (faults.isEmpty()) {
      for (int rank = 0; rank < size; rank++) {
        assertEquals("done", outcome.get(rank), "rank " + rank + " without any fault");
      }
      assertTrue(!calm || lazy || took < CALM.toNanos(), "took " + took + " ns on a fast network");
    }
  }

  private void play(int rank, Device device) {
    long start = world.clock().nanoTime();
    Membership membership = new Membership("first", seed, rank, size);
    try (Talk talk = talk(device, membership, CONNECT_TIMEOUT)) {
      outcome.put(rank, underFaults(talk));
    } catch (JGlooException e) {
      outcome.put(rank, "not connected: " + e.getClass().getSimpleName());
    } catch (OutOfMemoryError e) {
      outOfMemory(rank, e);
    }
    if (!faults.isEmpty()) {
      long left = start + HEALED.toNanos() - world.clock().nanoTime();
      world.sleep(Duration.ofNanos(left));
      healed(rank, device);
    }
  }

  /** What a caller may meet where memory is simulated to be exhausted, and nowhere else. */
  private void outOfMemory(int rank, OutOfMemoryError e) {
    if (!exhausting) {
      throw e;
    }
    outcome.put(rank, "out of memory");
  }

  /** Off-heap memory that is checked, and exhausted where a run wants that. */
  static GuardedMemory guardedMemory() {
    return new GuardedMemory(SimThread::isMemoryExhausted);
  }

  private Talk talk(Device device, Membership membership, Duration timeout) {
    return new Talk(world, device, membership, messages.size() * MOST_BYTES, timeout);
  }

  private String underFaults(Talk talk) {
    if (twoThreads) {
      AtomicBoolean ended = new AtomicBoolean();
      Talk second = new Talk(talk.mesh(), messages.size() * MOST_BYTES);
      world.fork("second-" + talk.mesh().membership().rank(), () -> exchangeInFork(second, ended));
      exchange(talk, messages.stream().filter(each -> each.slot % 2 == 0).toList());
      assertTrue(world.await(ended::get, PATIENCE), "the second thread is late");
    } else {
      exchange(talk, messages);
    }
    meet(done, size, TIMEOUT);
    return end(talk.mesh());
  }

  private void exchangeInFork(Talk talk, AtomicBoolean ended) {
    boolean over = false;
    try {
      exchange(talk, messages.stream().filter(each -> each.slot % 2 != 0).toList());
      over = true;
    } catch (OutOfMemoryError e) {
      outOfMemory(talk.mesh().membership().rank(), e);
    } finally {
      if (!over) {
        talk.mesh().close();
      }
      talk.free();
      ended.set(true);
    }
  }

  private void exchange(Talk talk, List<Message> program) {
    if (flooding && talk.mesh().membership().rank() == 1) {
      exchangeAll(talk, program.subList(program.size() - 1, program.size()));
      exchangeAll(talk, program.subList(0, program.size() - 1));
    } else {
      exchangeAll(talk, program);
    }
  }

  private void exchangeAll(Talk talk, List<Message> program) {
    List<Message> posted = new ArrayList<>();
    List<Request> requests = post(talk, program, r -> r, posted);
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
  }

  /**
   * Where pairs are connected on demand, a receive from any rank fails the mesh if one of them has
   * left before it was connected: so no rank leaves before all are done.
   */
  private void meet(AtomicInteger counter, int count, Duration timeout) {
    counter.incrementAndGet();
    if (lazy) {
      world.await(() -> counter.get() >= count, timeout);
    }
  }

  /** All that live must be able to talk again. */
  private void healed(int rank, Device device) {
    List<Integer> living = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      if (!world.faults().hasCrashed(i)) {
        living.add(i);
      }
    }
    Membership membership = new Membership("second", seed, living.indexOf(rank), living.size());
    try (Talk talk = talk(device, membership, PATIENCE)) {
      List<Message> posted = new ArrayList<>();
      List<Message> possible =
          afterwards.stream()
              .filter(each -> living.contains(each.from) && living.contains(each.to))
              .toList();
      List<Request> requests = post(talk, possible, living::indexOf, posted);
      for (int i = 0; i < requests.size(); i++) {
        assertTrue(talk.isDoneWithin(requests.get(i), PATIENCE), "not done after all was healed");
        if (requests.get(i).state() != Request.State.DONE) {
          throw new AssertionError("failed after all was healed", requests.get(i).failure());
        }
      }
      for (int i = 0; i < requests.size(); i++) {
        check(talk, posted.get(i), living.indexOf(rank), living::indexOf);
      }
      meet(doneAfterwards, living.size(), PATIENCE);
    }
  }

  /** Which rank of a mesh a rank of the world is. */
  private interface Renumbering {
    int of(int rank);
  }

  private List<Request> post(
      Talk talk, List<Message> program, Renumbering ranks, List<Message> posted) {
    int rank = talk.mesh().membership().rank();
    List<Request> requests = new ArrayList<>();
    for (Message message : program) {
      int offset = (message.number - 1) * MOST_BYTES;
      if (ranks.of(message.from) == rank) {
        long bytes = message.number + seed;
        int to = ranks.of(message.to);
        requests.add(talk.send(to, message.slot, offset, message.bytes, bytes));
        posted.add(message);
      } else if (ranks.of(message.to) == rank) {
        int from = ranks.of(message.from);
        requests.add(
            message.any
                ? talk.recvAny(message.slot, offset, message.bytes)
                : talk.recv(from, message.slot, offset, message.bytes));
        posted.add(message);
      }
    }
    return requests;
  }

  private void check(Talk talk, Request request, Message message) {
    assertTrue(request.isDone(), "an aborted mesh has posted requests");
    if (request.state() == Request.State.DONE) {
      assertEquals(message.bytes, request.transferred());
      if (message.to == talk.mesh().membership().rank()) {
        assertEquals(message.from, request.peer());
      }
      check(talk, message, talk.mesh().membership().rank(), r -> r);
    } else {
      assertEquals(Request.State.FAILED, request.state());
      assertTrue(talk.mesh().failure().isPresent(), "a request failed and the mesh did not");
    }
  }

  private void check(Talk talk, Message message, int rank, Renumbering ranks) {
    if (ranks.of(message.to) == rank) {
      talk.check((message.number - 1) * MOST_BYTES, message.bytes, message.number + seed);
    }
  }

  private static String end(Mesh mesh) {
    return mesh.failure().map(JGlooException::toString).orElse("done");
  }

  /** Whether some rank met a failure. */
  boolean failed() {
    return outcome.size() < size || outcome.values().stream().anyMatch(end -> !end.equals("done"));
  }

  /** Whether nothing is made to go wrong. */
  boolean calm() {
    return faults.isEmpty();
  }

  /** How each rank ended. */
  String outcome() {
    return outcome.toString();
  }

  SimWorld world() {
    return world;
  }

  long traceHash() {
    return world.traceHash();
  }

  long events() {
    return world.events();
  }
}
