package io.jgloo.transport.sim;

import io.jgloo.transport.Clock;
import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.tcp.TcpProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Ranks, network and time, simulated in one JVM from a seed: the TCP device runs as it is, on
 * simulated sockets.
 *
 * <p>{@link #run} gives each rank a thread, of which one runs at a time; time is virtual and jumps
 * to the next event when all wait. So a run is a function of seed, program and script: equal runs
 * have an equal {@link #traceHash}. Real memory is moved, by the bytes.
 *
 * <pre>{@code
 * SimWorld world = new SimWorld(4, seed);
 * world.at(Duration.ofMillis(3), () -> world.faults().crash(2));
 * world.run((rank, device) -> ...);
 * }</pre>
 *
 * <p><i>Threads</i>: faults may be called from anywhere; repeatable from {@link #at} and from
 * ranks. A program's further threads should be started by {@link #fork}. As soon as another thread
 * waits on this transport, or a rank blocks on something else for 300 ms, all threads run at the
 * same time for good: runs are correct then but not repeatable, and a timeout takes as long as in
 * reality. Programs must not wait by spinning without a call.
 */
public final class SimWorld implements AutoCloseable {

  private final long seed;
  private final Timeline timeline;
  private final Scheduler scheduler;
  private final Network network;
  private final List<Device> devices = new ArrayList<>();
  private final List<RankFailure> failures = new ArrayList<>();
  private final Faults faults;
  private final AddressDirectory directory;
  private DeviceOptions options;

  /**
   * @param ranks number of ranks, which {@link #run} starts
   * @param seed from which everything random follows
   */
  public SimWorld(int ranks, long seed) {
    // Any instant is a fair beginning: clocks that wrap must not matter.
    this(ranks, seed, new SplittableRandom(~seed).nextLong());
  }

  /**
   * @param firstNanos what the clock shows at the beginning
   */
  SimWorld(int ranks, long seed, long firstNanos) {
    this.seed = seed;
    timeline = new Timeline(seed);
    scheduler = new Scheduler(timeline, firstNanos);
    network = new Network(timeline);
    faults = new Faults(scheduler, network);
    directory = new AddressDirectory(scheduler.lock);
    // Small, so that back-pressure and announcing are everyday events in a test.
    options =
        DeviceOptions.DEFAULTS
            .with("spin", 0)
            .with("placement", "kernel")
            .with("congestion", "system")
            .with("window", 64 << 10)
            .with("eager", 4 << 10);
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
    return scheduler::nanoTime;
  }

  // How the world is made.

  /** Sets how all links are. */
  public SimWorld network(LinkModel model) {
    scheduler.scheduled(() -> network.model(model));
    return this;
  }

  /** Sets how the link from one rank to another is, in this direction. */
  public SimWorld link(int from, int to, LinkModel model) {
    scheduler.scheduled(() -> network.path(from, to).model(model));
    return this;
  }

  /** Puts this many ranks on each host; all are on one by default. */
  public SimWorld ranksPerHost(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, but is " + count);
    }
    scheduler.scheduled(() -> network.ranksPerHost(count));
    return this;
  }

  /**
   * Sets an attribute of the devices opened from now on: those of the TCP device, but for where it
   * listens. The defaults are {@code eager} 4 KiB and {@code window} 64 KiB; {@code sockets} is
   * drawn for each device.
   */
  public SimWorld with(String attribute, Object value) {
    scheduler.scheduled(() -> options = options.with(attribute, value));
    return this;
  }

  /** Sets how often a call lets another rank go first: once in this many, 0 for never. */
  public SimWorld preemption(int oneIn) {
    scheduler.scheduled(() -> scheduler.preemption(oneIn));
    return this;
  }

  /** Sets how much virtual time a run may take, from now: it fails if it is not over then. */
  public SimWorld limit(Duration time) {
    scheduler.scheduled(() -> scheduler.end(scheduler.after(time.toNanos()), this::isOver));
    return this;
  }

  private void isOver() {
    failures.add(
        new RankFailure(
            -1, seed, new AssertionError("the run did not end in time:\n" + scheduler.describe())));
    faults.killAll();
  }

  /** One more device of a rank, for callers that do not use {@link #run} or need two. */
  public Device device(int rank) {
    return newDevice(locked(() -> network.node(rank)));
  }

  private Device newDevice(Node node) {
    node.checkAlive();
    String kind = options.get("sockets", "auto");
    boolean edges = kind.equals("epoll") || (!kind.equals("nio") && locked(this::tossCoin));
    Device device =
        TcpProvider.open(
            Network.DEVICE,
            options.with("bind", network.ip(node).getHostAddress()),
            new SimPlatform(scheduler, node),
            new SimSockets(scheduler, network, node, edges));
    scheduler.scheduled(() -> devices.add(device));
    return device;
  }

  private boolean tossCoin() {
    return timeline.random(2) == 0;
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
    for (int rank = 0; rank < size(); rank++) {
      Node node = network.node(rank);
      if (!node.hasCrashed()) {
        Device device = newDevice(node);
        start(node, "sim-rank-" + rank, () -> runRank(node, device, program));
      }
    }
    try {
      scheduler.run();
    } catch (InterruptedException e) {
      faults.killAll();
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("the world was interrupted", e);
    }
    List<RankFailure> all = locked(() -> List.copyOf(failures));
    failures.clear();
    if (!all.isEmpty()) {
      all.subList(1, all.size()).forEach(all.get(0)::addSuppressed);
      throw all.get(0);
    }
  }

  private SimThread start(Node node, String name, Runnable body) {
    SimThread thread = new SimThread(scheduler, node, true, name, body);
    thread.start();
    return thread;
  }

  private void runRank(Node node, Device device, RankProgram program) {
    attempt(node, () -> program.run(node.rank(), device));
    attempt(node, device::close);
    if (node.hasCrashed()) {
      attempt(node, device::close); // the crash may have come in the first close
    }
  }

  /** What a thread does. */
  @FunctionalInterface
  private interface Body {
    void run() throws Exception;
  }

  private void attempt(Node node, Body body) {
    try {
      body.run();
    } catch (RankCrash crash) {
      if (!node.hasCrashed()) {
        fail(node, crash);
      }
    } catch (Exception | Error e) {
      fail(node, e);
    }
  }

  private void fail(Node node, Throwable cause) {
    scheduler.scheduled(() -> failures.add(new RankFailure(node.rank(), seed, cause)));
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
    scheduler.point();
    return start(parent.node, name, () -> attempt(parent.node, body::run));
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
      directory.publish(membership, mesh.address());
      await(() -> directory.missing(membership).isEmpty(), timeout);
      directory.check(membership, timeout);
      long left = Math.max(0, deadline - scheduler.nanoTime());
      mesh.connect(directory.addresses(membership), Duration.ofNanos(left));
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
    scheduler.point();
    scheduler.lock.lock();
    try {
      long until = scheduler.after(timeout.toNanos());
      while (!condition.getAsBoolean()) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedOperationException("the waiting thread was interrupted");
        }
        if (scheduler.now() >= until) {
          return false;
        }
        scheduler.block(null, condition, until);
      }
      return true;
    } finally {
      scheduler.lock.unlock();
    }
  }

  /** Lets virtual time pass for the calling thread. */
  public void sleep(Duration time) {
    await(() -> false, time);
  }

  // What goes wrong in it.

  /** The faults of this world. */
  public Faults faults() {
    return faults;
  }

  /** Has something done, such as a fault, when this much virtual time has passed from now. */
  public SimWorld at(Duration fromNow, Runnable action) {
    scheduler.scheduled(() -> timeline.at(scheduler.after(fromNow.toNanos()), "script", action));
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

  /** Reports every event as it happens, one line each, under the world's lock. */
  public SimWorld trace(Consumer<String> listener) {
    scheduler.scheduled(() -> timeline.listen(listener));
    return this;
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
    locked(() -> List.copyOf(devices)).forEach(Device::close);
  }

  @Override
  public String toString() {
    return "world of seed " + seed;
  }
}
