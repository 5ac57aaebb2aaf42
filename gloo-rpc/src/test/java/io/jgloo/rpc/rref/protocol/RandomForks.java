package io.jgloo.rpc.rref.protocol;

import io.jgloo.rpc.agent.AgentId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * One run of random forks on a network that loses, repeats and delays, in virtual time.
 *
 * <p>Eight agents make references and pass them on, up to six calls deep and to at most four others
 * each. 20 % of the control messages are lost and 20 % arrive twice, after 0 to 5 s each; a request
 * is repeated until it is answered. A call of the application arrives once, or is lost in one of
 * sixteen cases. In one run of four an agent dies and starts again with nothing.
 */
final class RandomForks implements Invariants.Group {

  private static final int AGENTS = 8;
  private static final int DEPTH = 6;
  private static final int FAN_OUT = 4;
  private static final int DELAY = 5_000;
  private static final int FIRST_GAP = 1_000;
  private static final int MAX_GAP = 8_000;

  /** A run that is sound has ended long before; 2,000 s make 250 attempts at least. */
  private static final int END = 2_000_000;

  /** Something that happens at a time; the number keeps equal times in order. */
  private record Due(long time, long number, Runnable action) {}

  private final Protocol protocol;
  private final SplittableRandom random;
  private final PriorityQueue<Due> due =
      new PriorityQueue<>(
          (a, b) ->
              a.time() != b.time()
                  ? Long.compare(a.time(), b.time())
                  : Long.compare(a.number(), b.number()));
  private final RRefTables[] agents = new RRefTables[AGENTS];
  private final Map<RRefTables.Path, Long> counters = new HashMap<>();
  private final Map<RRefId, Integer> onTheirWay = new HashMap<>();

  /** Depth of the forks that calls carry. */
  private final Map<ForkId, Integer> depths = new HashMap<>();

  private final boolean faulty;
  private final Facts facts = new Facts();
  private long now;
  private long number;
  private long steps;
  private int forksLeft;

  private RandomForks(long seed, Protocol protocol) {
    this.protocol = protocol;
    random = new SplittableRandom(seed);
    faulty = random.nextInt(4) == 0;
    forksLeft = 4 + random.nextInt(20);
  }

  /** Runs a seed to its end; returns how many steps it took. */
  static long run(long seed, Protocol protocol) {
    RandomForks run = new RandomForks(seed, protocol);
    try {
      run.run();
    } catch (InvariantBrokenError e) {
      InvariantBrokenError named =
          new InvariantBrokenError(e.invariant(), e.getMessage() + ", seed " + seed);
      named.initCause(e);
      throw named;
    }
    return run.steps;
  }

