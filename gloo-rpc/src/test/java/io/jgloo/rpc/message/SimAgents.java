package io.jgloo.rpc.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jgloo.rendezvous.store.HashStore;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.bytes.LittleEndian;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Device;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.sim.LinkModel;
import io.jgloo.transport.sim.SimWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Three agents of a simulated network that send each other requests while connections are reset and
 * cut, by one seed.
 */
final class SimAgents {

  private static final int SIZE = 3;
  private static final int REQUESTS = 25;
  private static final int SERVICE = 1;
  private static final long MILLI = 1_000_000;
  private static final double BYTES_PER_SECOND = 20e6;

  private final SimWorld world;
  private final SplittableRandom random;
  private final HashStore store = new HashStore();

  /** Runs of a body, by number of the request. */
  private final ConcurrentHashMap<Long, AtomicInteger> runs = new ConcurrentHashMap<>();

  private final AtomicInteger ready = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicLong resent = new AtomicLong();

  SimAgents(long seed) {
    world = new SimWorld(SIZE, seed).limit(Duration.ofMinutes(5)).preemption(8);
    world.network(LinkModel.DEFAULT.rate(BYTES_PER_SECOND)); // faults meet parts of blocks too
    random = new SplittableRandom(seed);
  }

  long resent() {
    return resent.get();
  }

