package io.jgloo.transport.sim;

import io.jgloo.transport.Clock;
import io.jgloo.transport.Device;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MeshConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Ranks, network and time, simulated in one JVM from a seed.
 *
 * <p>{@link #run} gives each rank a thread, of which one runs at a time; time is virtual and jumps
 * to the next event when all wait. So a run is a function of seed, program and script: {@link
 * #traceHash} tells whether two were the same. Real memory is moved, by the bytes.
 *
 * <pre>{@code
 * SimWorld world = new SimWorld(4, seed);
 * world.at(Duration.ofMillis(3), () -> world.faults().crash(2));
 * world.run((rank, device) -> ...);
 * }</pre>
 *
 * <p><i>Threads</i>: faults may be called from anywhere; repeatable from {@link #at} and from
 * ranks. A program's further threads should be started by {@link #fork}. Others may call too; then
 * runs are correct but not repeatable, and a timeout takes as long as in reality. A rank that
 * blocks on something else than this transport for 50 ms lets the others go on meanwhile, with the
 * same consequence. Programs must not wait by spinning without a call.
 */
public final class SimWorld implements AutoCloseable {

  private final long seed;
  private final Timeline timeline;
  private final Scheduler scheduler;
  private final Network network;
  private final List<SimDevice> devices = new ArrayList<>();
  private final Crew crew;
  private final Faults faults;
  private final Board board;

  /**
   * @param ranks number of ranks, which {@link #run} starts
   * @param seed from which everything random follows
   */
  public SimWorld(int ranks, long seed) {
    this.seed = seed;
    timeline = new Timeline(seed);
    // Any instant is a fair beginning: clocks that wrap must not matter.
    scheduler = new Scheduler(timeline, new SplittableRandom(~seed).nextLong());
    network = new Network(timeline);
    crew = new Crew(scheduler, seed);
    faults = new Faults(scheduler, network);
    board = new Board(scheduler.lock);
    for (int rank = 0; rank < ranks; rank++) {
      network.addNode();
    }
  }

  public long seed() {
    return seed;
  }

  public int size() {
    return locked(network::size);
  }

  /** Virtual time. */
  public Clock clock() {
    return scheduler;
  }

  // How the world is made.

  /** Sets how all links are. */
  public SimWorld network(LinkModel model) {
    scheduled(() -> network.model(model));
    return this;
  }

  /** Sets how the link from one rank to another is, in this direction. */
  public SimWorld link(int from, int to, LinkModel model) {
    scheduled(() -> network.link(from, to).model(model));
    return this;
  }

  /** Puts this many ranks on each host; all are on one by default. */
  public SimWorld ranksPerHost(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, but is " + count);
    }
    scheduled(() -> network.ranksPerHost(count));
    return this;
  }

  /**
   * Sets how much ranks send without being asked; for meshes that are connected from now on.
   *
   * @param eagerBytes longest message that is sent with its header, default 4 KiB
   * @param unexpectedBytes what a rank holds for a peer before receives are posted, default 64 KiB
   */
  public SimWorld limits(int eagerBytes, int unexpectedBytes) {
    Limits limits = new Limits(eagerBytes, unexpectedBytes, Limits.DEFAULT.pieceBytes());
    scheduled(() -> network.limits(limits));
    return this;
  }

  /** Sets how often a call lets another rank go first: once in this many, 0 for never. */
  public SimWorld preemption(int oneIn) {
    scheduled(() -> scheduler.preemption(oneIn));
    return this;
  }

  /** One more device of a rank, for those who do without {@link #run} or need two. */
  public Device device(int rank) {
    return locked(() -> newDevice(network.node(rank), () -> {}));
  }

  /** A device of a rank that did not exist before. */
  Device addDevice(Runnable onClose) {
    return locked(() -> newDevice(network.addNode(), onClose));
  }

  private SimDevice newDevice(Node node, Runnable onClose) {
    SimDevice device = new SimDevice(this, node, onClose);
    devices.add(device);
    return device;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Network network() {
    return network;
  }

  // How it runs.

  /**
   * Runs the program on all ranks that have not crashed, and returns when all their threads have
   * ended.
   *
   * @throws RankFailure with the first exception a program threw, the others suppressed
   * @throws InterruptedOperationException if the thread is interrupted: all ranks have crashed then
   */
  public void run(RankProgram program) {
    scheduled(
        () -> {
          for (int rank = 0; rank < network.size(); rank++) {
            Node node = network.node(rank);
            if (!node.hasCrashed()) {
              SimDevice device = newDevice(node, () -> {});
              crew.start(node, "sim-rank-" + node.rank(), () -> runRank(node, device, program));
            }
          }
        });
    crew.watch(faults);
  }

  private static void runRank(Node node, SimDevice device, RankProgram program) throws Exception {
    try (device) {
      program.run(node.rank(), device);
    }
  }

  /**
   * Starts one more thread of the calling rank.
   *
   * @throws IllegalStateException if the calling thread is none of this world's
   */
  public Thread fork(String name, Runnable body) {
    Strand parent = scheduler.current();
    if (parent == null) {
      throw new IllegalStateException("only a thread of this world can fork");
    }
    Strand self = scheduler.enter(parent.node);
    try {
      return crew.start(parent.node, name, body::run);
    } finally {
      scheduler.leave(self);
    }
  }

  /**
   * Makes a mesh and connects it to those of the same group and epoch that other ranks make by this
   * method: a rendezvous without a store, which repeats with the seed.
   *
   * @throws MeshConnectException at the timeout, with the cause for each rank that is missing
   */
  public Mesh connect(Device device, Membership membership, Duration timeout) {
    Mesh mesh = device.newMesh(membership);
    boolean connected = false;
    try {
      long deadline = scheduler.nanoTime() + timeout.toNanos();
      scheduled(() -> board.publish(membership, mesh.address()));
      await(() -> board.missing(membership).isEmpty(), timeout);
      board.check(membership, timeout);
      long left = Math.max(0, deadline - scheduler.nanoTime());
      mesh.connect(board.addresses(membership), Duration.ofNanos(left));
      connected = true;
      return mesh;
    } finally {
      if (!connected) {
        mesh.close();
      }
    }
  }

  /**
   * Blocks the calling thread until the condition holds; time and other threads go on.
   *
   * @param condition looked at by other threads too, whenever turns change; makes no calls
   * @return whether it holds; false at the timeout
   * @throws InterruptedOperationException if the thread is interrupted; its flag stays set
   */
  public boolean await(BooleanSupplier condition, Duration timeout) {
    Strand self = scheduler.current();
    Node node = self == null ? new Node(-1) : self.node;
    self = scheduler.enter(node);
    try {
      long until = scheduler.virtual(scheduler.nanoTime() + timeout.toNanos());
      while (!condition.getAsBoolean()) {
        Scheduler.checkInterrupt();
        if (timeline.now() >= until) {
          return false;
        }
        self = scheduler.block(self, node, null, condition, until);
      }
      return true;
    } finally {
      scheduler.leave(self);
    }
  }

  /** Lets virtual time pass for the calling thread. */
  public void sleep(Duration time) {
    await(() -> false, time);
  }

  // What goes wrong in it.

  /** What can be made to go wrong. */
  public Faults faults() {
    return faults;
  }

  /** Has something done, such as a fault, when this much virtual time has passed from now. */
  public SimWorld at(Duration fromNow, Runnable action) {
    scheduled(() -> timeline.timer(timeline.now() + fromNow.toNanos(), "script", action));
    return this;
  }

  // What has happened in it.

  /** A hash of everything that has happened and when: equal for equal runs. */
  public long traceHash() {
    return locked(timeline::hash);
  }

  /** Number of events that have happened. */
  public long events() {
    return locked(timeline::count);
  }

  /** Tells of every event as it happens, one line each, under the world's lock. */
  public SimWorld trace(Consumer<String> listener) {
    scheduled(() -> timeline.listen(listener));
    return this;
  }

  private void scheduled(Runnable action) {
    scheduler.scheduled(action);
  }

  private <T> T locked(Supplier<T> reader) {
    scheduler.lock.lock();
    try {
      return reader.get();
    } finally {
      scheduler.lock.unlock();
    }
  }

  /** Closes all devices that are still open. */
  @Override
  public void close() {
    locked(() -> List.copyOf(devices)).forEach(SimDevice::close);
  }

  @Override
  public String toString() {
    return "world of seed " + seed;
  }
}