  private void run() {
    for (int rank = 0; rank < AGENTS; rank++) {
      agents[rank] = new RRefTables(new AgentId(rank, 1));
    }
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      at(random.nextInt(DELAY), this::create);
    }
    if (faulty) {
      at(random.nextInt(6 * DELAY), this::restart);
    }
    while (!due.isEmpty()) {
      Due next = due.poll();
      now = next.time();
      if (now > END) {
        throw new InvariantBrokenError("I7", "no rest after " + END + " ms");
      }
      next.action().run();
    }
    Invariants.checkRest(this, facts);
  }

  private void at(long delay, Runnable action) {
    due.add(new Due(now + delay, number++, action));
  }

  // The applications.

  private void create() {
    AgentId creator = agents[random.nextInt(AGENTS)].self();
    AgentId owner = agents[random.nextInt(AGENTS)].self();
    RRefId ref = new RRefId(owner, creator, next(new RRefTables.Path(owner, creator, creator)));
    if (creator.equals(owner)) {
      apply(owner, new Event.OwnerCreated(ref, Invariants.valueOf(ref)));
      shareAndClose(owner, ref, null, 0);
    } else {
      apply(creator, new Event.UserCreated(ref.root(), List.of()));
      shareAndClose(creator, ref, ref.root(), 0);
    }
  }

  private long next(RRefTables.Path path) {
    return counters.merge(path, 1L, Long::sum) - 1;
  }

  /** What an application does with a handle: null is one at the owner. */
  private void shareAndClose(AgentId self, RRefId ref, ForkId fork, int depth) {
    long last = 0;
    if (fork != null && random.nextBoolean()) {
      last = random.nextInt(DELAY);
      at(last, () -> apply(self, new Event.FetchAsked(fork, 1)));
    }
    for (int i = random.nextInt(FAN_OUT + 1); i > 0 && depth < DEPTH; i--) {
      long time = random.nextInt(DELAY);
      last = Math.max(last, time);
      at(time, () -> share(self, ref, fork, depth));
    }
    at(
        last + random.nextInt(DELAY),
        () -> apply(self, fork == null ? new Event.OwnerClosed(ref) : new Event.UserClosed(fork)));
  }

  private void share(AgentId self, RRefId ref, ForkId fork, int depth) {
    if (forksLeft == 0 || state(self) == null) {
      return;
    }
    forksLeft--;
    AgentId to = agents[random.nextInt(AGENTS)].self();
    RRefTables.Path path = new RRefTables.Path(ref.owner(), self, to);
    ForkId child = new ForkId(ref, self, to, next(path));
    Event event = fork == null ? new Event.OwnerForked(child) : new Event.UserForked(fork, child);
    if (apply(self, event).stream().anyMatch(Effect.Denied.class::isInstance)) {
      return;
    }
    depths.put(child, depth + 1);
    switch (random.nextInt(32)) {
      case 0 -> at(random.nextInt(DELAY), () -> apply(self, new Event.ForkNotDelivered(child)));
      case 1 -> at(random.nextInt(DELAY), () -> apply(self, new Event.ForkUnknown(child)));
      default -> {
        onTheirWay.merge(ref, 1, Integer::sum);
        at(random.nextInt(DELAY), () -> arrive(self, child));
      }
    }
  }

  private void arrive(AgentId from, ForkId child) {
    onTheirWay.merge(child.ref(), -1, Integer::sum);
    apply(child.holder(), new Event.Arrived(from, child, List.of(child)));
  }

  /** A call runs: its body uses the reference that came with it. */
  private void ran(AgentId self, Object key) {
    if (key instanceof RRefId ref) {
      at(
          random.nextInt(DELAY),
          () -> apply(self, new Event.ValueSet(ref, Invariants.valueOf(ref))));
    } else {
      ForkId fork = (ForkId) key;
      boolean owner = fork.owner().equals(self);
      shareAndClose(self, fork.ref(), owner ? null : fork, depths.get(fork));
    }
  }

  private void restart() {
    int rank = random.nextInt(AGENTS);
    AgentId old = agents[rank].self();
    agents[rank] = new RRefTables(new AgentId(rank, old.incarnation() + 1));
    for (int peer = 0; peer < AGENTS; peer++) {
      AgentId other = agents[peer].self();
      at(random.nextInt(DELAY), () -> apply(other, new Event.PeerLost(old)));
    }
  }

  // The network.

  private List<Effect> apply(AgentId self, Event event) {
    RRefTables tables = state(self);
    if (tables == null) {
      return List.of();
    }
    steps++;
    RRefTables before = tables.copy();
    List<Effect> effects = protocol.apply(tables, event);
    Invariants.check(this, facts, before, event, tables, effects);
    for (Effect effect : effects) {
      if (effect instanceof Effect.Send send) {
        transmit(new Packet(self, send.to(), send.message()));
        if (send.message() instanceof Message.Request request) {
          at(FIRST_GAP, () -> repeat(self, request, FIRST_GAP));
        }
      } else if (effect instanceof Effect.Run run) {
        ran(self, run.key());
      }
    }
    return effects;
  }

  private void repeat(AgentId self, Message.Request request, int gap) {
    RRefTables state = state(self);
    if (state != null && state.outbox().containsKey(request.key())) {
      transmit(new Packet(self, request.to(), request));
      int next = Math.min(gap * 3 / 2, MAX_GAP);
      at(next, () -> repeat(self, request, next));
    }
  }

  private void transmit(Packet packet) {
    int copies = random.nextInt(5) == 0 ? 0 : random.nextInt(5) == 0 ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      at(random.nextInt(DELAY), () -> deliver(packet));
    }
  }

  private void deliver(Packet packet) {
    if (state(packet.to()) != null) {
      apply(packet.to(), packet.event());
      if (packet.acknowledgement() != null) {
        transmit(packet.acknowledgement());
      }
    }
  }

  @Override
  public RRefTables state(AgentId agent) {
    RRefTables state = agents[agent.rank()];
    return state.self().equals(agent) ? state : null;
  }

  @Override
  public List<RRefTables> states() {
    return List.of(agents);
  }

  @Override
  public boolean isOnItsWay(RRefId ref) {
    return onTheirWay.getOrDefault(ref, 0) > 0;
  }

  @Override
  public boolean isFaulty() {
    return faulty;
  }
}
