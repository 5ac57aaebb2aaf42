package io.jgloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Device;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.Mesh;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Ranks that compute together: one rank's view of the group it belongs to.
 *
 * <p>All ranks must make the same collective calls in the same order, with the same type, count,
 * operation and root; ranks that disagree get a {@link io.jgloo.transport.MismatchException} that
 * quotes both sides. Blocking calls return when this rank's part is done; {@code ...Async} ones
 * return {@link Work}. Zero elements and groups of one rank are fine everywhere.
 *
 * <p>When a call fails, the group has failed, at all ranks: later calls are told the first cause
 * again. The survivors form a new group, with the same store and device and the next epoch.
 *
 * <p><em>Threads</em>: any; several calls may be in progress, if all ranks begin them in one order.
 * <em>Owns</em>: its mesh; the device and the store only if it opened them. <em>Fails</em>: {@link
 * IllegalArgumentException} before a byte moves; {@link GlooException} for what happens in the
 * world, after which nothing touches the caller's memory any more.
 */
public final class ProcessGroup extends MoveOverloads implements AutoCloseable {

  /** How long a call may take unless something else is said, as in Gloo. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  private final CallOptions options;

  ProcessGroup(Connection connection, CallOptions options) {
    super(connection, options);
    this.options = options;
  }

  /** Says who and where, and then connects. */
  public static GroupBuilder builder() {
    return new GroupBuilder();
  }

  /**
   * The group of all processes that a launcher has started, by what it has left in the environment;
   * see {@link io.jgloo.rendezvous.Launches}. Returns when all ranks are connected.
   */
  public static ProcessGroup init() {
    return Init.fromEnvironment(System.getenv());
  }

  /**
   * The group of all ranks that meet at a store. Returns when all are connected.
   *
   * @param url {@code tcp://host:port}, where rank 0 serves, {@code file:///dir}, {@code
   *     redis://host:port}, or {@code env://} for what PyTorch's variables say; {@code
   *     ?rank=R&world_size=N} may take the place of the arguments
   * @param rank this rank; negative if the URL or the environment says it
   * @param size number of ranks; negative if the URL or the environment says it
   * @param timeout how long to wait for the others, and how long a call may take
   */
  public static ProcessGroup init(String url, int rank, int size, Duration timeout) {
    return Init.byUrl(url, rank, size, timeout, System.getenv());
  }

  /**
   * Connects ranks whose hosts and ports are known beforehand; no store is needed. Who can exchange
   * a line of text at run time had better {@linkplain GroupBuilder#open open} a rank.
   *
   * @param addresses {@code host:port} by rank, where each rank can listen
   */
  public static ProcessGroup connect(int rank, List<String> addresses) {
    return Init.byAddresses(rank, addresses);
  }

  /**
   * A group of these ranks, in this order. All ranks of this group call it, with the same list.
   *
   * @return empty at ranks that are not in the list
   */
  public Optional<ProcessGroup> newGroup(int... ranks) {
    return SubGroups.of(this, connection, ranks);
  }

  /**
   * Groups of the ranks that call it with the same color. All ranks of this group call it.
   *
   * @param color which group; -1 for none
   * @param key decides this rank's place in it; equal keys are in the order of their ranks
   * @return empty for color -1
   */
  public Optional<ProcessGroup> split(int color, int key) {
    return SubGroups.split(this, connection, color, key);
  }

  /**
   * Meets the other ranks of the group {@code world} and connects to them all; what more there is
   * to say is said to a {@link #builder}.
   *
   * @param store where the ranks meet; stays the caller's
   * @param device how they reach each other; stays the caller's
   */
  public static ProcessGroup connect(int rank, int size, Store store, Device device) {
    return builder().rank(rank).size(size).store(store).device(device).connect();
  }