  void run() {
    for (int faults = random.nextInt(8); faults > 0; faults--) {
      int one = random.nextInt(SIZE);
      int other = (one + 1 + random.nextInt(SIZE - 1)) % SIZE;
      Duration at = Duration.ofMillis(random.nextInt(2000));
      int kind = random.nextInt(3);
      if (kind > 0) {
        world.at(at, () -> world.faults().cut(one, other));
        Duration healed = at.plusMillis(random.nextInt(1500));
        world.at(healed, () -> world.faults().heal(one, other));
      }
      if (kind < 2) {
        world.at(at, () -> world.faults().reset(one, other));
      }
    }
    List<SplittableRandom> each = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      each.add(random.split());
    }
    try (world) {
      world.run((rank, device) -> new Agent(rank, device, each.get(rank)).run());
    }
    store.close();
  }

  private static long lastLong(Block block) {
    return block.address() + block.length() - Long.BYTES;
  }

  /** A request and its outcome. */
  private final class Sent implements ReplyHandler {
    final long number;
    boolean ended;
    boolean mayHaveRun;

    Sent(long number) {
      this.number = number;
    }

    int runs() {
      AtomicInteger count = runs.get(number);
      return count == null ? 0 : count.get();
    }

    @Override
    public void replied(int status, Message reply) {
      end();
      mayHaveRun = true;
      assertEquals(number, LittleEndian.getLong(reply.bytes(), reply.offset()));
      assertEquals(1, runs(), "runs of request " + number + ", which was answered");
      for (Block block : reply.blocks()) {
        assertEquals(number, Memory.getLong(lastLong(block)));
      }
      reply.close();
    }

    @Override
    public void failed(JGlooException cause) {
      end();
      mayHaveRun = cause instanceof OutcomeUnknownException;
      assertTrue(mayHaveRun || runs() == 0, number + " has run, but: " + cause.getMessage());
    }

    private void end() {
      assertTrue(!ended, "a second outcome");
      ended = true;
    }
  }

  /** One agent: its requests, and those of others. */
  private final class Agent {
    final int rank;
    final SplittableRandom random;
    final Messenger messenger;
    final List<Sent> sent = new ArrayList<>();
    final List<IncomingRequest> held = new ArrayList<>();
    final AtomicBoolean stopped = new AtomicBoolean();
    final AtomicBoolean connectorEnded = new AtomicBoolean();
    MessengerState core;

    Agent(int rank, Device device, SplittableRandom random) {
      this.rank = rank;
      this.random = random;
      MessengerOptions options =
          MessengerOptions.builder()
              .frameBytes(4096)
              .windowBytes(20_000)
              .payloadBytes(1 << 21)
              .maxMessageBytes(1 << 24)
              .build();
      messenger = new Messenger("m" + rank, rank, SIZE, store, options, device);
      messenger.serve(SERVICE, this::received);
    }

    void received(IncomingRequest request) {
      if (random.nextInt(4) == 0) {
        held.add(request);
      } else {
        execute(request);
      }
    }

    void execute(IncomingRequest request) {
      Message message = request.message();
      long number = LittleEndian.getLong(message.bytes(), message.offset());
      if (!request.begin()) {
        message.close();
        return;
      }
      runs.computeIfAbsent(number, key -> new AtomicInteger()).incrementAndGet();
      request.reply(0, message); // the blocks go back
    }

    void run() {
      core = messenger.prepare();
      world.fork("connector-" + rank, this::connect);
      try {
        drive(() -> allConnected(), 60_000);
        ready.incrementAndGet();
        for (int i = 0; i < REQUESTS; i++) {
          drive(() -> false, random.nextInt(150));
          send(i);
          core.events.run(() -> held.removeIf(this::executeSome));
        }
        drive(() -> core.pending() == 0, 60_000);
        assertEquals(0, core.pending());
        done.incrementAndGet();
        drive(() -> done.get() == SIZE, 120_000);
        core.events.run(() -> held.forEach(this::execute));
        resent.addAndGet(messenger.counts().get("resent"));
      } finally {
        stopped.set(true);
        world.await(connectorEnded::get, Duration.ofSeconds(60));
        messenger.close();
      }
      for (Sent request : sent) {
        assertTrue(request.ended, "request " + request.number + " has no outcome");
        int most = request.mayHaveRun ? 1 : 0;
        assertTrue(request.runs() <= most, request.number + " ran " + request.runs() + " times");
      }
    }

    boolean executeSome(IncomingRequest request) {
      boolean now = random.nextBoolean();
      if (now) {
        execute(request);
      }
      return now;
    }

    boolean allConnected() {
      for (int peer = 0; peer < SIZE; peer++) {
        if (messenger.agent(peer).isEmpty()) {
          return false;
        }
      }
      return true;
    }

    void send(int index) {
      int to = (rank + random.nextInt(SIZE)) % SIZE;
      AgentId peer = messenger.agent(to).orElse(new AgentId(to, 1_000_000));
      Sent request = new Sent(1000L * rank + index);
      sent.add(request);
      byte[] bytes = new byte[8 + random.nextInt(random.nextInt(6) == 0 ? 20_000 : 500)];
      LittleEndian.putLong(bytes, 0, request.number);
      List<Block> blocks = List.of();
      if (random.nextInt(4) == 0) {
        blocks = List.of(Block.allocate(400_000));
        Memory.putLong(lastLong(blocks.get(0)), request.number);
      }
      long deadline = messenger.clock().nanoTime() + random.nextInt(4_000) * MILLI;
      PendingCall call =
          messenger.request(
              peer,
              SERVICE,
              Message.of(bytes, 0, bytes.length, blocks),
              Envelope.PRIORITIES.get(random.nextInt(3)),
              deadline,
              request);
      if (random.nextInt(10) == 0) {
        call.cancel();
      }
    }

    /** Moves messages, and lets timers happen, until a condition is met or some time has passed. */
    void drive(CompletionQueue.Condition condition, long millis) {
      long end = messenger.clock().nanoTime() + millis * MILLI;
      long now = messenger.clock().nanoTime();
      while (!condition.isMet() && now - end < 0) {
        long timer = core.links.nextTimer();
        long until = timer - end < 0 ? timer : end;
        messenger.await(condition, until - now > MILLI ? until : now + MILLI);
        core.events.poke();
        if (core.cause() != null) {
          throw new AssertionError("agent " + rank + " has ended", core.cause());
        }
        now = messenger.clock().nanoTime();
      }
    }

    void connect() {
      try {
        while (!stopped.get()) {
          messenger.directory().round();
          world.sleep(Duration.ofMillis(20));
        }
      } finally {
        connectorEnded.set(true);
      }
    }
  }
}