  /**
   * A group over a mesh that is connected already; the group closes it.
   *
   * @param timeout how long a call may take unless something else is said
   */
  public static ProcessGroup over(Mesh mesh, Duration timeout) {
    Arguments.present("mesh", mesh);
    Connection connection = new Connection(mesh, Arguments.timeout(timeout), List.of());
    return new ProcessGroup(connection, CallOptions.DEFAULTS);
  }

  /** The same group, its calls made with these options; closing either closes both. */
  public ProcessGroup with(CallOptions options) {
    Arguments.present("options", options);
    connection.executor().dialect().check(options.tag().orElse(-1), options.slot().orElse(-1));
    return new ProcessGroup(connection, options);
  }

  /**
   * Takes slots from the counter from which those of Gloo's classes come, as {@code nextSlot} of a
   * context in C++ does. All ranks must take as many in the same order.
   *
   * @return the first of them
   * @throws UnsupportedOperationException unless the group is on one of Gloo's wires
   */
  public long nextSlot(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, but is " + count);
    }
    return connection.executor().dialect().nextSlot(count);
  }

  /** The options calls are made with. */
  public CallOptions options() {
    return options;
  }

  /** This rank, 0 to size - 1. */
  public int rank() {
    return connection.mesh().rank();
  }

  /** Number of ranks. */
  public int size() {
    return connection.mesh().size();
  }

  /** Name of the group. */
  public String name() {
    return connection.mesh().membership().group();
  }

  /** Incarnation of the group; survivors of a failure meet at the next. */
  public long epoch() {
    return connection.mesh().membership().epoch();
  }

  /** This rank's place among the ranks on its host. */
  public int localRank() {
    return connection.mesh().localRank();
  }

  /** Number of ranks on this rank's host. */
  public int localSize() {
    return connection.mesh().localSize();
  }

  /**
   * How the bytes between this rank and another one move, in words: {@code "shared memory
   * (memfd)"}, {@code "shared memory (/dev/shm)"}, {@code "tcp"}, {@code "rdma"}, or {@code "not
   * connected"} before the first message of a pair that connects on demand. Any thread may call it.
   *
   * @throws IllegalArgumentException if peer is this rank or out of range
   */
  public String route(int peer) {
    return connection.mesh().route(peer);
  }

  /** Returns when all ranks have called it. */
  public void barrier() {
    run(make.bare(Collective.BARRIER, DataType.INT8, null, 0, 0));
  }

  /** Starts {@link #barrier()}. */
  public Work barrierAsync() {
    return start(make.bare(Collective.BARRIER, DataType.INT8, null, 0, 0));
  }

  /**
   * A barrier that names the ranks that are missing, all of them; the group lives on.
   *
   * <p>Rank 0 waits for the others and tells them what came out. So it is slower than {@link
   * #barrier} (2 steps of size - 1 messages each), meant for finding out who hangs.
   *
   * @param timeout how long rank 0 waits, from when it calls; the others wait twice as long for its
   *     answer, since rank 0 itself may come that late
   * @throws io.jgloo.transport.OperationTimeoutException whose {@code missingPeers} have not called
   *     it in time, at every rank that has; at one that comes too late, too
   */
  public void monitoredBarrier(Duration timeout) {
    connection.executor().monitoredBarrier(Connection.nanos(Arguments.timeout(timeout)));
  }

  /** Name of the algorithm that such a call would be done by. */
  public String explain(Collective collective, DataType type, long count) {
    return caller.explain(collective, type, count);
  }

  /** Why the group failed, if it has. */
  public Optional<GlooException> failure() {
    return connection.executor().failure();
  }

  /** Fails the group at all ranks, whose calls end with this reason. */
  public void abort(String reason) {
    connection.executor().abort(Arguments.present("reason", reason));
  }

  /**
   * Says good-bye to the other ranks and closes all links; calls in progress fail. Returns within
   * about a second, or when a reduction function that runs has returned; may be called often and
   * from any thread. Inside a reduction function it returns at once, and the group closes when the
   * function has returned.
   */
  @Override
  public void close() {
    connection.close();
  }
}
