package io.jgloo;

import static io.jgloo.Arguments.present;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.execution.Call;
import io.jgloo.collectives.execution.Executor;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Allocation;
import io.jgloo.transport.Device;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that compute together: one rank's view of the group it belongs to.
 *
 * <p>All ranks must make the same collective calls in the same order, with the same type, count,
 * operation and root; ranks that disagree get a {@link io.jgloo.transport.MismatchException} that
 * quotes both sides. Blocking calls return when this rank's part is done; {@code ...Async} ones
 * return {@link Work}. Zero elements and groups of one rank are allowed everywhere.
 *
 * <table class="striped">
 * <caption>Collectives and messages, each with an {@code ...Async} form</caption>
 * <thead><tr><th>group<th>methods</thead>
 * <tbody>
 * <tr><td>reduce<td>{@link #allreduce(Payload, ReduceOp) allreduce}, {@link
 *     #allreduceCoalesced(List, ReduceOp) allreduceCoalesced}, {@link #reduce(Payload, ReduceOp,
 *     int) reduce}, {@link #reduceScatter(Payload, ReduceOp) reduceScatter}, {@link
 *     #reduceScatterv(Payload, long[], ReduceOp) reduceScatterv}, {@link #scan(Payload, ReduceOp)
 *     scan}, {@link #exscan(Payload, ReduceOp) exscan}
 * <tr><td>from one rank<td>{@link #broadcast(Payload, int) broadcast}, {@link #scatter(Payload,
 *     int) scatter}, {@link #scatterv(Payload, long[], int) scatterv}
 * <tr><td>gather<td>{@link #allgather(Payload) allgather}, {@link #allgatherv(Payload, long[])
 *     allgatherv}, {@link #gather(Payload, int) gather}, {@link #gatherv(Payload, long[], int)
 *     gatherv}
 * <tr><td>exchange<td>{@link #alltoall(Payload) alltoall}, {@link #alltoallv(Payload, long[])
 *     alltoallv}
 * <tr><td>objects<td>{@link #broadcastObject broadcastObject}, {@link #allgatherObject
 *     allgatherObject} (blocking only)
 * <tr><td>no elements<td>{@link #barrier() barrier}, {@link #monitoredBarrier monitoredBarrier}
 *     (blocking only)
 * <tr><td>messages<td>{@link #send(Payload, int, long) send}, {@link #recv(Payload, int, long)
 *     recv}, {@link #recvAny(Payload, BitSet, long) recvAny} (blocking only), {@link
 *     #sendRecv(Payload, int, Payload, int, long) sendRecv}, {@link #batch batch}
 * </tbody>
 * </table>
 *
 * <p>In one file because users look for all calls of a group in one place; most of it is generated.
 *
 * <p>Each method is described where it takes a {@link Payload}. With one vector a collective works
 * in place; with an input and an output it does not change the input. In place of each payload it
 * also takes {@code float[]}, {@code double[]}, {@code int[]}, {@code long[]} or {@code byte[]}
 * ({@link DataType#INT8}), a {@code FloatBuffer}, {@code DoubleBuffer}, {@code IntBuffer} or {@code
 * LongBuffer}, or a {@code ByteBuffer} followed by the type of its elements. An array of a call
 * with one vector may be followed by offset and length, in elements. Buffers are used from position
 * to limit, which no call moves. Direct buffers are worked on in place, heap memory is copied
 * through staging memory.
 *
 * <p>When a call fails, the group has failed, at all ranks: later calls fail with the first cause.
 * The survivors form a new group by {@link #shrink}.
 *
 * <p>All calls are in this one class, so that they are found in one place; the methods on arrays
 * and buffers are generated from those on payloads.
 *
 * <p><em>Threads</em>: any; several calls may be in progress, if all ranks begin them in one order.
 * <em>Owns</em>: its mesh; the device and the store only if it opened them. <em>Fails</em>: {@link
 * IllegalArgumentException} before a byte moves; {@link JGlooException} for a failure of a peer,
 * the network or this process, after which nothing touches the caller's memory any more.
 */
public final class ProcessGroup implements AutoCloseable {

  /** Timeout of a call unless another is given, as in Gloo. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  private final Connection connection;
  private final CallOptions options;
  private final Executor executor;
  private final CallMaker calls;
  private final Messages messages;
  private final Pool<Payload> payloads;

  ProcessGroup(Connection connection, CallOptions options) {
    this.connection = connection;
    this.options = options;
    executor = connection.executor();
    calls = new CallMaker(connection, options);
    messages = new Messages(connection, options);
    payloads = connection.payloads();
  }

  /** A builder of a group, for what {@link #init} and {@link #connect} do not cover. */
  public static GroupBuilder builder() {
    return new GroupBuilder();
  }

  /**
   * Connects all processes that a launcher has started, by the variables that it sets; see {@link
   * io.jgloo.rendezvous.Launches}. Returns when all ranks are connected.
   *
   * @throws IllegalStateException if the environment has no launcher's variables
   * @throws IllegalArgumentException if a variable has an impossible value
   * @throws JGlooException if the ranks do not connect in time, or cannot
   */
  public static ProcessGroup init() {
    return Init.fromEnvironment(System.getenv());
  }

  /**
   * Connects all ranks that use the same store. Returns when all ranks are connected.
   *
   * @param url {@code tcp://host:port}, where rank 0 serves, {@code file:///dir}, {@code
   *     redis://host:port}, or {@code env://} for PyTorch's variables; {@code ?rank=R&world_size=N}
   *     may take the place of the arguments
   * @param rank this rank; negative if the URL or the environment gives it
   * @param size number of ranks; negative if the URL or the environment gives it
   * @param timeout limit for connecting, and for each call
   * @throws IllegalArgumentException if an argument is impossible, or given twice and differently
   * @throws JGlooException if the ranks do not connect in time, or cannot
   */
  public static ProcessGroup init(String url, int rank, int size, Duration timeout) {
    return Init.byUrl(url, rank, size, timeout, System.getenv());
  }

  /**
   * Connects ranks whose hosts and ports are known beforehand; no store is needed. Where ranks can
   * exchange a line of text at run time, {@link GroupBuilder#open} needs no known port.
   *
   * @param addresses {@code host:port} by rank, where each rank can listen
   * @throws IllegalArgumentException if an address or the rank is impossible
   * @throws JGlooException if the ranks do not connect in time, or cannot
   */
  public static ProcessGroup connect(int rank, List<String> addresses) {
    return Init.byAddresses(rank, addresses, System.getenv());
  }

  /**
   * Makes a group of these ranks, in this order. All ranks of this group call it, with the same
   * list.
   *
   * @return empty at ranks that are not in the list
   * @throws IllegalArgumentException if a rank is out of range or listed twice
   * @throws JGlooException if it fails, and with it this group
   * @throws UnsupportedOperationException if this group is on one of Gloo's wires
   */
  public Optional<ProcessGroup> newGroup(int... ranks) {
    return SubGroups.of(this, connection, ranks);
  }

  /**
   * Makes one group of the ranks of each color. All ranks of this group call it.
   *
   * @param color of this rank's group; -1 for none
   * @param key orders the ranks of the group; equal keys are in the order of their ranks
   * @return empty for color -1
   * @throws IllegalArgumentException if the color is less than -1
   * @throws JGlooException if it fails, and with it this group
   * @throws UnsupportedOperationException if this group is on one of Gloo's wires
   */
  public Optional<ProcessGroup> split(int color, int key) {
    return SubGroups.split(this, connection, color, key);
  }

  /**
   * Forms a group of the ranks that are alive, after this group has failed. Every survivor calls
   * it, before it closes this group; the order of ranks is kept. Survivors agree on the members
   * through the store of this group, or of the group it was made from, so that store must still
   * answer: not one that a lost rank has served. Ranks may be lost at any time, also during this
   * call.
   *
   * <p>The new group has the same name, device, store, costs and timeout, and a later epoch. It
   * takes over what was opened for this group, which is closed. If this group has not failed, it
   * fails at all ranks.
   *
   * <pre>{@code
   * try {
   *   step(group);
   * } catch (JGlooException e) {
   *   group = group.shrink(Duration.ofSeconds(30));
   *   restore(group); // ranks and size have changed
   * }
   * }</pre>
   *
   * @param timeout how long to wait for a rank that does not call this and has not ended, for
   *     example one that is stopped, or whose host is lost; it is then left out. Also the limit for
   *     connecting. The call takes that long a few times at most for each rank that is lost during
   *     it, and no longer than agreeing needs if all lost ranks have ended
   * @throws io.jgloo.transport.UnavailableException if the others have left out this rank
   * @throws io.jgloo.rendezvous.store.StoreException if the store does not answer. After a failure
   *     this group is still to be closed
   * @throws UnsupportedOperationException if this group was made without a store, or is on one of
   *     Gloo's wires
   */
  public ProcessGroup shrink(Duration timeout) {
    return new ProcessGroup(connection.shrink(Arguments.timeout(timeout)), options);
  }

  /**
   * Ranks that the members of this group have in the group which was connected first: of a group
   * made by {@link #newGroup}, {@link #split} or {@link #shrink}, over all such steps. The place in
   * the list is the rank in this group.
   */
  public List<Integer> ranks() {
    return connection.ranks();
  }

  /**
   * Connects the ranks of the group {@code world}. A {@link #builder} has more options.
   *
   * @param store through which the ranks exchange addresses; remains the caller's
   * @param device that connects them; remains the caller's
   * @throws IllegalArgumentException if an argument is null or out of range
   * @throws JGlooException if the ranks do not connect in time, or cannot
   */
  public static ProcessGroup connect(int rank, int size, Store store, Device device) {
    return builder().rank(rank).size(size).store(store).device(device).connect();
  }

  /**
   * Makes a group on a connected mesh; the group closes it.
   *
   * @param timeout of a call unless another is given
   * @throws IllegalArgumentException if the mesh is null or the timeout negative
   */
  public static ProcessGroup over(Mesh mesh, Duration timeout) {
    present("mesh", mesh);
    Connection connection = new Connection(mesh, Arguments.timeout(timeout), List.of());
    return new ProcessGroup(connection, CallOptions.DEFAULTS);
  }

  /**
   * The same group with other options for its calls; closing either closes both.
   *
   * @throws IllegalArgumentException if the options are null, or have a tag or a slot and this
   *     group is not on one of Gloo's wires
   */
  public ProcessGroup with(CallOptions options) {
    present("options", options);
    executor.dialect().check(options.tag().orElse(-1), options.slot().orElse(-1));
    return new ProcessGroup(connection, options);
  }

  /**
   * Takes slots from the counter from which those of Gloo's classes come, as {@code nextSlot} of a
   * context in C++ does. All ranks must take as many in the same order.
   *
   * @return the first of them
   * @throws IllegalArgumentException if the count is less than 1
   * @throws UnsupportedOperationException unless the group is on one of Gloo's wires
   */
  public long nextSlot(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, but is " + count);
    }
    return executor.dialect().nextSlot(count);
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

  /** Incarnation of the group; survivors of a failure use the next. */
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

  /** Which ranks share a host; the same at all ranks. On Gloo's wires all are taken for one. */
  public Layout layout() {
    return executor.layout();
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

  /**
   * Allocates memory, filled with zeros, for the calls of this group. Peers of this host that share
   * memory with this rank read what is sent from it in place, which saves a copy:
   *
   * <pre>{@code
   * try (Allocation memory = group.allocate(4L * count)) {
   *   FloatBuffer gradients = memory.buffer().asFloatBuffer();
   *   group.allreduce(gradients, ReduceOp.SUM);
   * }
   * }</pre>
   *
   * <p>Where no peer shares memory, and to calls of other groups, it is plain direct memory. Any
   * thread may call it. The caller closes it; the group does not.
   *
   * @param bytes 1 to {@link Allocation#MAX_BYTES}
   * @throws IllegalArgumentException if it is not
   * @throws OutOfMemoryError if there is not so much direct memory
   */
  public Allocation allocate(long bytes) {
    return connection.mesh().allocate(bytes);
  }

  /**
   * Name of the algorithm that is chosen for such a call.
   *
   * @throws IllegalArgumentException if an argument is null, or the named algorithm is none of the
   *     collective's
   */
  public String explain(Collective collective, DataType type, long count) {
    Call call =
        calls.bare(present("collective", collective), present("type", type), null, count, 0);
    String algorithm = executor.algorithm(call);
    calls.recycle(call);
    return algorithm;
  }

  /**
   * The algorithm that is chosen for such a call and why, in words: the hosts of the ranks, the
   * costs, and the predicted time of every algorithm, the least first. For people; the form may
   * change.
   *
   * @throws IllegalArgumentException as {@link #explain}
   */
  public String explainChoice(Collective collective, DataType type, long count) {
    Call call =
        calls.bare(present("collective", collective), present("type", type), null, count, 0);
    String explanation = executor.explanation(call);
    calls.recycle(call);
    return explanation;
  }

  /**
   * Writes the last 1,024 calls and messages of this rank as JSON into the file {@code
   * GROUP@EPOCH-rank-R.json} of the directory, which is made if it is missing: operation,
   * algorithm, type, count, bytes, whether a call is running, done or failed, and when it started.
   * {@code gloo-bench/run diagnose} compares the files of all ranks. Also writes the counters of
   * the device. Any thread may call it, also while calls are running and after a failure.
   *
   * @return the file
   * @throws UncheckedIOException if it cannot be written
   */
  public Path dumpCalls(Path directory) {
    try {
      return executor.calls().write(present("directory", directory), "request");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the calls of " + this + ": " + e, e);
    }
  }

  /**
   * Counters of the device for this group, by name; bytes, messages, system calls and blocks. The
   * names depend on the device and may change. Any thread may call it.
   */
  public Map<String, Long> counters() {
    return connection.mesh().counters();
  }

  /** The failure of the group, if it has failed. */
  public Optional<JGlooException> failure() {
    return executor.failure();
  }

  /**
   * Fails the group at all ranks, whose calls end with this reason.
   *
   * @throws IllegalArgumentException if the reason is null
   */
  public void abort(String reason) {
    executor.abort(present("reason", reason));
  }

  /**
   * Sends the other ranks a goodbye and closes all connections; calls in progress fail. Returns
   * within about a second, or when a running reduction function has returned. May be called more
   * than once and from any thread. Inside a reduction function it returns at once, and the group
   * closes when the function has returned.
   */
  @Override
  public void close() {
    connection.close();
  }

  /** Name, epoch if it is not 0, rank and size: {@code world@1 rank 2 of 4}. */
  @Override
  public String toString() {
    return connection.mesh().membership().toString();
  }

  /**
   * Returns when all ranks have called it.
   *
   * @throws JGlooException if it fails, and with it the group
   */
  public void barrier() {
    run(calls.bare(Collective.BARRIER, DataType.INT8, null, 0, 0));
  }

  /**
   * Starts {@link #barrier()}.
   *
   * @throws JGlooException if the group has failed before
   */
  public Work barrierAsync() {
    return start(calls.bare(Collective.BARRIER, DataType.INT8, null, 0, 0));
  }

  /**
   * Waits for all ranks like {@link #barrier}, and names all missing ranks if some do not call it
   * in time. The group remains usable then.
   *
   * <p>Rank 0 waits for the others and sends them the result, which is slower than {@link #barrier}
   * (2 steps of size - 1 messages each). Use it to find the ranks that hang.
   *
   * @param timeout time that rank 0 waits from its call on; the other ranks wait twice as long for
   *     its answer, as rank 0 may call that late itself
   * @throws io.jgloo.transport.OperationTimeoutException at every rank that has called it, with the
   *     missing ranks as {@code missingPeers}; also at a rank that calls it too late
   * @throws IllegalArgumentException if the timeout is negative
   * @throws JGlooException if the group fails or has failed
   * @throws UnsupportedOperationException on Gloo's wires, unless the group is PyTorch's
   */
  public void monitoredBarrier(Duration timeout) {
    executor.monitoredBarrier(Connection.nanos(Arguments.timeout(timeout)));
  }

  /**
   * Reduces all ranks' vectors element by element; every rank gets the result, with the same bits.
   *
   * @param x this rank's vector, replaced by the result
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void allreduce(Payload x, ReduceOp op) {
    run(calls.alike(Collective.ALLREDUCE, null, x, op));
  }

  /**
   * Starts {@link #allreduce(Payload, ReduceOp)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work allreduceAsync(Payload x, ReduceOp op) {
    return start(calls.alike(Collective.ALLREDUCE, null, x, op));
  }

  /**
   * Reduces all ranks' vectors element by element into another vector; every rank gets the result.
   *
   * @param input this rank's vector, not changed
   * @param output receives the result; of the same type and count, with no byte in common
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void allreduce(Payload input, Payload output, ReduceOp op) {
    run(calls.alike(Collective.ALLREDUCE, given(input), output, op));
  }

  /**
   * Starts {@link #allreduce(Payload, Payload, ReduceOp)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work allreduceAsync(Payload input, Payload output, ReduceOp op) {
    return start(calls.alike(Collective.ALLREDUCE, given(input), output, op));
  }

  /**
   * Reduces all vectors of all ranks element by element; every vector is replaced by the result. A
   * rank's own vectors are reduced first, in the order of the list. Ranks may have different
   * numbers of vectors.
   *
   * @param x this rank's vectors, each replaced by the result
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void allreduce(List<Payload> x, ReduceOp op) {
    run(calls.alike(Collective.ALLREDUCE, null, SeveralMemory.of(x, x, op), op));
  }

  /**
   * Starts {@link #allreduce(List, ReduceOp)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work allreduceAsync(List<Payload> x, ReduceOp op) {
    return start(calls.alike(Collective.ALLREDUCE, null, SeveralMemory.of(x, x, op), op));
  }

  /**
   * Reduces all inputs of all ranks element by element; every output receives the result.
   *
   * @param inputs this rank's vectors, at least one, all of one type and count
   * @param outputs receive the result; at least one, of the type and count of the inputs; each may
   *     be one of the inputs, but not a part of one
   * @throws IllegalArgumentException if an argument is null or does not fit another, and for an
   *     average of several inputs, as the divisor would be ambiguous
   * @throws JGlooException if it fails, and with it the group
   */
  public void allreduce(List<Payload> inputs, List<Payload> outputs, ReduceOp op) {
    run(calls.alike(Collective.ALLREDUCE, null, SeveralMemory.of(inputs, outputs, op), op));
  }

  /**
   * Starts {@link #allreduce(List, List, ReduceOp)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work allreduceAsync(List<Payload> inputs, List<Payload> outputs, ReduceOp op) {
    return start(
        calls.alike(Collective.ALLREDUCE, null, SeveralMemory.of(inputs, outputs, op), op));
  }

  /**
   * Reduces a list of vectors in one call, each element by element with the vector at the same
   * place of all other ranks; cheaper than a call for each when they are small. See {@link
   * Payload#ofAll}.
   *
   * @param x this rank's vectors of one type, each replaced by its result
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void allreduceCoalesced(List<Payload> x, ReduceOp op) {
    run(calls.alike(Collective.ALLREDUCE, null, Payload.ofAll(x), op));
  }

  /**
   * Starts {@link #allreduceCoalesced}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work allreduceCoalescedAsync(List<Payload> x, ReduceOp op) {
    return start(calls.alike(Collective.ALLREDUCE, null, Payload.ofAll(x), op));
  }

  /**
   * Reduces all ranks' vectors element by element; the root gets the result.
   *
   * @param x this rank's vector; replaced by the result at the root, not changed elsewhere
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void reduce(Payload x, ReduceOp op, int root) {
    run(calls.reduce(null, x, op, root));
  }

  /**
   * Starts {@link #reduce(Payload, ReduceOp, int)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work reduceAsync(Payload x, ReduceOp op, int root) {
    return start(calls.reduce(null, x, op, root));
  }

  /**
   * Reduces all ranks' vectors element by element; the root gets the result.
   *
   * @param output receives the result at the root; ignored elsewhere, where it may be null
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void reduce(Payload input, @Nullable Payload output, ReduceOp op, int root) {
    run(calls.reduce(given(input), output, op, root));
  }

  /**
   * Starts {@link #reduce(Payload, Payload, ReduceOp, int)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work reduceAsync(Payload input, @Nullable Payload output, ReduceOp op, int root) {
    return start(calls.reduce(given(input), output, op, root));
  }

  /**
   * Reduces all ranks' vectors element by element and scatters the result: rank r gets block r of P
   * equal blocks, where P is the number of ranks.
   *
   * @param x this rank's vector; its first block is replaced by this rank's block of the result,
   *     the rest is undefined afterwards
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void reduceScatter(Payload x, ReduceOp op) {
    run(calls.reduceScatter(null, x, op));
  }

  /**
   * Starts {@link #reduceScatter(Payload, ReduceOp)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work reduceScatterAsync(Payload x, ReduceOp op) {
    return start(calls.reduceScatter(null, x, op));
  }

  /**
   * Reduces all ranks' vectors element by element and scatters the result: rank r gets block r of P
   * equal blocks, where P is the number of ranks.
   *
   * @param input this rank's vector, P times as long as the output
   * @param output receives this rank's block of the result
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void reduceScatter(Payload input, Payload output, ReduceOp op) {
    run(calls.reduceScatter(given(input), output, op));
  }

  /**
   * Starts {@link #reduceScatter(Payload, Payload, ReduceOp)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work reduceScatterAsync(Payload input, Payload output, ReduceOp op) {
    return start(calls.reduceScatter(given(input), output, op));
  }

  /**
   * Reduces all ranks' vectors element by element and scatters the result in blocks of different
   * lengths: rank r gets block r.
   *
   * @param x this rank's vector; its beginning is replaced by this rank's block of the result, the
   *     rest is undefined afterwards
   * @param counts elements of each rank's block, the same at all ranks
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void reduceScatterv(Payload x, long[] counts, ReduceOp op) {
    run(calls.reduceScatterv(null, x, counts, op));
  }

  /**
   * Starts {@link #reduceScatterv(Payload, long[], ReduceOp)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work reduceScattervAsync(Payload x, long[] counts, ReduceOp op) {
    return start(calls.reduceScatterv(null, x, counts, op));
  }

  /**
   * Reduces all ranks' vectors element by element and scatters the result in blocks of different
   * lengths: rank r gets block r.
   *
   * @param counts elements of each rank's block, the same at all ranks
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void reduceScatterv(Payload input, Payload output, long[] counts, ReduceOp op) {
    run(calls.reduceScatterv(given(input), output, counts, op));
  }

  /**
   * Starts {@link #reduceScatterv(Payload, Payload, long[], ReduceOp)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work reduceScattervAsync(Payload input, Payload output, long[] counts, ReduceOp op) {
    return start(calls.reduceScatterv(given(input), output, counts, op));
  }

  /**
   * Reduces the vectors of ranks 0 to this one (an inclusive prefix), in the order of ranks.
   *
   * @param x this rank's vector, replaced by the result
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void scan(Payload x, ReduceOp op) {
    run(calls.alike(Collective.SCAN, null, x, op));
  }

  /**
   * Starts {@link #scan(Payload, ReduceOp)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work scanAsync(Payload x, ReduceOp op) {
    return start(calls.alike(Collective.SCAN, null, x, op));
  }

  /**
   * Reduces the vectors of ranks 0 to this one (an inclusive prefix), in the order of ranks.
   *
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void scan(Payload input, Payload output, ReduceOp op) {
    run(calls.alike(Collective.SCAN, given(input), output, op));
  }

  /**
   * Starts {@link #scan(Payload, Payload, ReduceOp)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work scanAsync(Payload input, Payload output, ReduceOp op) {
    return start(calls.alike(Collective.SCAN, given(input), output, op));
  }

  /**
   * Reduces the vectors of the ranks before this one (an exclusive prefix), in the order of ranks.
   * Rank 0's vector is not changed.
   *
   * @param x this rank's vector, replaced by the result
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void exscan(Payload x, ReduceOp op) {
    run(calls.alike(Collective.EXSCAN, null, x, op));
  }

  /**
   * Starts {@link #exscan(Payload, ReduceOp)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work exscanAsync(Payload x, ReduceOp op) {
    return start(calls.alike(Collective.EXSCAN, null, x, op));
  }

  /**
   * Reduces the vectors of the ranks before this one (an exclusive prefix), in the order of ranks.
   * Rank 0's output is not written.
   *
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void exscan(Payload input, Payload output, ReduceOp op) {
    run(calls.alike(Collective.EXSCAN, given(input), output, op));
  }

  /**
   * Starts {@link #exscan(Payload, Payload, ReduceOp)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work exscanAsync(Payload input, Payload output, ReduceOp op) {
    return start(calls.alike(Collective.EXSCAN, given(input), output, op));
  }

  /**
   * Sends the root's vector to all ranks.
   *
   * @param x the vector to send at the root; elsewhere replaced by it
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void broadcast(Payload x, int root) {
    run(calls.broadcast(null, x, root));
  }

  /**
   * Starts {@link #broadcast(Payload, int)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work broadcastAsync(Payload x, int root) {
    return start(calls.broadcast(null, x, root));
  }

  /**
   * Sends the root's vector to all ranks.
   *
   * @param input the vector to send at the root; ignored elsewhere, where it may be null
   * @param output receives the vector, also at the root
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void broadcast(@Nullable Payload input, Payload output, int root) {
    run(calls.broadcast(atRoot(input, root), output, root));
  }

  /**
   * Starts {@link #broadcast(Payload, Payload, int)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work broadcastAsync(@Nullable Payload input, Payload output, int root) {
    return start(calls.broadcast(atRoot(input, root), output, root));
  }

  /**
   * Scatters the root's vector: rank r gets block r of P equal blocks, where P is the number of
   * ranks.
   *
   * @param x at the root the vector, which is not changed; elsewhere receives this rank's block
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void scatter(Payload x, int root) {
    run(calls.scatter(null, x, root));
  }

  /**
   * Starts {@link #scatter(Payload, int)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work scatterAsync(Payload x, int root) {
    return start(calls.scatter(null, x, root));
  }

  /**
   * Scatters the root's vector: rank r gets block r of P equal blocks, where P is the number of
   * ranks.
   *
   * @param input the vector at the root; ignored elsewhere, where it may be null
   * @param output receives this rank's block
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void scatter(@Nullable Payload input, Payload output, int root) {
    run(calls.scatter(atRoot(input, root), output, root));
  }

  /**
   * Starts {@link #scatter(Payload, Payload, int)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work scatterAsync(@Nullable Payload input, Payload output, int root) {
    return start(calls.scatter(atRoot(input, root), output, root));
  }

  /**
   * Scatters the root's vector in blocks of different lengths.
   *
   * @param x as in {@link #scatter(Payload, int)}
   * @param counts elements of each rank's block, the same at all ranks
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void scatterv(Payload x, long[] counts, int root) {
    run(calls.scatterv(null, x, counts, root));
  }

  /**
   * Starts {@link #scatterv(Payload, long[], int)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work scattervAsync(Payload x, long[] counts, int root) {
    return start(calls.scatterv(null, x, counts, root));
  }

  /**
   * Scatters the root's vector in blocks of different lengths.
   *
   * @param input the vector at the root; ignored elsewhere, where it may be null
   * @param counts elements of each rank's block, the same at all ranks
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void scatterv(@Nullable Payload input, Payload output, long[] counts, int root) {
    run(calls.scatterv(atRoot(input, root), output, counts, root));
  }

  /**
   * Starts {@link #scatterv(Payload, Payload, long[], int)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work scattervAsync(@Nullable Payload input, Payload output, long[] counts, int root) {
    return start(calls.scatterv(atRoot(input, root), output, counts, root));
  }

  /**
   * Gathers the blocks of all ranks at every rank, in the order of ranks.
   *
   * @param x P equal blocks, where P is the number of ranks; holds this rank's block in its place,
   *     receives all others
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void allgather(Payload x) {
    run(calls.allgather(null, x));
  }

  /**
   * Starts {@link #allgather(Payload)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work allgatherAsync(Payload x) {
    return start(calls.allgather(null, x));
  }

  /**
   * Gathers the blocks of all ranks at every rank, in the order of ranks.
   *
   * @param input this rank's block
   * @param output receives all blocks, P times as long as the input
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void allgather(Payload input, Payload output) {
    run(calls.allgather(given(input), output));
  }

  /**
   * Starts {@link #allgather(Payload, Payload)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work allgatherAsync(Payload input, Payload output) {
    return start(calls.allgather(given(input), output));
  }

  /**
   * Gathers blocks of different lengths at every rank, in the order of ranks.
   *
   * @param x all blocks without gaps; holds this rank's block in its place, receives all others
   * @param counts elements of each rank's block, the same at all ranks
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void allgatherv(Payload x, long[] counts) {
    run(calls.allgatherv(null, x, counts));
  }

  /**
   * Starts {@link #allgatherv(Payload, long[])}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work allgathervAsync(Payload x, long[] counts) {
    return start(calls.allgatherv(null, x, counts));
  }

  /**
   * Gathers blocks of different lengths at every rank, in the order of ranks.
   *
   * @param input this rank's block
   * @param output receives all blocks, without gaps
   * @param counts elements of each rank's block, the same at all ranks
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void allgatherv(Payload input, Payload output, long[] counts) {
    run(calls.allgatherv(given(input), output, counts));
  }

  /**
   * Starts {@link #allgatherv(Payload, Payload, long[])}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work allgathervAsync(Payload input, Payload output, long[] counts) {
    return start(calls.allgatherv(given(input), output, counts));
  }

  /**
   * Gathers the blocks of all ranks at the root, in the order of ranks.
   *
   * @param x at the root all blocks, with its own in its place; elsewhere this rank's block, which
   *     is not changed
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void gather(Payload x, int root) {
    run(calls.gather(null, x, root));
  }

  /**
   * Starts {@link #gather(Payload, int)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work gatherAsync(Payload x, int root) {
    return start(calls.gather(null, x, root));
  }

  /**
   * Gathers the blocks of all ranks at the root, in the order of ranks.
   *
   * @param input this rank's block
   * @param output receives all blocks at the root; ignored elsewhere, where it may be null
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void gather(Payload input, @Nullable Payload output, int root) {
    run(calls.gather(given(input), output, root));
  }

  /**
   * Starts {@link #gather(Payload, Payload, int)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work gatherAsync(Payload input, @Nullable Payload output, int root) {
    return start(calls.gather(given(input), output, root));
  }

  /**
   * Gathers blocks of different lengths at the root, in the order of ranks.
   *
   * @param x as in {@link #gather(Payload, int)}
   * @param counts elements of each rank's block, the same at all ranks
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void gatherv(Payload x, long[] counts, int root) {
    run(calls.gatherv(null, x, counts, root));
  }

  /**
   * Starts {@link #gatherv(Payload, long[], int)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work gathervAsync(Payload x, long[] counts, int root) {
    return start(calls.gatherv(null, x, counts, root));
  }

  /**
   * Gathers blocks of different lengths at the root, in the order of ranks.
   *
   * @param output receives all blocks at the root; ignored elsewhere, where it may be null
   * @param counts elements of each rank's block, the same at all ranks
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void gatherv(Payload input, @Nullable Payload output, long[] counts, int root) {
    run(calls.gatherv(given(input), output, counts, root));
  }

  /**
   * Starts {@link #gatherv(Payload, Payload, long[], int)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work gathervAsync(Payload input, @Nullable Payload output, long[] counts, int root) {
    return start(calls.gatherv(given(input), output, counts, root));
  }

  /**
   * Sends a block from every rank to every rank.
   *
   * @param x P equal blocks, where P is the number of ranks; block r is sent to rank r and replaced
   *     by the block that rank r sends
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void alltoall(Payload x) {
    run(calls.alltoall(null, x));
  }

  /**
   * Starts {@link #alltoall(Payload)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work alltoallAsync(Payload x) {
    return start(calls.alltoall(null, x));
  }

  /**
   * Sends a block from every rank to every rank.
   *
   * @param input P equal blocks, where P is the number of ranks; block r is sent to rank r
   * @param output receives the blocks, in the order of the ranks that send them
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void alltoall(Payload input, Payload output) {
    run(calls.alltoall(given(input), output));
  }

  /**
   * Starts {@link #alltoall(Payload, Payload)}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work alltoallAsync(Payload input, Payload output) {
    return start(calls.alltoall(given(input), output));
  }

  /**
   * Exchanges blocks of different lengths between all ranks; two ranks exchange blocks of the same
   * length.
   *
   * @param x this rank's blocks for all ranks without gaps, each replaced by the received one
   * @param counts elements of this rank's block for and from each rank
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void alltoallv(Payload x, long[] counts) {
    run(calls.alltoallv(null, counts, x, counts));
  }

  /**
   * Starts {@link #alltoallv(Payload, long[])}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work alltoallvAsync(Payload x, long[] counts) {
    return start(calls.alltoallv(null, counts, x, counts));
  }

  /**
   * Exchanges blocks of different lengths between all ranks.
   *
   * @param input this rank's blocks for all ranks, without gaps
   * @param sent elements of this rank's block for each rank
   * @param output receives the blocks, in the order of the ranks that send them, without gaps
   * @param received elements of each rank's block for this one, as that rank sends it
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void alltoallv(Payload input, long[] sent, Payload output, long[] received) {
    run(calls.alltoallv(given(input), sent, output, received));
  }

  /**
   * Starts {@link #alltoallv(Payload, long[], Payload, long[])}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work alltoallvAsync(Payload input, long[] sent, Payload output, long[] received) {
    return start(calls.alltoallv(given(input), sent, output, received));
  }

  /**
   * Sends elements to a peer; returns when the memory may be used again, which may be before the
   * peer has received them. A message that cannot be sent in time is withdrawn; the group remains
   * usable unless a part has been sent.
   *
   * @param tag 0 to 2^56 - 1; messages of one tag arrive in order, messages of different tags do
   *     not wait for each other
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it is not done in time, or the group fails or has failed
   */
  public void send(Payload x, int peer, long tag) {
    messages.send(x, peer, tag);
  }

  /**
   * Starts {@link #send}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work sendAsync(Payload x, int peer, long tag) {
    return messages.startSend(x, peer, tag);
  }

  /**
   * Receives elements from a peer, of exactly the type and count that it sends. If no message
   * arrives in time the receive is withdrawn; the group remains usable unless a part has arrived.
   *
   * @param tag as the sender's
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it is not done in time, or the group fails or has failed
   */
  public void recv(Payload x, int peer, long tag) {
    messages.recv(x, peer, tag);
  }

  /**
   * Starts {@link #recv}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work recvAsync(Payload x, int peer, long tag) {
    return messages.startRecv(x, peer, tag);
  }

  /**
   * Receives the first message with this tag from any of several ranks.
   *
   * @param peers ranks to receive from, without this one
   * @return the rank that sent the message
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it is not done in time, or the group fails or has failed
   */
  public int recvAny(Payload x, BitSet peers, long tag) {
    return messages.recvAny(x, peers, tag);
  }

  /**
   * Sends to one peer while it receives from another, or the same one, so that all ranks of a ring
   * or grid can exchange at once. Other ranks take no part.
   *
   * @param sent sent to rank {@code to}; no byte in common with {@code received}
   * @param from the rank that sends {@code received}; if one of {@code to} and {@code from} is this
   *     rank both must be, and the elements are copied
   * @param tag as in {@link #send}, the same for both directions
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it is not done in time, or the group fails or has failed
   */
  public void sendRecv(Payload sent, int to, Payload received, int from, long tag) {
    sendRecvAsync(sent, to, received, from, tag).await();
  }

  /**
   * Starts {@link #sendRecv}.
   *
   * @throws IllegalArgumentException as that call
   * @throws JGlooException if the group has failed before
   */
  public Work sendRecvAsync(Payload sent, int to, Payload received, int from, long tag) {
    return messages.startSendRecv(sent, to, received, from, tag);
  }

  /**
   * Makes an empty batch of sends and receives that are started together, which cannot deadlock in
   * whatever order they are named.
   */
  public MessageBatch batch() {
    return new MessageBatch(messages);
  }

  /**
   * Sends the root's object to all ranks, as bytes that a codec makes of it. All ranks first learn
   * its length, so none allocates more than {@code maxBytes}.
   *
   * <p>Calls two collectives one after the other, each with the timeout of this group, and returns
   * the object itself at the root. Other threads make no collective call of this group meanwhile.
   * If the object cannot be encoded, is too long or cannot be decoded, the group remains usable.
   *
   * @param value the object at the root; ignored elsewhere, where it may be null
   * @param codec makes bytes of objects and the reverse; see {@link ObjectCodec#STRING} and {@link
   *     ObjectCodec#BYTES}
   * @param maxBytes most bytes that the object may have; the least of all ranks counts
   * @return the object of the root
   * @throws ObjectCodecException at all ranks if the root cannot encode it or it is longer than
   *     {@code maxBytes}; at a rank that cannot decode it, there only
   * @throws IllegalArgumentException if the codec is null, or root or limit are out of range
   * @throws JGlooException if the call fails, and with it the group
   */
  public <T extends @Nullable Object> T broadcastObject(
      @Nullable T value, int root, ObjectCodec<T> codec, int maxBytes) {
    return new ObjectCalls(choosing()).broadcast(value, root, codec, maxBytes);
  }

  /**
   * Gathers an object of each rank at every rank, as bytes that a codec makes of it; otherwise like
   * {@link #broadcastObject}.
   *
   * @param value this rank's object
   * @param codec as in {@link #broadcastObject}
   * @param maxBytes most bytes that each object may have; the least of all ranks counts. A rank
   *     receives up to {@link #size} times as many, and no more than an array can hold
   * @return the objects by rank, this rank's own in its place
   * @throws ObjectCodecException at all ranks if a rank cannot encode its object or one is longer
   *     than {@code maxBytes}; at a rank that cannot decode one, there only
   * @throws IllegalArgumentException if the codec is null, or the limit is out of range
   * @throws JGlooException if the call fails, and with it the group
   */
  public <T extends @Nullable Object> List<T> allgatherObject(
      T value, ObjectCodec<T> codec, int maxBytes) {
    return new ObjectCalls(choosing()).allgather(value, codec, maxBytes);
  }

  /** This group where the algorithm is chosen for each call. */
  private ProcessGroup choosing() {
    return options.algorithm().isEmpty() ? this : with(options.anyAlgorithm());
  }

  private void run(Call call) {
    executor.run(call);
    calls.recycle(call);
  }

  private Work start(Call call) {
    Work work = new Work(executor.start(call));
    calls.recycle(call);
    return work;
  }

  private static Payload given(@Nullable Payload input) {
    return present("input", input);
  }

  /** The input of a call that has one at the root only. */
  private @Nullable Payload atRoot(@Nullable Payload input, int root) {
    return rank() == root ? given(input) : input;
  }

  /** Takes back a payload of the pool after its call; one of a failed call is not reused. */
  private void recycle(@Nullable Payload payload) {
    if (payload != null) {
      payload.clear();
      payloads.give(payload);
    }
  }

  // Generated from here on by TypedCalls.java in the tests: do not edit.

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(float[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(float[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(double[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(double[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(int[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(int[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(long[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(long[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(byte[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(byte[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(FloatBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(DoubleBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(IntBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(LongBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(ByteBuffer x, DataType type, ReduceOp op) {
    Payload xPayload = pooled(x, type);
    allreduce(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(float[] x, ReduceOp op) {
    return allreduceAsync(payload(x), op);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(float[] x, int offset, int length, ReduceOp op) {
    return allreduceAsync(payload(x, offset, length), op);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(double[] x, ReduceOp op) {
    return allreduceAsync(payload(x), op);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(double[] x, int offset, int length, ReduceOp op) {
    return allreduceAsync(payload(x, offset, length), op);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(int[] x, ReduceOp op) {
    return allreduceAsync(payload(x), op);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(int[] x, int offset, int length, ReduceOp op) {
    return allreduceAsync(payload(x, offset, length), op);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(long[] x, ReduceOp op) {
    return allreduceAsync(payload(x), op);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(long[] x, int offset, int length, ReduceOp op) {
    return allreduceAsync(payload(x, offset, length), op);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(byte[] x, ReduceOp op) {
    return allreduceAsync(payload(x), op);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(byte[] x, int offset, int length, ReduceOp op) {
    return allreduceAsync(payload(x, offset, length), op);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(FloatBuffer x, ReduceOp op) {
    return allreduceAsync(payload(x), op);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(DoubleBuffer x, ReduceOp op) {
    return allreduceAsync(payload(x), op);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(IntBuffer x, ReduceOp op) {
    return allreduceAsync(payload(x), op);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(LongBuffer x, ReduceOp op) {
    return allreduceAsync(payload(x), op);
  }

  /** As {@link #allreduceAsync(Payload, ReduceOp)}. */
  public Work allreduceAsync(ByteBuffer x, DataType type, ReduceOp op) {
    return allreduceAsync(payload(x, type), op);
  }

  /** As {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public void allreduce(float[] input, float[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allreduce(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public void allreduce(double[] input, double[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allreduce(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public void allreduce(int[] input, int[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allreduce(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public void allreduce(long[] input, long[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allreduce(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public void allreduce(byte[] input, byte[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allreduce(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public void allreduce(FloatBuffer input, FloatBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allreduce(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public void allreduce(DoubleBuffer input, DoubleBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allreduce(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public void allreduce(IntBuffer input, IntBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allreduce(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public void allreduce(LongBuffer input, LongBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allreduce(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allreduce(Payload, Payload, ReduceOp)}. */
  public void allreduce(ByteBuffer input, ByteBuffer output, DataType type, ReduceOp op) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    allreduce(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allreduceAsync(Payload, Payload, ReduceOp)}. */
  public Work allreduceAsync(float[] input, float[] output, ReduceOp op) {
    return allreduceAsync(payload(input), payload(output), op);
  }

  /** As {@link #allreduceAsync(Payload, Payload, ReduceOp)}. */
  public Work allreduceAsync(double[] input, double[] output, ReduceOp op) {
    return allreduceAsync(payload(input), payload(output), op);
  }

  /** As {@link #allreduceAsync(Payload, Payload, ReduceOp)}. */
  public Work allreduceAsync(int[] input, int[] output, ReduceOp op) {
    return allreduceAsync(payload(input), payload(output), op);
  }

  /** As {@link #allreduceAsync(Payload, Payload, ReduceOp)}. */
  public Work allreduceAsync(long[] input, long[] output, ReduceOp op) {
    return allreduceAsync(payload(input), payload(output), op);
  }

  /** As {@link #allreduceAsync(Payload, Payload, ReduceOp)}. */
  public Work allreduceAsync(byte[] input, byte[] output, ReduceOp op) {
    return allreduceAsync(payload(input), payload(output), op);
  }

  /** As {@link #allreduceAsync(Payload, Payload, ReduceOp)}. */
  public Work allreduceAsync(FloatBuffer input, FloatBuffer output, ReduceOp op) {
    return allreduceAsync(payload(input), payload(output), op);
  }

  /** As {@link #allreduceAsync(Payload, Payload, ReduceOp)}. */
  public Work allreduceAsync(DoubleBuffer input, DoubleBuffer output, ReduceOp op) {
    return allreduceAsync(payload(input), payload(output), op);
  }

  /** As {@link #allreduceAsync(Payload, Payload, ReduceOp)}. */
  public Work allreduceAsync(IntBuffer input, IntBuffer output, ReduceOp op) {
    return allreduceAsync(payload(input), payload(output), op);
  }

  /** As {@link #allreduceAsync(Payload, Payload, ReduceOp)}. */
  public Work allreduceAsync(LongBuffer input, LongBuffer output, ReduceOp op) {
    return allreduceAsync(payload(input), payload(output), op);
  }

  /** As {@link #allreduceAsync(Payload, Payload, ReduceOp)}. */
  public Work allreduceAsync(ByteBuffer input, ByteBuffer output, DataType type, ReduceOp op) {
    return allreduceAsync(payload(input, type), payload(output, type), op);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(float[] x, ReduceOp op, int root) {
    Payload xPayload = pooled(x);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(float[] x, int offset, int length, ReduceOp op, int root) {
    Payload xPayload = pooled(x, offset, length);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(double[] x, ReduceOp op, int root) {
    Payload xPayload = pooled(x);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(double[] x, int offset, int length, ReduceOp op, int root) {
    Payload xPayload = pooled(x, offset, length);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(int[] x, ReduceOp op, int root) {
    Payload xPayload = pooled(x);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(int[] x, int offset, int length, ReduceOp op, int root) {
    Payload xPayload = pooled(x, offset, length);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(long[] x, ReduceOp op, int root) {
    Payload xPayload = pooled(x);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(long[] x, int offset, int length, ReduceOp op, int root) {
    Payload xPayload = pooled(x, offset, length);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(byte[] x, ReduceOp op, int root) {
    Payload xPayload = pooled(x);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(byte[] x, int offset, int length, ReduceOp op, int root) {
    Payload xPayload = pooled(x, offset, length);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(FloatBuffer x, ReduceOp op, int root) {
    Payload xPayload = pooled(x);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(DoubleBuffer x, ReduceOp op, int root) {
    Payload xPayload = pooled(x);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(IntBuffer x, ReduceOp op, int root) {
    Payload xPayload = pooled(x);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(LongBuffer x, ReduceOp op, int root) {
    Payload xPayload = pooled(x);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(ByteBuffer x, DataType type, ReduceOp op, int root) {
    Payload xPayload = pooled(x, type);
    reduce(xPayload, op, root);
    recycle(xPayload);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(float[] x, ReduceOp op, int root) {
    return reduceAsync(payload(x), op, root);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(float[] x, int offset, int length, ReduceOp op, int root) {
    return reduceAsync(payload(x, offset, length), op, root);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(double[] x, ReduceOp op, int root) {
    return reduceAsync(payload(x), op, root);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(double[] x, int offset, int length, ReduceOp op, int root) {
    return reduceAsync(payload(x, offset, length), op, root);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(int[] x, ReduceOp op, int root) {
    return reduceAsync(payload(x), op, root);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(int[] x, int offset, int length, ReduceOp op, int root) {
    return reduceAsync(payload(x, offset, length), op, root);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(long[] x, ReduceOp op, int root) {
    return reduceAsync(payload(x), op, root);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(long[] x, int offset, int length, ReduceOp op, int root) {
    return reduceAsync(payload(x, offset, length), op, root);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(byte[] x, ReduceOp op, int root) {
    return reduceAsync(payload(x), op, root);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(byte[] x, int offset, int length, ReduceOp op, int root) {
    return reduceAsync(payload(x, offset, length), op, root);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(FloatBuffer x, ReduceOp op, int root) {
    return reduceAsync(payload(x), op, root);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(DoubleBuffer x, ReduceOp op, int root) {
    return reduceAsync(payload(x), op, root);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(IntBuffer x, ReduceOp op, int root) {
    return reduceAsync(payload(x), op, root);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(LongBuffer x, ReduceOp op, int root) {
    return reduceAsync(payload(x), op, root);
  }

  /** As {@link #reduceAsync(Payload, ReduceOp, int)}. */
  public Work reduceAsync(ByteBuffer x, DataType type, ReduceOp op, int root) {
    return reduceAsync(payload(x, type), op, root);
  }

  /** As {@link #reduce(Payload, Payload, ReduceOp, int)}. */
  public void reduce(float[] input, float @Nullable [] output, ReduceOp op, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduce(inputPayload, outputPayload, op, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduce(Payload, Payload, ReduceOp, int)}. */
  public void reduce(double[] input, double @Nullable [] output, ReduceOp op, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduce(inputPayload, outputPayload, op, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduce(Payload, Payload, ReduceOp, int)}. */
  public void reduce(int[] input, int @Nullable [] output, ReduceOp op, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduce(inputPayload, outputPayload, op, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduce(Payload, Payload, ReduceOp, int)}. */
  public void reduce(long[] input, long @Nullable [] output, ReduceOp op, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduce(inputPayload, outputPayload, op, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduce(Payload, Payload, ReduceOp, int)}. */
  public void reduce(byte[] input, byte @Nullable [] output, ReduceOp op, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduce(inputPayload, outputPayload, op, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduce(Payload, Payload, ReduceOp, int)}. */
  public void reduce(FloatBuffer input, @Nullable FloatBuffer output, ReduceOp op, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduce(inputPayload, outputPayload, op, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduce(Payload, Payload, ReduceOp, int)}. */
  public void reduce(DoubleBuffer input, @Nullable DoubleBuffer output, ReduceOp op, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduce(inputPayload, outputPayload, op, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduce(Payload, Payload, ReduceOp, int)}. */
  public void reduce(IntBuffer input, @Nullable IntBuffer output, ReduceOp op, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduce(inputPayload, outputPayload, op, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduce(Payload, Payload, ReduceOp, int)}. */
  public void reduce(LongBuffer input, @Nullable LongBuffer output, ReduceOp op, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduce(inputPayload, outputPayload, op, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduce(Payload, Payload, ReduceOp, int)}. */
  public void reduce(
      ByteBuffer input, @Nullable ByteBuffer output, DataType type, ReduceOp op, int root) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    reduce(inputPayload, outputPayload, op, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceAsync(Payload, Payload, ReduceOp, int)}. */
  public Work reduceAsync(float[] input, float @Nullable [] output, ReduceOp op, int root) {
    return reduceAsync(payload(input), payload(output), op, root);
  }

  /** As {@link #reduceAsync(Payload, Payload, ReduceOp, int)}. */
  public Work reduceAsync(double[] input, double @Nullable [] output, ReduceOp op, int root) {
    return reduceAsync(payload(input), payload(output), op, root);
  }

  /** As {@link #reduceAsync(Payload, Payload, ReduceOp, int)}. */
  public Work reduceAsync(int[] input, int @Nullable [] output, ReduceOp op, int root) {
    return reduceAsync(payload(input), payload(output), op, root);
  }

  /** As {@link #reduceAsync(Payload, Payload, ReduceOp, int)}. */
  public Work reduceAsync(long[] input, long @Nullable [] output, ReduceOp op, int root) {
    return reduceAsync(payload(input), payload(output), op, root);
  }

  /** As {@link #reduceAsync(Payload, Payload, ReduceOp, int)}. */
  public Work reduceAsync(byte[] input, byte @Nullable [] output, ReduceOp op, int root) {
    return reduceAsync(payload(input), payload(output), op, root);
  }

  /** As {@link #reduceAsync(Payload, Payload, ReduceOp, int)}. */
  public Work reduceAsync(FloatBuffer input, @Nullable FloatBuffer output, ReduceOp op, int root) {
    return reduceAsync(payload(input), payload(output), op, root);
  }

  /** As {@link #reduceAsync(Payload, Payload, ReduceOp, int)}. */
  public Work reduceAsync(
      DoubleBuffer input, @Nullable DoubleBuffer output, ReduceOp op, int root) {
    return reduceAsync(payload(input), payload(output), op, root);
  }

  /** As {@link #reduceAsync(Payload, Payload, ReduceOp, int)}. */
  public Work reduceAsync(IntBuffer input, @Nullable IntBuffer output, ReduceOp op, int root) {
    return reduceAsync(payload(input), payload(output), op, root);
  }

  /** As {@link #reduceAsync(Payload, Payload, ReduceOp, int)}. */
  public Work reduceAsync(LongBuffer input, @Nullable LongBuffer output, ReduceOp op, int root) {
    return reduceAsync(payload(input), payload(output), op, root);
  }

  /** As {@link #reduceAsync(Payload, Payload, ReduceOp, int)}. */
  public Work reduceAsync(
      ByteBuffer input, @Nullable ByteBuffer output, DataType type, ReduceOp op, int root) {
    return reduceAsync(payload(input, type), payload(output, type), op, root);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(float[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(float[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(double[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(double[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(int[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(int[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(long[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(long[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(byte[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(byte[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(FloatBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(DoubleBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(IntBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(LongBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatter(Payload, ReduceOp)}. */
  public void reduceScatter(ByteBuffer x, DataType type, ReduceOp op) {
    Payload xPayload = pooled(x, type);
    reduceScatter(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(float[] x, ReduceOp op) {
    return reduceScatterAsync(payload(x), op);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(float[] x, int offset, int length, ReduceOp op) {
    return reduceScatterAsync(payload(x, offset, length), op);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(double[] x, ReduceOp op) {
    return reduceScatterAsync(payload(x), op);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(double[] x, int offset, int length, ReduceOp op) {
    return reduceScatterAsync(payload(x, offset, length), op);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(int[] x, ReduceOp op) {
    return reduceScatterAsync(payload(x), op);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(int[] x, int offset, int length, ReduceOp op) {
    return reduceScatterAsync(payload(x, offset, length), op);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(long[] x, ReduceOp op) {
    return reduceScatterAsync(payload(x), op);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(long[] x, int offset, int length, ReduceOp op) {
    return reduceScatterAsync(payload(x, offset, length), op);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(byte[] x, ReduceOp op) {
    return reduceScatterAsync(payload(x), op);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(byte[] x, int offset, int length, ReduceOp op) {
    return reduceScatterAsync(payload(x, offset, length), op);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(FloatBuffer x, ReduceOp op) {
    return reduceScatterAsync(payload(x), op);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(DoubleBuffer x, ReduceOp op) {
    return reduceScatterAsync(payload(x), op);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(IntBuffer x, ReduceOp op) {
    return reduceScatterAsync(payload(x), op);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(LongBuffer x, ReduceOp op) {
    return reduceScatterAsync(payload(x), op);
  }

  /** As {@link #reduceScatterAsync(Payload, ReduceOp)}. */
  public Work reduceScatterAsync(ByteBuffer x, DataType type, ReduceOp op) {
    return reduceScatterAsync(payload(x, type), op);
  }

  /** As {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public void reduceScatter(float[] input, float[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatter(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public void reduceScatter(double[] input, double[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatter(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public void reduceScatter(int[] input, int[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatter(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public void reduceScatter(long[] input, long[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatter(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public void reduceScatter(byte[] input, byte[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatter(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public void reduceScatter(FloatBuffer input, FloatBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatter(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public void reduceScatter(DoubleBuffer input, DoubleBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatter(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public void reduceScatter(IntBuffer input, IntBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatter(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public void reduceScatter(LongBuffer input, LongBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatter(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public void reduceScatter(ByteBuffer input, ByteBuffer output, DataType type, ReduceOp op) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    reduceScatter(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatterAsync(Payload, Payload, ReduceOp)}. */
  public Work reduceScatterAsync(float[] input, float[] output, ReduceOp op) {
    return reduceScatterAsync(payload(input), payload(output), op);
  }

  /** As {@link #reduceScatterAsync(Payload, Payload, ReduceOp)}. */
  public Work reduceScatterAsync(double[] input, double[] output, ReduceOp op) {
    return reduceScatterAsync(payload(input), payload(output), op);
  }

  /** As {@link #reduceScatterAsync(Payload, Payload, ReduceOp)}. */
  public Work reduceScatterAsync(int[] input, int[] output, ReduceOp op) {
    return reduceScatterAsync(payload(input), payload(output), op);
  }

  /** As {@link #reduceScatterAsync(Payload, Payload, ReduceOp)}. */
  public Work reduceScatterAsync(long[] input, long[] output, ReduceOp op) {
    return reduceScatterAsync(payload(input), payload(output), op);
  }

  /** As {@link #reduceScatterAsync(Payload, Payload, ReduceOp)}. */
  public Work reduceScatterAsync(byte[] input, byte[] output, ReduceOp op) {
    return reduceScatterAsync(payload(input), payload(output), op);
  }

  /** As {@link #reduceScatterAsync(Payload, Payload, ReduceOp)}. */
  public Work reduceScatterAsync(FloatBuffer input, FloatBuffer output, ReduceOp op) {
    return reduceScatterAsync(payload(input), payload(output), op);
  }

  /** As {@link #reduceScatterAsync(Payload, Payload, ReduceOp)}. */
  public Work reduceScatterAsync(DoubleBuffer input, DoubleBuffer output, ReduceOp op) {
    return reduceScatterAsync(payload(input), payload(output), op);
  }

  /** As {@link #reduceScatterAsync(Payload, Payload, ReduceOp)}. */
  public Work reduceScatterAsync(IntBuffer input, IntBuffer output, ReduceOp op) {
    return reduceScatterAsync(payload(input), payload(output), op);
  }

  /** As {@link #reduceScatterAsync(Payload, Payload, ReduceOp)}. */
  public Work reduceScatterAsync(LongBuffer input, LongBuffer output, ReduceOp op) {
    return reduceScatterAsync(payload(input), payload(output), op);
  }

  /** As {@link #reduceScatterAsync(Payload, Payload, ReduceOp)}. */
  public Work reduceScatterAsync(ByteBuffer input, ByteBuffer output, DataType type, ReduceOp op) {
    return reduceScatterAsync(payload(input, type), payload(output, type), op);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(float[] x, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(float[] x, int offset, int length, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(double[] x, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(double[] x, int offset, int length, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(int[] x, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(int[] x, int offset, int length, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(long[] x, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(long[] x, int offset, int length, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(byte[] x, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(byte[] x, int offset, int length, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(FloatBuffer x, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(DoubleBuffer x, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(IntBuffer x, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(LongBuffer x, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScatterv(Payload, long[], ReduceOp)}. */
  public void reduceScatterv(ByteBuffer x, DataType type, long[] counts, ReduceOp op) {
    Payload xPayload = pooled(x, type);
    reduceScatterv(xPayload, counts, op);
    recycle(xPayload);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(float[] x, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(float[] x, int offset, int length, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x, offset, length), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(double[] x, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(double[] x, int offset, int length, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x, offset, length), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(int[] x, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(int[] x, int offset, int length, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x, offset, length), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(long[] x, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(long[] x, int offset, int length, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x, offset, length), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(byte[] x, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(byte[] x, int offset, int length, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x, offset, length), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(FloatBuffer x, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(DoubleBuffer x, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(IntBuffer x, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(LongBuffer x, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(ByteBuffer x, DataType type, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(x, type), counts, op);
  }

  /** As {@link #reduceScatterv(Payload, Payload, long[], ReduceOp)}. */
  public void reduceScatterv(float[] input, float[] output, long[] counts, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatterv(inputPayload, outputPayload, counts, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatterv(Payload, Payload, long[], ReduceOp)}. */
  public void reduceScatterv(double[] input, double[] output, long[] counts, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatterv(inputPayload, outputPayload, counts, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatterv(Payload, Payload, long[], ReduceOp)}. */
  public void reduceScatterv(int[] input, int[] output, long[] counts, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatterv(inputPayload, outputPayload, counts, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatterv(Payload, Payload, long[], ReduceOp)}. */
  public void reduceScatterv(long[] input, long[] output, long[] counts, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatterv(inputPayload, outputPayload, counts, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatterv(Payload, Payload, long[], ReduceOp)}. */
  public void reduceScatterv(byte[] input, byte[] output, long[] counts, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatterv(inputPayload, outputPayload, counts, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatterv(Payload, Payload, long[], ReduceOp)}. */
  public void reduceScatterv(FloatBuffer input, FloatBuffer output, long[] counts, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatterv(inputPayload, outputPayload, counts, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatterv(Payload, Payload, long[], ReduceOp)}. */
  public void reduceScatterv(DoubleBuffer input, DoubleBuffer output, long[] counts, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatterv(inputPayload, outputPayload, counts, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatterv(Payload, Payload, long[], ReduceOp)}. */
  public void reduceScatterv(IntBuffer input, IntBuffer output, long[] counts, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatterv(inputPayload, outputPayload, counts, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatterv(Payload, Payload, long[], ReduceOp)}. */
  public void reduceScatterv(LongBuffer input, LongBuffer output, long[] counts, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    reduceScatterv(inputPayload, outputPayload, counts, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScatterv(Payload, Payload, long[], ReduceOp)}. */
  public void reduceScatterv(
      ByteBuffer input, ByteBuffer output, DataType type, long[] counts, ReduceOp op) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    reduceScatterv(inputPayload, outputPayload, counts, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #reduceScattervAsync(Payload, Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(float[] input, float[] output, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(input), payload(output), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(double[] input, double[] output, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(input), payload(output), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(int[] input, int[] output, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(input), payload(output), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(long[] input, long[] output, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(input), payload(output), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(byte[] input, byte[] output, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(input), payload(output), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(
      FloatBuffer input, FloatBuffer output, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(input), payload(output), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(
      DoubleBuffer input, DoubleBuffer output, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(input), payload(output), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(IntBuffer input, IntBuffer output, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(input), payload(output), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(LongBuffer input, LongBuffer output, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(input), payload(output), counts, op);
  }

  /** As {@link #reduceScattervAsync(Payload, Payload, long[], ReduceOp)}. */
  public Work reduceScattervAsync(
      ByteBuffer input, ByteBuffer output, DataType type, long[] counts, ReduceOp op) {
    return reduceScattervAsync(payload(input, type), payload(output, type), counts, op);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(float[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(float[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(double[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(double[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(int[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(int[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(long[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(long[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(byte[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(byte[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(FloatBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(DoubleBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(IntBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(LongBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scan(Payload, ReduceOp)}. */
  public void scan(ByteBuffer x, DataType type, ReduceOp op) {
    Payload xPayload = pooled(x, type);
    scan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(float[] x, ReduceOp op) {
    return scanAsync(payload(x), op);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(float[] x, int offset, int length, ReduceOp op) {
    return scanAsync(payload(x, offset, length), op);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(double[] x, ReduceOp op) {
    return scanAsync(payload(x), op);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(double[] x, int offset, int length, ReduceOp op) {
    return scanAsync(payload(x, offset, length), op);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(int[] x, ReduceOp op) {
    return scanAsync(payload(x), op);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(int[] x, int offset, int length, ReduceOp op) {
    return scanAsync(payload(x, offset, length), op);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(long[] x, ReduceOp op) {
    return scanAsync(payload(x), op);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(long[] x, int offset, int length, ReduceOp op) {
    return scanAsync(payload(x, offset, length), op);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(byte[] x, ReduceOp op) {
    return scanAsync(payload(x), op);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(byte[] x, int offset, int length, ReduceOp op) {
    return scanAsync(payload(x, offset, length), op);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(FloatBuffer x, ReduceOp op) {
    return scanAsync(payload(x), op);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(DoubleBuffer x, ReduceOp op) {
    return scanAsync(payload(x), op);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(IntBuffer x, ReduceOp op) {
    return scanAsync(payload(x), op);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(LongBuffer x, ReduceOp op) {
    return scanAsync(payload(x), op);
  }

  /** As {@link #scanAsync(Payload, ReduceOp)}. */
  public Work scanAsync(ByteBuffer x, DataType type, ReduceOp op) {
    return scanAsync(payload(x, type), op);
  }

  /** As {@link #scan(Payload, Payload, ReduceOp)}. */
  public void scan(float[] input, float[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scan(Payload, Payload, ReduceOp)}. */
  public void scan(double[] input, double[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scan(Payload, Payload, ReduceOp)}. */
  public void scan(int[] input, int[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scan(Payload, Payload, ReduceOp)}. */
  public void scan(long[] input, long[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scan(Payload, Payload, ReduceOp)}. */
  public void scan(byte[] input, byte[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scan(Payload, Payload, ReduceOp)}. */
  public void scan(FloatBuffer input, FloatBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scan(Payload, Payload, ReduceOp)}. */
  public void scan(DoubleBuffer input, DoubleBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scan(Payload, Payload, ReduceOp)}. */
  public void scan(IntBuffer input, IntBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scan(Payload, Payload, ReduceOp)}. */
  public void scan(LongBuffer input, LongBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scan(Payload, Payload, ReduceOp)}. */
  public void scan(ByteBuffer input, ByteBuffer output, DataType type, ReduceOp op) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    scan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scanAsync(Payload, Payload, ReduceOp)}. */
  public Work scanAsync(float[] input, float[] output, ReduceOp op) {
    return scanAsync(payload(input), payload(output), op);
  }

  /** As {@link #scanAsync(Payload, Payload, ReduceOp)}. */
  public Work scanAsync(double[] input, double[] output, ReduceOp op) {
    return scanAsync(payload(input), payload(output), op);
  }

  /** As {@link #scanAsync(Payload, Payload, ReduceOp)}. */
  public Work scanAsync(int[] input, int[] output, ReduceOp op) {
    return scanAsync(payload(input), payload(output), op);
  }

  /** As {@link #scanAsync(Payload, Payload, ReduceOp)}. */
  public Work scanAsync(long[] input, long[] output, ReduceOp op) {
    return scanAsync(payload(input), payload(output), op);
  }

  /** As {@link #scanAsync(Payload, Payload, ReduceOp)}. */
  public Work scanAsync(byte[] input, byte[] output, ReduceOp op) {
    return scanAsync(payload(input), payload(output), op);
  }

  /** As {@link #scanAsync(Payload, Payload, ReduceOp)}. */
  public Work scanAsync(FloatBuffer input, FloatBuffer output, ReduceOp op) {
    return scanAsync(payload(input), payload(output), op);
  }

  /** As {@link #scanAsync(Payload, Payload, ReduceOp)}. */
  public Work scanAsync(DoubleBuffer input, DoubleBuffer output, ReduceOp op) {
    return scanAsync(payload(input), payload(output), op);
  }

  /** As {@link #scanAsync(Payload, Payload, ReduceOp)}. */
  public Work scanAsync(IntBuffer input, IntBuffer output, ReduceOp op) {
    return scanAsync(payload(input), payload(output), op);
  }

  /** As {@link #scanAsync(Payload, Payload, ReduceOp)}. */
  public Work scanAsync(LongBuffer input, LongBuffer output, ReduceOp op) {
    return scanAsync(payload(input), payload(output), op);
  }

  /** As {@link #scanAsync(Payload, Payload, ReduceOp)}. */
  public Work scanAsync(ByteBuffer input, ByteBuffer output, DataType type, ReduceOp op) {
    return scanAsync(payload(input, type), payload(output, type), op);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(float[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(float[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(double[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(double[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(int[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(int[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(long[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(long[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(byte[] x, ReduceOp op) {
    Payload xPayload = pooled(x);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(byte[] x, int offset, int length, ReduceOp op) {
    Payload xPayload = pooled(x, offset, length);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(FloatBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(DoubleBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(IntBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(LongBuffer x, ReduceOp op) {
    Payload xPayload = pooled(x);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscan(Payload, ReduceOp)}. */
  public void exscan(ByteBuffer x, DataType type, ReduceOp op) {
    Payload xPayload = pooled(x, type);
    exscan(xPayload, op);
    recycle(xPayload);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(float[] x, ReduceOp op) {
    return exscanAsync(payload(x), op);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(float[] x, int offset, int length, ReduceOp op) {
    return exscanAsync(payload(x, offset, length), op);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(double[] x, ReduceOp op) {
    return exscanAsync(payload(x), op);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(double[] x, int offset, int length, ReduceOp op) {
    return exscanAsync(payload(x, offset, length), op);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(int[] x, ReduceOp op) {
    return exscanAsync(payload(x), op);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(int[] x, int offset, int length, ReduceOp op) {
    return exscanAsync(payload(x, offset, length), op);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(long[] x, ReduceOp op) {
    return exscanAsync(payload(x), op);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(long[] x, int offset, int length, ReduceOp op) {
    return exscanAsync(payload(x, offset, length), op);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(byte[] x, ReduceOp op) {
    return exscanAsync(payload(x), op);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(byte[] x, int offset, int length, ReduceOp op) {
    return exscanAsync(payload(x, offset, length), op);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(FloatBuffer x, ReduceOp op) {
    return exscanAsync(payload(x), op);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(DoubleBuffer x, ReduceOp op) {
    return exscanAsync(payload(x), op);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(IntBuffer x, ReduceOp op) {
    return exscanAsync(payload(x), op);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(LongBuffer x, ReduceOp op) {
    return exscanAsync(payload(x), op);
  }

  /** As {@link #exscanAsync(Payload, ReduceOp)}. */
  public Work exscanAsync(ByteBuffer x, DataType type, ReduceOp op) {
    return exscanAsync(payload(x, type), op);
  }

  /** As {@link #exscan(Payload, Payload, ReduceOp)}. */
  public void exscan(float[] input, float[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    exscan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #exscan(Payload, Payload, ReduceOp)}. */
  public void exscan(double[] input, double[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    exscan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #exscan(Payload, Payload, ReduceOp)}. */
  public void exscan(int[] input, int[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    exscan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #exscan(Payload, Payload, ReduceOp)}. */
  public void exscan(long[] input, long[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    exscan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #exscan(Payload, Payload, ReduceOp)}. */
  public void exscan(byte[] input, byte[] output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    exscan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #exscan(Payload, Payload, ReduceOp)}. */
  public void exscan(FloatBuffer input, FloatBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    exscan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #exscan(Payload, Payload, ReduceOp)}. */
  public void exscan(DoubleBuffer input, DoubleBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    exscan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #exscan(Payload, Payload, ReduceOp)}. */
  public void exscan(IntBuffer input, IntBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    exscan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #exscan(Payload, Payload, ReduceOp)}. */
  public void exscan(LongBuffer input, LongBuffer output, ReduceOp op) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    exscan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #exscan(Payload, Payload, ReduceOp)}. */
  public void exscan(ByteBuffer input, ByteBuffer output, DataType type, ReduceOp op) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    exscan(inputPayload, outputPayload, op);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #exscanAsync(Payload, Payload, ReduceOp)}. */
  public Work exscanAsync(float[] input, float[] output, ReduceOp op) {
    return exscanAsync(payload(input), payload(output), op);
  }

  /** As {@link #exscanAsync(Payload, Payload, ReduceOp)}. */
  public Work exscanAsync(double[] input, double[] output, ReduceOp op) {
    return exscanAsync(payload(input), payload(output), op);
  }

  /** As {@link #exscanAsync(Payload, Payload, ReduceOp)}. */
  public Work exscanAsync(int[] input, int[] output, ReduceOp op) {
    return exscanAsync(payload(input), payload(output), op);
  }

  /** As {@link #exscanAsync(Payload, Payload, ReduceOp)}. */
  public Work exscanAsync(long[] input, long[] output, ReduceOp op) {
    return exscanAsync(payload(input), payload(output), op);
  }

  /** As {@link #exscanAsync(Payload, Payload, ReduceOp)}. */
  public Work exscanAsync(byte[] input, byte[] output, ReduceOp op) {
    return exscanAsync(payload(input), payload(output), op);
  }

  /** As {@link #exscanAsync(Payload, Payload, ReduceOp)}. */
  public Work exscanAsync(FloatBuffer input, FloatBuffer output, ReduceOp op) {
    return exscanAsync(payload(input), payload(output), op);
  }

  /** As {@link #exscanAsync(Payload, Payload, ReduceOp)}. */
  public Work exscanAsync(DoubleBuffer input, DoubleBuffer output, ReduceOp op) {
    return exscanAsync(payload(input), payload(output), op);
  }

  /** As {@link #exscanAsync(Payload, Payload, ReduceOp)}. */
  public Work exscanAsync(IntBuffer input, IntBuffer output, ReduceOp op) {
    return exscanAsync(payload(input), payload(output), op);
  }

  /** As {@link #exscanAsync(Payload, Payload, ReduceOp)}. */
  public Work exscanAsync(LongBuffer input, LongBuffer output, ReduceOp op) {
    return exscanAsync(payload(input), payload(output), op);
  }

  /** As {@link #exscanAsync(Payload, Payload, ReduceOp)}. */
  public Work exscanAsync(ByteBuffer input, ByteBuffer output, DataType type, ReduceOp op) {
    return exscanAsync(payload(input, type), payload(output, type), op);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(float[] x, int root) {
    Payload xPayload = pooled(x);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(float[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(double[] x, int root) {
    Payload xPayload = pooled(x);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(double[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(int[] x, int root) {
    Payload xPayload = pooled(x);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(int[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(long[] x, int root) {
    Payload xPayload = pooled(x);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(long[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(byte[] x, int root) {
    Payload xPayload = pooled(x);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(byte[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(FloatBuffer x, int root) {
    Payload xPayload = pooled(x);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(DoubleBuffer x, int root) {
    Payload xPayload = pooled(x);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(IntBuffer x, int root) {
    Payload xPayload = pooled(x);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(LongBuffer x, int root) {
    Payload xPayload = pooled(x);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(ByteBuffer x, DataType type, int root) {
    Payload xPayload = pooled(x, type);
    broadcast(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(float[] x, int root) {
    return broadcastAsync(payload(x), root);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(float[] x, int offset, int length, int root) {
    return broadcastAsync(payload(x, offset, length), root);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(double[] x, int root) {
    return broadcastAsync(payload(x), root);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(double[] x, int offset, int length, int root) {
    return broadcastAsync(payload(x, offset, length), root);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(int[] x, int root) {
    return broadcastAsync(payload(x), root);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(int[] x, int offset, int length, int root) {
    return broadcastAsync(payload(x, offset, length), root);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(long[] x, int root) {
    return broadcastAsync(payload(x), root);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(long[] x, int offset, int length, int root) {
    return broadcastAsync(payload(x, offset, length), root);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(byte[] x, int root) {
    return broadcastAsync(payload(x), root);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(byte[] x, int offset, int length, int root) {
    return broadcastAsync(payload(x, offset, length), root);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(FloatBuffer x, int root) {
    return broadcastAsync(payload(x), root);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(DoubleBuffer x, int root) {
    return broadcastAsync(payload(x), root);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(IntBuffer x, int root) {
    return broadcastAsync(payload(x), root);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(LongBuffer x, int root) {
    return broadcastAsync(payload(x), root);
  }

  /** As {@link #broadcastAsync(Payload, int)}. */
  public Work broadcastAsync(ByteBuffer x, DataType type, int root) {
    return broadcastAsync(payload(x, type), root);
  }

  /** As {@link #broadcast(Payload, Payload, int)}. */
  public void broadcast(float @Nullable [] input, float[] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    broadcast(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #broadcast(Payload, Payload, int)}. */
  public void broadcast(double @Nullable [] input, double[] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    broadcast(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #broadcast(Payload, Payload, int)}. */
  public void broadcast(int @Nullable [] input, int[] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    broadcast(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #broadcast(Payload, Payload, int)}. */
  public void broadcast(long @Nullable [] input, long[] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    broadcast(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #broadcast(Payload, Payload, int)}. */
  public void broadcast(byte @Nullable [] input, byte[] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    broadcast(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #broadcast(Payload, Payload, int)}. */
  public void broadcast(@Nullable FloatBuffer input, FloatBuffer output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    broadcast(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #broadcast(Payload, Payload, int)}. */
  public void broadcast(@Nullable DoubleBuffer input, DoubleBuffer output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    broadcast(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #broadcast(Payload, Payload, int)}. */
  public void broadcast(@Nullable IntBuffer input, IntBuffer output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    broadcast(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #broadcast(Payload, Payload, int)}. */
  public void broadcast(@Nullable LongBuffer input, LongBuffer output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    broadcast(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #broadcast(Payload, Payload, int)}. */
  public void broadcast(@Nullable ByteBuffer input, ByteBuffer output, DataType type, int root) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    broadcast(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #broadcastAsync(Payload, Payload, int)}. */
  public Work broadcastAsync(float @Nullable [] input, float[] output, int root) {
    return broadcastAsync(payload(input), payload(output), root);
  }

  /** As {@link #broadcastAsync(Payload, Payload, int)}. */
  public Work broadcastAsync(double @Nullable [] input, double[] output, int root) {
    return broadcastAsync(payload(input), payload(output), root);
  }

  /** As {@link #broadcastAsync(Payload, Payload, int)}. */
  public Work broadcastAsync(int @Nullable [] input, int[] output, int root) {
    return broadcastAsync(payload(input), payload(output), root);
  }

  /** As {@link #broadcastAsync(Payload, Payload, int)}. */
  public Work broadcastAsync(long @Nullable [] input, long[] output, int root) {
    return broadcastAsync(payload(input), payload(output), root);
  }

  /** As {@link #broadcastAsync(Payload, Payload, int)}. */
  public Work broadcastAsync(byte @Nullable [] input, byte[] output, int root) {
    return broadcastAsync(payload(input), payload(output), root);
  }

  /** As {@link #broadcastAsync(Payload, Payload, int)}. */
  public Work broadcastAsync(@Nullable FloatBuffer input, FloatBuffer output, int root) {
    return broadcastAsync(payload(input), payload(output), root);
  }

  /** As {@link #broadcastAsync(Payload, Payload, int)}. */
  public Work broadcastAsync(@Nullable DoubleBuffer input, DoubleBuffer output, int root) {
    return broadcastAsync(payload(input), payload(output), root);
  }

  /** As {@link #broadcastAsync(Payload, Payload, int)}. */
  public Work broadcastAsync(@Nullable IntBuffer input, IntBuffer output, int root) {
    return broadcastAsync(payload(input), payload(output), root);
  }

  /** As {@link #broadcastAsync(Payload, Payload, int)}. */
  public Work broadcastAsync(@Nullable LongBuffer input, LongBuffer output, int root) {
    return broadcastAsync(payload(input), payload(output), root);
  }

  /** As {@link #broadcastAsync(Payload, Payload, int)}. */
  public Work broadcastAsync(
      @Nullable ByteBuffer input, ByteBuffer output, DataType type, int root) {
    return broadcastAsync(payload(input, type), payload(output, type), root);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(float[] x, int root) {
    Payload xPayload = pooled(x);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(float[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(double[] x, int root) {
    Payload xPayload = pooled(x);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(double[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(int[] x, int root) {
    Payload xPayload = pooled(x);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(int[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(long[] x, int root) {
    Payload xPayload = pooled(x);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(long[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(byte[] x, int root) {
    Payload xPayload = pooled(x);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(byte[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(FloatBuffer x, int root) {
    Payload xPayload = pooled(x);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(DoubleBuffer x, int root) {
    Payload xPayload = pooled(x);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(IntBuffer x, int root) {
    Payload xPayload = pooled(x);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(LongBuffer x, int root) {
    Payload xPayload = pooled(x);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatter(Payload, int)}. */
  public void scatter(ByteBuffer x, DataType type, int root) {
    Payload xPayload = pooled(x, type);
    scatter(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(float[] x, int root) {
    return scatterAsync(payload(x), root);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(float[] x, int offset, int length, int root) {
    return scatterAsync(payload(x, offset, length), root);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(double[] x, int root) {
    return scatterAsync(payload(x), root);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(double[] x, int offset, int length, int root) {
    return scatterAsync(payload(x, offset, length), root);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(int[] x, int root) {
    return scatterAsync(payload(x), root);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(int[] x, int offset, int length, int root) {
    return scatterAsync(payload(x, offset, length), root);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(long[] x, int root) {
    return scatterAsync(payload(x), root);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(long[] x, int offset, int length, int root) {
    return scatterAsync(payload(x, offset, length), root);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(byte[] x, int root) {
    return scatterAsync(payload(x), root);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(byte[] x, int offset, int length, int root) {
    return scatterAsync(payload(x, offset, length), root);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(FloatBuffer x, int root) {
    return scatterAsync(payload(x), root);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(DoubleBuffer x, int root) {
    return scatterAsync(payload(x), root);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(IntBuffer x, int root) {
    return scatterAsync(payload(x), root);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(LongBuffer x, int root) {
    return scatterAsync(payload(x), root);
  }

  /** As {@link #scatterAsync(Payload, int)}. */
  public Work scatterAsync(ByteBuffer x, DataType type, int root) {
    return scatterAsync(payload(x, type), root);
  }

  /** As {@link #scatter(Payload, Payload, int)}. */
  public void scatter(float @Nullable [] input, float[] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatter(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatter(Payload, Payload, int)}. */
  public void scatter(double @Nullable [] input, double[] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatter(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatter(Payload, Payload, int)}. */
  public void scatter(int @Nullable [] input, int[] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatter(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatter(Payload, Payload, int)}. */
  public void scatter(long @Nullable [] input, long[] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatter(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatter(Payload, Payload, int)}. */
  public void scatter(byte @Nullable [] input, byte[] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatter(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatter(Payload, Payload, int)}. */
  public void scatter(@Nullable FloatBuffer input, FloatBuffer output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatter(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatter(Payload, Payload, int)}. */
  public void scatter(@Nullable DoubleBuffer input, DoubleBuffer output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatter(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatter(Payload, Payload, int)}. */
  public void scatter(@Nullable IntBuffer input, IntBuffer output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatter(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatter(Payload, Payload, int)}. */
  public void scatter(@Nullable LongBuffer input, LongBuffer output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatter(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatter(Payload, Payload, int)}. */
  public void scatter(@Nullable ByteBuffer input, ByteBuffer output, DataType type, int root) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    scatter(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatterAsync(Payload, Payload, int)}. */
  public Work scatterAsync(float @Nullable [] input, float[] output, int root) {
    return scatterAsync(payload(input), payload(output), root);
  }

  /** As {@link #scatterAsync(Payload, Payload, int)}. */
  public Work scatterAsync(double @Nullable [] input, double[] output, int root) {
    return scatterAsync(payload(input), payload(output), root);
  }

  /** As {@link #scatterAsync(Payload, Payload, int)}. */
  public Work scatterAsync(int @Nullable [] input, int[] output, int root) {
    return scatterAsync(payload(input), payload(output), root);
  }

  /** As {@link #scatterAsync(Payload, Payload, int)}. */
  public Work scatterAsync(long @Nullable [] input, long[] output, int root) {
    return scatterAsync(payload(input), payload(output), root);
  }

  /** As {@link #scatterAsync(Payload, Payload, int)}. */
  public Work scatterAsync(byte @Nullable [] input, byte[] output, int root) {
    return scatterAsync(payload(input), payload(output), root);
  }

  /** As {@link #scatterAsync(Payload, Payload, int)}. */
  public Work scatterAsync(@Nullable FloatBuffer input, FloatBuffer output, int root) {
    return scatterAsync(payload(input), payload(output), root);
  }

  /** As {@link #scatterAsync(Payload, Payload, int)}. */
  public Work scatterAsync(@Nullable DoubleBuffer input, DoubleBuffer output, int root) {
    return scatterAsync(payload(input), payload(output), root);
  }

  /** As {@link #scatterAsync(Payload, Payload, int)}. */
  public Work scatterAsync(@Nullable IntBuffer input, IntBuffer output, int root) {
    return scatterAsync(payload(input), payload(output), root);
  }

  /** As {@link #scatterAsync(Payload, Payload, int)}. */
  public Work scatterAsync(@Nullable LongBuffer input, LongBuffer output, int root) {
    return scatterAsync(payload(input), payload(output), root);
  }

  /** As {@link #scatterAsync(Payload, Payload, int)}. */
  public Work scatterAsync(@Nullable ByteBuffer input, ByteBuffer output, DataType type, int root) {
    return scatterAsync(payload(input, type), payload(output, type), root);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(float[] x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(float[] x, int offset, int length, long[] counts, int root) {
    Payload xPayload = pooled(x, offset, length);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(double[] x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(double[] x, int offset, int length, long[] counts, int root) {
    Payload xPayload = pooled(x, offset, length);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(int[] x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(int[] x, int offset, int length, long[] counts, int root) {
    Payload xPayload = pooled(x, offset, length);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(long[] x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(long[] x, int offset, int length, long[] counts, int root) {
    Payload xPayload = pooled(x, offset, length);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(byte[] x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(byte[] x, int offset, int length, long[] counts, int root) {
    Payload xPayload = pooled(x, offset, length);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(FloatBuffer x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(DoubleBuffer x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(IntBuffer x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(LongBuffer x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scatterv(Payload, long[], int)}. */
  public void scatterv(ByteBuffer x, DataType type, long[] counts, int root) {
    Payload xPayload = pooled(x, type);
    scatterv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(float[] x, long[] counts, int root) {
    return scattervAsync(payload(x), counts, root);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(float[] x, int offset, int length, long[] counts, int root) {
    return scattervAsync(payload(x, offset, length), counts, root);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(double[] x, long[] counts, int root) {
    return scattervAsync(payload(x), counts, root);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(double[] x, int offset, int length, long[] counts, int root) {
    return scattervAsync(payload(x, offset, length), counts, root);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(int[] x, long[] counts, int root) {
    return scattervAsync(payload(x), counts, root);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(int[] x, int offset, int length, long[] counts, int root) {
    return scattervAsync(payload(x, offset, length), counts, root);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(long[] x, long[] counts, int root) {
    return scattervAsync(payload(x), counts, root);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(long[] x, int offset, int length, long[] counts, int root) {
    return scattervAsync(payload(x, offset, length), counts, root);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(byte[] x, long[] counts, int root) {
    return scattervAsync(payload(x), counts, root);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(byte[] x, int offset, int length, long[] counts, int root) {
    return scattervAsync(payload(x, offset, length), counts, root);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(FloatBuffer x, long[] counts, int root) {
    return scattervAsync(payload(x), counts, root);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(DoubleBuffer x, long[] counts, int root) {
    return scattervAsync(payload(x), counts, root);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(IntBuffer x, long[] counts, int root) {
    return scattervAsync(payload(x), counts, root);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(LongBuffer x, long[] counts, int root) {
    return scattervAsync(payload(x), counts, root);
  }

  /** As {@link #scattervAsync(Payload, long[], int)}. */
  public Work scattervAsync(ByteBuffer x, DataType type, long[] counts, int root) {
    return scattervAsync(payload(x, type), counts, root);
  }

  /** As {@link #scatterv(Payload, Payload, long[], int)}. */
  public void scatterv(float @Nullable [] input, float[] output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatterv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatterv(Payload, Payload, long[], int)}. */
  public void scatterv(double @Nullable [] input, double[] output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatterv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatterv(Payload, Payload, long[], int)}. */
  public void scatterv(int @Nullable [] input, int[] output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatterv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatterv(Payload, Payload, long[], int)}. */
  public void scatterv(long @Nullable [] input, long[] output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatterv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatterv(Payload, Payload, long[], int)}. */
  public void scatterv(byte @Nullable [] input, byte[] output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatterv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatterv(Payload, Payload, long[], int)}. */
  public void scatterv(@Nullable FloatBuffer input, FloatBuffer output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatterv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatterv(Payload, Payload, long[], int)}. */
  public void scatterv(@Nullable DoubleBuffer input, DoubleBuffer output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatterv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatterv(Payload, Payload, long[], int)}. */
  public void scatterv(@Nullable IntBuffer input, IntBuffer output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatterv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatterv(Payload, Payload, long[], int)}. */
  public void scatterv(@Nullable LongBuffer input, LongBuffer output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    scatterv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scatterv(Payload, Payload, long[], int)}. */
  public void scatterv(
      @Nullable ByteBuffer input, ByteBuffer output, DataType type, long[] counts, int root) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    scatterv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #scattervAsync(Payload, Payload, long[], int)}. */
  public Work scattervAsync(float @Nullable [] input, float[] output, long[] counts, int root) {
    return scattervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #scattervAsync(Payload, Payload, long[], int)}. */
  public Work scattervAsync(double @Nullable [] input, double[] output, long[] counts, int root) {
    return scattervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #scattervAsync(Payload, Payload, long[], int)}. */
  public Work scattervAsync(int @Nullable [] input, int[] output, long[] counts, int root) {
    return scattervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #scattervAsync(Payload, Payload, long[], int)}. */
  public Work scattervAsync(long @Nullable [] input, long[] output, long[] counts, int root) {
    return scattervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #scattervAsync(Payload, Payload, long[], int)}. */
  public Work scattervAsync(byte @Nullable [] input, byte[] output, long[] counts, int root) {
    return scattervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #scattervAsync(Payload, Payload, long[], int)}. */
  public Work scattervAsync(
      @Nullable FloatBuffer input, FloatBuffer output, long[] counts, int root) {
    return scattervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #scattervAsync(Payload, Payload, long[], int)}. */
  public Work scattervAsync(
      @Nullable DoubleBuffer input, DoubleBuffer output, long[] counts, int root) {
    return scattervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #scattervAsync(Payload, Payload, long[], int)}. */
  public Work scattervAsync(@Nullable IntBuffer input, IntBuffer output, long[] counts, int root) {
    return scattervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #scattervAsync(Payload, Payload, long[], int)}. */
  public Work scattervAsync(
      @Nullable LongBuffer input, LongBuffer output, long[] counts, int root) {
    return scattervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #scattervAsync(Payload, Payload, long[], int)}. */
  public Work scattervAsync(
      @Nullable ByteBuffer input, ByteBuffer output, DataType type, long[] counts, int root) {
    return scattervAsync(payload(input, type), payload(output, type), counts, root);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(float[] x) {
    Payload xPayload = pooled(x);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(float[] x, int offset, int length) {
    Payload xPayload = pooled(x, offset, length);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(double[] x) {
    Payload xPayload = pooled(x);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(double[] x, int offset, int length) {
    Payload xPayload = pooled(x, offset, length);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(int[] x) {
    Payload xPayload = pooled(x);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(int[] x, int offset, int length) {
    Payload xPayload = pooled(x, offset, length);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(long[] x) {
    Payload xPayload = pooled(x);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(long[] x, int offset, int length) {
    Payload xPayload = pooled(x, offset, length);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(byte[] x) {
    Payload xPayload = pooled(x);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(byte[] x, int offset, int length) {
    Payload xPayload = pooled(x, offset, length);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(FloatBuffer x) {
    Payload xPayload = pooled(x);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(DoubleBuffer x) {
    Payload xPayload = pooled(x);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(IntBuffer x) {
    Payload xPayload = pooled(x);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(LongBuffer x) {
    Payload xPayload = pooled(x);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgather(Payload)}. */
  public void allgather(ByteBuffer x, DataType type) {
    Payload xPayload = pooled(x, type);
    allgather(xPayload);
    recycle(xPayload);
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(float[] x) {
    return allgatherAsync(payload(x));
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(float[] x, int offset, int length) {
    return allgatherAsync(payload(x, offset, length));
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(double[] x) {
    return allgatherAsync(payload(x));
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(double[] x, int offset, int length) {
    return allgatherAsync(payload(x, offset, length));
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(int[] x) {
    return allgatherAsync(payload(x));
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(int[] x, int offset, int length) {
    return allgatherAsync(payload(x, offset, length));
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(long[] x) {
    return allgatherAsync(payload(x));
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(long[] x, int offset, int length) {
    return allgatherAsync(payload(x, offset, length));
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(byte[] x) {
    return allgatherAsync(payload(x));
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(byte[] x, int offset, int length) {
    return allgatherAsync(payload(x, offset, length));
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(FloatBuffer x) {
    return allgatherAsync(payload(x));
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(DoubleBuffer x) {
    return allgatherAsync(payload(x));
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(IntBuffer x) {
    return allgatherAsync(payload(x));
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(LongBuffer x) {
    return allgatherAsync(payload(x));
  }

  /** As {@link #allgatherAsync(Payload)}. */
  public Work allgatherAsync(ByteBuffer x, DataType type) {
    return allgatherAsync(payload(x, type));
  }

  /** As {@link #allgather(Payload, Payload)}. */
  public void allgather(float[] input, float[] output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgather(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgather(Payload, Payload)}. */
  public void allgather(double[] input, double[] output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgather(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgather(Payload, Payload)}. */
  public void allgather(int[] input, int[] output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgather(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgather(Payload, Payload)}. */
  public void allgather(long[] input, long[] output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgather(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgather(Payload, Payload)}. */
  public void allgather(byte[] input, byte[] output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgather(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgather(Payload, Payload)}. */
  public void allgather(FloatBuffer input, FloatBuffer output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgather(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgather(Payload, Payload)}. */
  public void allgather(DoubleBuffer input, DoubleBuffer output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgather(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgather(Payload, Payload)}. */
  public void allgather(IntBuffer input, IntBuffer output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgather(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgather(Payload, Payload)}. */
  public void allgather(LongBuffer input, LongBuffer output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgather(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgather(Payload, Payload)}. */
  public void allgather(ByteBuffer input, ByteBuffer output, DataType type) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    allgather(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgatherAsync(Payload, Payload)}. */
  public Work allgatherAsync(float[] input, float[] output) {
    return allgatherAsync(payload(input), payload(output));
  }

  /** As {@link #allgatherAsync(Payload, Payload)}. */
  public Work allgatherAsync(double[] input, double[] output) {
    return allgatherAsync(payload(input), payload(output));
  }

  /** As {@link #allgatherAsync(Payload, Payload)}. */
  public Work allgatherAsync(int[] input, int[] output) {
    return allgatherAsync(payload(input), payload(output));
  }

  /** As {@link #allgatherAsync(Payload, Payload)}. */
  public Work allgatherAsync(long[] input, long[] output) {
    return allgatherAsync(payload(input), payload(output));
  }

  /** As {@link #allgatherAsync(Payload, Payload)}. */
  public Work allgatherAsync(byte[] input, byte[] output) {
    return allgatherAsync(payload(input), payload(output));
  }

  /** As {@link #allgatherAsync(Payload, Payload)}. */
  public Work allgatherAsync(FloatBuffer input, FloatBuffer output) {
    return allgatherAsync(payload(input), payload(output));
  }

  /** As {@link #allgatherAsync(Payload, Payload)}. */
  public Work allgatherAsync(DoubleBuffer input, DoubleBuffer output) {
    return allgatherAsync(payload(input), payload(output));
  }

  /** As {@link #allgatherAsync(Payload, Payload)}. */
  public Work allgatherAsync(IntBuffer input, IntBuffer output) {
    return allgatherAsync(payload(input), payload(output));
  }

  /** As {@link #allgatherAsync(Payload, Payload)}. */
  public Work allgatherAsync(LongBuffer input, LongBuffer output) {
    return allgatherAsync(payload(input), payload(output));
  }

  /** As {@link #allgatherAsync(Payload, Payload)}. */
  public Work allgatherAsync(ByteBuffer input, ByteBuffer output, DataType type) {
    return allgatherAsync(payload(input, type), payload(output, type));
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(float[] x, long[] counts) {
    Payload xPayload = pooled(x);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(float[] x, int offset, int length, long[] counts) {
    Payload xPayload = pooled(x, offset, length);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(double[] x, long[] counts) {
    Payload xPayload = pooled(x);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(double[] x, int offset, int length, long[] counts) {
    Payload xPayload = pooled(x, offset, length);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(int[] x, long[] counts) {
    Payload xPayload = pooled(x);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(int[] x, int offset, int length, long[] counts) {
    Payload xPayload = pooled(x, offset, length);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(long[] x, long[] counts) {
    Payload xPayload = pooled(x);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(long[] x, int offset, int length, long[] counts) {
    Payload xPayload = pooled(x, offset, length);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(byte[] x, long[] counts) {
    Payload xPayload = pooled(x);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(byte[] x, int offset, int length, long[] counts) {
    Payload xPayload = pooled(x, offset, length);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(FloatBuffer x, long[] counts) {
    Payload xPayload = pooled(x);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(DoubleBuffer x, long[] counts) {
    Payload xPayload = pooled(x);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(IntBuffer x, long[] counts) {
    Payload xPayload = pooled(x);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(LongBuffer x, long[] counts) {
    Payload xPayload = pooled(x);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgatherv(Payload, long[])}. */
  public void allgatherv(ByteBuffer x, DataType type, long[] counts) {
    Payload xPayload = pooled(x, type);
    allgatherv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(float[] x, long[] counts) {
    return allgathervAsync(payload(x), counts);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(float[] x, int offset, int length, long[] counts) {
    return allgathervAsync(payload(x, offset, length), counts);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(double[] x, long[] counts) {
    return allgathervAsync(payload(x), counts);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(double[] x, int offset, int length, long[] counts) {
    return allgathervAsync(payload(x, offset, length), counts);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(int[] x, long[] counts) {
    return allgathervAsync(payload(x), counts);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(int[] x, int offset, int length, long[] counts) {
    return allgathervAsync(payload(x, offset, length), counts);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(long[] x, long[] counts) {
    return allgathervAsync(payload(x), counts);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(long[] x, int offset, int length, long[] counts) {
    return allgathervAsync(payload(x, offset, length), counts);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(byte[] x, long[] counts) {
    return allgathervAsync(payload(x), counts);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(byte[] x, int offset, int length, long[] counts) {
    return allgathervAsync(payload(x, offset, length), counts);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(FloatBuffer x, long[] counts) {
    return allgathervAsync(payload(x), counts);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(DoubleBuffer x, long[] counts) {
    return allgathervAsync(payload(x), counts);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(IntBuffer x, long[] counts) {
    return allgathervAsync(payload(x), counts);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(LongBuffer x, long[] counts) {
    return allgathervAsync(payload(x), counts);
  }

  /** As {@link #allgathervAsync(Payload, long[])}. */
  public Work allgathervAsync(ByteBuffer x, DataType type, long[] counts) {
    return allgathervAsync(payload(x, type), counts);
  }

  /** As {@link #allgatherv(Payload, Payload, long[])}. */
  public void allgatherv(float[] input, float[] output, long[] counts) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgatherv(inputPayload, outputPayload, counts);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgatherv(Payload, Payload, long[])}. */
  public void allgatherv(double[] input, double[] output, long[] counts) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgatherv(inputPayload, outputPayload, counts);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgatherv(Payload, Payload, long[])}. */
  public void allgatherv(int[] input, int[] output, long[] counts) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgatherv(inputPayload, outputPayload, counts);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgatherv(Payload, Payload, long[])}. */
  public void allgatherv(long[] input, long[] output, long[] counts) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgatherv(inputPayload, outputPayload, counts);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgatherv(Payload, Payload, long[])}. */
  public void allgatherv(byte[] input, byte[] output, long[] counts) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgatherv(inputPayload, outputPayload, counts);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgatherv(Payload, Payload, long[])}. */
  public void allgatherv(FloatBuffer input, FloatBuffer output, long[] counts) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgatherv(inputPayload, outputPayload, counts);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgatherv(Payload, Payload, long[])}. */
  public void allgatherv(DoubleBuffer input, DoubleBuffer output, long[] counts) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgatherv(inputPayload, outputPayload, counts);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgatherv(Payload, Payload, long[])}. */
  public void allgatherv(IntBuffer input, IntBuffer output, long[] counts) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgatherv(inputPayload, outputPayload, counts);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgatherv(Payload, Payload, long[])}. */
  public void allgatherv(LongBuffer input, LongBuffer output, long[] counts) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    allgatherv(inputPayload, outputPayload, counts);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgatherv(Payload, Payload, long[])}. */
  public void allgatherv(ByteBuffer input, ByteBuffer output, DataType type, long[] counts) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    allgatherv(inputPayload, outputPayload, counts);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #allgathervAsync(Payload, Payload, long[])}. */
  public Work allgathervAsync(float[] input, float[] output, long[] counts) {
    return allgathervAsync(payload(input), payload(output), counts);
  }

  /** As {@link #allgathervAsync(Payload, Payload, long[])}. */
  public Work allgathervAsync(double[] input, double[] output, long[] counts) {
    return allgathervAsync(payload(input), payload(output), counts);
  }

  /** As {@link #allgathervAsync(Payload, Payload, long[])}. */
  public Work allgathervAsync(int[] input, int[] output, long[] counts) {
    return allgathervAsync(payload(input), payload(output), counts);
  }

  /** As {@link #allgathervAsync(Payload, Payload, long[])}. */
  public Work allgathervAsync(long[] input, long[] output, long[] counts) {
    return allgathervAsync(payload(input), payload(output), counts);
  }

  /** As {@link #allgathervAsync(Payload, Payload, long[])}. */
  public Work allgathervAsync(byte[] input, byte[] output, long[] counts) {
    return allgathervAsync(payload(input), payload(output), counts);
  }

  /** As {@link #allgathervAsync(Payload, Payload, long[])}. */
  public Work allgathervAsync(FloatBuffer input, FloatBuffer output, long[] counts) {
    return allgathervAsync(payload(input), payload(output), counts);
  }

  /** As {@link #allgathervAsync(Payload, Payload, long[])}. */
  public Work allgathervAsync(DoubleBuffer input, DoubleBuffer output, long[] counts) {
    return allgathervAsync(payload(input), payload(output), counts);
  }

  /** As {@link #allgathervAsync(Payload, Payload, long[])}. */
  public Work allgathervAsync(IntBuffer input, IntBuffer output, long[] counts) {
    return allgathervAsync(payload(input), payload(output), counts);
  }

  /** As {@link #allgathervAsync(Payload, Payload, long[])}. */
  public Work allgathervAsync(LongBuffer input, LongBuffer output, long[] counts) {
    return allgathervAsync(payload(input), payload(output), counts);
  }

  /** As {@link #allgathervAsync(Payload, Payload, long[])}. */
  public Work allgathervAsync(ByteBuffer input, ByteBuffer output, DataType type, long[] counts) {
    return allgathervAsync(payload(input, type), payload(output, type), counts);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(float[] x, int root) {
    Payload xPayload = pooled(x);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(float[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(double[] x, int root) {
    Payload xPayload = pooled(x);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(double[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(int[] x, int root) {
    Payload xPayload = pooled(x);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(int[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(long[] x, int root) {
    Payload xPayload = pooled(x);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(long[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(byte[] x, int root) {
    Payload xPayload = pooled(x);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(byte[] x, int offset, int length, int root) {
    Payload xPayload = pooled(x, offset, length);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(FloatBuffer x, int root) {
    Payload xPayload = pooled(x);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(DoubleBuffer x, int root) {
    Payload xPayload = pooled(x);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(IntBuffer x, int root) {
    Payload xPayload = pooled(x);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(LongBuffer x, int root) {
    Payload xPayload = pooled(x);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gather(Payload, int)}. */
  public void gather(ByteBuffer x, DataType type, int root) {
    Payload xPayload = pooled(x, type);
    gather(xPayload, root);
    recycle(xPayload);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(float[] x, int root) {
    return gatherAsync(payload(x), root);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(float[] x, int offset, int length, int root) {
    return gatherAsync(payload(x, offset, length), root);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(double[] x, int root) {
    return gatherAsync(payload(x), root);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(double[] x, int offset, int length, int root) {
    return gatherAsync(payload(x, offset, length), root);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(int[] x, int root) {
    return gatherAsync(payload(x), root);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(int[] x, int offset, int length, int root) {
    return gatherAsync(payload(x, offset, length), root);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(long[] x, int root) {
    return gatherAsync(payload(x), root);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(long[] x, int offset, int length, int root) {
    return gatherAsync(payload(x, offset, length), root);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(byte[] x, int root) {
    return gatherAsync(payload(x), root);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(byte[] x, int offset, int length, int root) {
    return gatherAsync(payload(x, offset, length), root);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(FloatBuffer x, int root) {
    return gatherAsync(payload(x), root);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(DoubleBuffer x, int root) {
    return gatherAsync(payload(x), root);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(IntBuffer x, int root) {
    return gatherAsync(payload(x), root);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(LongBuffer x, int root) {
    return gatherAsync(payload(x), root);
  }

  /** As {@link #gatherAsync(Payload, int)}. */
  public Work gatherAsync(ByteBuffer x, DataType type, int root) {
    return gatherAsync(payload(x, type), root);
  }

  /** As {@link #gather(Payload, Payload, int)}. */
  public void gather(float[] input, float @Nullable [] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gather(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gather(Payload, Payload, int)}. */
  public void gather(double[] input, double @Nullable [] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gather(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gather(Payload, Payload, int)}. */
  public void gather(int[] input, int @Nullable [] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gather(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gather(Payload, Payload, int)}. */
  public void gather(long[] input, long @Nullable [] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gather(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gather(Payload, Payload, int)}. */
  public void gather(byte[] input, byte @Nullable [] output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gather(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gather(Payload, Payload, int)}. */
  public void gather(FloatBuffer input, @Nullable FloatBuffer output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gather(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gather(Payload, Payload, int)}. */
  public void gather(DoubleBuffer input, @Nullable DoubleBuffer output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gather(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gather(Payload, Payload, int)}. */
  public void gather(IntBuffer input, @Nullable IntBuffer output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gather(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gather(Payload, Payload, int)}. */
  public void gather(LongBuffer input, @Nullable LongBuffer output, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gather(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gather(Payload, Payload, int)}. */
  public void gather(ByteBuffer input, @Nullable ByteBuffer output, DataType type, int root) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    gather(inputPayload, outputPayload, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gatherAsync(Payload, Payload, int)}. */
  public Work gatherAsync(float[] input, float @Nullable [] output, int root) {
    return gatherAsync(payload(input), payload(output), root);
  }

  /** As {@link #gatherAsync(Payload, Payload, int)}. */
  public Work gatherAsync(double[] input, double @Nullable [] output, int root) {
    return gatherAsync(payload(input), payload(output), root);
  }

  /** As {@link #gatherAsync(Payload, Payload, int)}. */
  public Work gatherAsync(int[] input, int @Nullable [] output, int root) {
    return gatherAsync(payload(input), payload(output), root);
  }

  /** As {@link #gatherAsync(Payload, Payload, int)}. */
  public Work gatherAsync(long[] input, long @Nullable [] output, int root) {
    return gatherAsync(payload(input), payload(output), root);
  }

  /** As {@link #gatherAsync(Payload, Payload, int)}. */
  public Work gatherAsync(byte[] input, byte @Nullable [] output, int root) {
    return gatherAsync(payload(input), payload(output), root);
  }

  /** As {@link #gatherAsync(Payload, Payload, int)}. */
  public Work gatherAsync(FloatBuffer input, @Nullable FloatBuffer output, int root) {
    return gatherAsync(payload(input), payload(output), root);
  }

  /** As {@link #gatherAsync(Payload, Payload, int)}. */
  public Work gatherAsync(DoubleBuffer input, @Nullable DoubleBuffer output, int root) {
    return gatherAsync(payload(input), payload(output), root);
  }

  /** As {@link #gatherAsync(Payload, Payload, int)}. */
  public Work gatherAsync(IntBuffer input, @Nullable IntBuffer output, int root) {
    return gatherAsync(payload(input), payload(output), root);
  }

  /** As {@link #gatherAsync(Payload, Payload, int)}. */
  public Work gatherAsync(LongBuffer input, @Nullable LongBuffer output, int root) {
    return gatherAsync(payload(input), payload(output), root);
  }

  /** As {@link #gatherAsync(Payload, Payload, int)}. */
  public Work gatherAsync(ByteBuffer input, @Nullable ByteBuffer output, DataType type, int root) {
    return gatherAsync(payload(input, type), payload(output, type), root);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(float[] x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(float[] x, int offset, int length, long[] counts, int root) {
    Payload xPayload = pooled(x, offset, length);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(double[] x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(double[] x, int offset, int length, long[] counts, int root) {
    Payload xPayload = pooled(x, offset, length);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(int[] x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(int[] x, int offset, int length, long[] counts, int root) {
    Payload xPayload = pooled(x, offset, length);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(long[] x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(long[] x, int offset, int length, long[] counts, int root) {
    Payload xPayload = pooled(x, offset, length);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(byte[] x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(byte[] x, int offset, int length, long[] counts, int root) {
    Payload xPayload = pooled(x, offset, length);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(FloatBuffer x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(DoubleBuffer x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(IntBuffer x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(LongBuffer x, long[] counts, int root) {
    Payload xPayload = pooled(x);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gatherv(Payload, long[], int)}. */
  public void gatherv(ByteBuffer x, DataType type, long[] counts, int root) {
    Payload xPayload = pooled(x, type);
    gatherv(xPayload, counts, root);
    recycle(xPayload);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(float[] x, long[] counts, int root) {
    return gathervAsync(payload(x), counts, root);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(float[] x, int offset, int length, long[] counts, int root) {
    return gathervAsync(payload(x, offset, length), counts, root);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(double[] x, long[] counts, int root) {
    return gathervAsync(payload(x), counts, root);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(double[] x, int offset, int length, long[] counts, int root) {
    return gathervAsync(payload(x, offset, length), counts, root);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(int[] x, long[] counts, int root) {
    return gathervAsync(payload(x), counts, root);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(int[] x, int offset, int length, long[] counts, int root) {
    return gathervAsync(payload(x, offset, length), counts, root);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(long[] x, long[] counts, int root) {
    return gathervAsync(payload(x), counts, root);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(long[] x, int offset, int length, long[] counts, int root) {
    return gathervAsync(payload(x, offset, length), counts, root);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(byte[] x, long[] counts, int root) {
    return gathervAsync(payload(x), counts, root);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(byte[] x, int offset, int length, long[] counts, int root) {
    return gathervAsync(payload(x, offset, length), counts, root);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(FloatBuffer x, long[] counts, int root) {
    return gathervAsync(payload(x), counts, root);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(DoubleBuffer x, long[] counts, int root) {
    return gathervAsync(payload(x), counts, root);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(IntBuffer x, long[] counts, int root) {
    return gathervAsync(payload(x), counts, root);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(LongBuffer x, long[] counts, int root) {
    return gathervAsync(payload(x), counts, root);
  }

  /** As {@link #gathervAsync(Payload, long[], int)}. */
  public Work gathervAsync(ByteBuffer x, DataType type, long[] counts, int root) {
    return gathervAsync(payload(x, type), counts, root);
  }

  /** As {@link #gatherv(Payload, Payload, long[], int)}. */
  public void gatherv(float[] input, float @Nullable [] output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gatherv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gatherv(Payload, Payload, long[], int)}. */
  public void gatherv(double[] input, double @Nullable [] output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gatherv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gatherv(Payload, Payload, long[], int)}. */
  public void gatherv(int[] input, int @Nullable [] output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gatherv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gatherv(Payload, Payload, long[], int)}. */
  public void gatherv(long[] input, long @Nullable [] output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gatherv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gatherv(Payload, Payload, long[], int)}. */
  public void gatherv(byte[] input, byte @Nullable [] output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gatherv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gatherv(Payload, Payload, long[], int)}. */
  public void gatherv(FloatBuffer input, @Nullable FloatBuffer output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gatherv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gatherv(Payload, Payload, long[], int)}. */
  public void gatherv(DoubleBuffer input, @Nullable DoubleBuffer output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gatherv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gatherv(Payload, Payload, long[], int)}. */
  public void gatherv(IntBuffer input, @Nullable IntBuffer output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gatherv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gatherv(Payload, Payload, long[], int)}. */
  public void gatherv(LongBuffer input, @Nullable LongBuffer output, long[] counts, int root) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    gatherv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gatherv(Payload, Payload, long[], int)}. */
  public void gatherv(
      ByteBuffer input, @Nullable ByteBuffer output, DataType type, long[] counts, int root) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    gatherv(inputPayload, outputPayload, counts, root);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #gathervAsync(Payload, Payload, long[], int)}. */
  public Work gathervAsync(float[] input, float @Nullable [] output, long[] counts, int root) {
    return gathervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #gathervAsync(Payload, Payload, long[], int)}. */
  public Work gathervAsync(double[] input, double @Nullable [] output, long[] counts, int root) {
    return gathervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #gathervAsync(Payload, Payload, long[], int)}. */
  public Work gathervAsync(int[] input, int @Nullable [] output, long[] counts, int root) {
    return gathervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #gathervAsync(Payload, Payload, long[], int)}. */
  public Work gathervAsync(long[] input, long @Nullable [] output, long[] counts, int root) {
    return gathervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #gathervAsync(Payload, Payload, long[], int)}. */
  public Work gathervAsync(byte[] input, byte @Nullable [] output, long[] counts, int root) {
    return gathervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #gathervAsync(Payload, Payload, long[], int)}. */
  public Work gathervAsync(
      FloatBuffer input, @Nullable FloatBuffer output, long[] counts, int root) {
    return gathervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #gathervAsync(Payload, Payload, long[], int)}. */
  public Work gathervAsync(
      DoubleBuffer input, @Nullable DoubleBuffer output, long[] counts, int root) {
    return gathervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #gathervAsync(Payload, Payload, long[], int)}. */
  public Work gathervAsync(IntBuffer input, @Nullable IntBuffer output, long[] counts, int root) {
    return gathervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #gathervAsync(Payload, Payload, long[], int)}. */
  public Work gathervAsync(LongBuffer input, @Nullable LongBuffer output, long[] counts, int root) {
    return gathervAsync(payload(input), payload(output), counts, root);
  }

  /** As {@link #gathervAsync(Payload, Payload, long[], int)}. */
  public Work gathervAsync(
      ByteBuffer input, @Nullable ByteBuffer output, DataType type, long[] counts, int root) {
    return gathervAsync(payload(input, type), payload(output, type), counts, root);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(float[] x) {
    Payload xPayload = pooled(x);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(float[] x, int offset, int length) {
    Payload xPayload = pooled(x, offset, length);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(double[] x) {
    Payload xPayload = pooled(x);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(double[] x, int offset, int length) {
    Payload xPayload = pooled(x, offset, length);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(int[] x) {
    Payload xPayload = pooled(x);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(int[] x, int offset, int length) {
    Payload xPayload = pooled(x, offset, length);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(long[] x) {
    Payload xPayload = pooled(x);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(long[] x, int offset, int length) {
    Payload xPayload = pooled(x, offset, length);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(byte[] x) {
    Payload xPayload = pooled(x);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(byte[] x, int offset, int length) {
    Payload xPayload = pooled(x, offset, length);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(FloatBuffer x) {
    Payload xPayload = pooled(x);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(DoubleBuffer x) {
    Payload xPayload = pooled(x);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(IntBuffer x) {
    Payload xPayload = pooled(x);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(LongBuffer x) {
    Payload xPayload = pooled(x);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoall(Payload)}. */
  public void alltoall(ByteBuffer x, DataType type) {
    Payload xPayload = pooled(x, type);
    alltoall(xPayload);
    recycle(xPayload);
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(float[] x) {
    return alltoallAsync(payload(x));
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(float[] x, int offset, int length) {
    return alltoallAsync(payload(x, offset, length));
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(double[] x) {
    return alltoallAsync(payload(x));
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(double[] x, int offset, int length) {
    return alltoallAsync(payload(x, offset, length));
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(int[] x) {
    return alltoallAsync(payload(x));
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(int[] x, int offset, int length) {
    return alltoallAsync(payload(x, offset, length));
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(long[] x) {
    return alltoallAsync(payload(x));
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(long[] x, int offset, int length) {
    return alltoallAsync(payload(x, offset, length));
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(byte[] x) {
    return alltoallAsync(payload(x));
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(byte[] x, int offset, int length) {
    return alltoallAsync(payload(x, offset, length));
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(FloatBuffer x) {
    return alltoallAsync(payload(x));
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(DoubleBuffer x) {
    return alltoallAsync(payload(x));
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(IntBuffer x) {
    return alltoallAsync(payload(x));
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(LongBuffer x) {
    return alltoallAsync(payload(x));
  }

  /** As {@link #alltoallAsync(Payload)}. */
  public Work alltoallAsync(ByteBuffer x, DataType type) {
    return alltoallAsync(payload(x, type));
  }

  /** As {@link #alltoall(Payload, Payload)}. */
  public void alltoall(float[] input, float[] output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoall(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoall(Payload, Payload)}. */
  public void alltoall(double[] input, double[] output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoall(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoall(Payload, Payload)}. */
  public void alltoall(int[] input, int[] output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoall(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoall(Payload, Payload)}. */
  public void alltoall(long[] input, long[] output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoall(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoall(Payload, Payload)}. */
  public void alltoall(byte[] input, byte[] output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoall(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoall(Payload, Payload)}. */
  public void alltoall(FloatBuffer input, FloatBuffer output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoall(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoall(Payload, Payload)}. */
  public void alltoall(DoubleBuffer input, DoubleBuffer output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoall(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoall(Payload, Payload)}. */
  public void alltoall(IntBuffer input, IntBuffer output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoall(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoall(Payload, Payload)}. */
  public void alltoall(LongBuffer input, LongBuffer output) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoall(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoall(Payload, Payload)}. */
  public void alltoall(ByteBuffer input, ByteBuffer output, DataType type) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    alltoall(inputPayload, outputPayload);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoallAsync(Payload, Payload)}. */
  public Work alltoallAsync(float[] input, float[] output) {
    return alltoallAsync(payload(input), payload(output));
  }

  /** As {@link #alltoallAsync(Payload, Payload)}. */
  public Work alltoallAsync(double[] input, double[] output) {
    return alltoallAsync(payload(input), payload(output));
  }

  /** As {@link #alltoallAsync(Payload, Payload)}. */
  public Work alltoallAsync(int[] input, int[] output) {
    return alltoallAsync(payload(input), payload(output));
  }

  /** As {@link #alltoallAsync(Payload, Payload)}. */
  public Work alltoallAsync(long[] input, long[] output) {
    return alltoallAsync(payload(input), payload(output));
  }

  /** As {@link #alltoallAsync(Payload, Payload)}. */
  public Work alltoallAsync(byte[] input, byte[] output) {
    return alltoallAsync(payload(input), payload(output));
  }

  /** As {@link #alltoallAsync(Payload, Payload)}. */
  public Work alltoallAsync(FloatBuffer input, FloatBuffer output) {
    return alltoallAsync(payload(input), payload(output));
  }

  /** As {@link #alltoallAsync(Payload, Payload)}. */
  public Work alltoallAsync(DoubleBuffer input, DoubleBuffer output) {
    return alltoallAsync(payload(input), payload(output));
  }

  /** As {@link #alltoallAsync(Payload, Payload)}. */
  public Work alltoallAsync(IntBuffer input, IntBuffer output) {
    return alltoallAsync(payload(input), payload(output));
  }

  /** As {@link #alltoallAsync(Payload, Payload)}. */
  public Work alltoallAsync(LongBuffer input, LongBuffer output) {
    return alltoallAsync(payload(input), payload(output));
  }

  /** As {@link #alltoallAsync(Payload, Payload)}. */
  public Work alltoallAsync(ByteBuffer input, ByteBuffer output, DataType type) {
    return alltoallAsync(payload(input, type), payload(output, type));
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(float[] x, long[] counts) {
    Payload xPayload = pooled(x);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(float[] x, int offset, int length, long[] counts) {
    Payload xPayload = pooled(x, offset, length);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(double[] x, long[] counts) {
    Payload xPayload = pooled(x);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(double[] x, int offset, int length, long[] counts) {
    Payload xPayload = pooled(x, offset, length);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(int[] x, long[] counts) {
    Payload xPayload = pooled(x);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(int[] x, int offset, int length, long[] counts) {
    Payload xPayload = pooled(x, offset, length);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(long[] x, long[] counts) {
    Payload xPayload = pooled(x);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(long[] x, int offset, int length, long[] counts) {
    Payload xPayload = pooled(x, offset, length);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(byte[] x, long[] counts) {
    Payload xPayload = pooled(x);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(byte[] x, int offset, int length, long[] counts) {
    Payload xPayload = pooled(x, offset, length);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(FloatBuffer x, long[] counts) {
    Payload xPayload = pooled(x);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(DoubleBuffer x, long[] counts) {
    Payload xPayload = pooled(x);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(IntBuffer x, long[] counts) {
    Payload xPayload = pooled(x);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(LongBuffer x, long[] counts) {
    Payload xPayload = pooled(x);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallv(Payload, long[])}. */
  public void alltoallv(ByteBuffer x, DataType type, long[] counts) {
    Payload xPayload = pooled(x, type);
    alltoallv(xPayload, counts);
    recycle(xPayload);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(float[] x, long[] counts) {
    return alltoallvAsync(payload(x), counts);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(float[] x, int offset, int length, long[] counts) {
    return alltoallvAsync(payload(x, offset, length), counts);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(double[] x, long[] counts) {
    return alltoallvAsync(payload(x), counts);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(double[] x, int offset, int length, long[] counts) {
    return alltoallvAsync(payload(x, offset, length), counts);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(int[] x, long[] counts) {
    return alltoallvAsync(payload(x), counts);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(int[] x, int offset, int length, long[] counts) {
    return alltoallvAsync(payload(x, offset, length), counts);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(long[] x, long[] counts) {
    return alltoallvAsync(payload(x), counts);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(long[] x, int offset, int length, long[] counts) {
    return alltoallvAsync(payload(x, offset, length), counts);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(byte[] x, long[] counts) {
    return alltoallvAsync(payload(x), counts);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(byte[] x, int offset, int length, long[] counts) {
    return alltoallvAsync(payload(x, offset, length), counts);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(FloatBuffer x, long[] counts) {
    return alltoallvAsync(payload(x), counts);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(DoubleBuffer x, long[] counts) {
    return alltoallvAsync(payload(x), counts);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(IntBuffer x, long[] counts) {
    return alltoallvAsync(payload(x), counts);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(LongBuffer x, long[] counts) {
    return alltoallvAsync(payload(x), counts);
  }

  /** As {@link #alltoallvAsync(Payload, long[])}. */
  public Work alltoallvAsync(ByteBuffer x, DataType type, long[] counts) {
    return alltoallvAsync(payload(x, type), counts);
  }

  /** As {@link #alltoallv(Payload, long[], Payload, long[])}. */
  public void alltoallv(float[] input, long[] sent, float[] output, long[] received) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoallv(inputPayload, sent, outputPayload, received);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoallv(Payload, long[], Payload, long[])}. */
  public void alltoallv(double[] input, long[] sent, double[] output, long[] received) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoallv(inputPayload, sent, outputPayload, received);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoallv(Payload, long[], Payload, long[])}. */
  public void alltoallv(int[] input, long[] sent, int[] output, long[] received) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoallv(inputPayload, sent, outputPayload, received);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoallv(Payload, long[], Payload, long[])}. */
  public void alltoallv(long[] input, long[] sent, long[] output, long[] received) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoallv(inputPayload, sent, outputPayload, received);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoallv(Payload, long[], Payload, long[])}. */
  public void alltoallv(byte[] input, long[] sent, byte[] output, long[] received) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoallv(inputPayload, sent, outputPayload, received);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoallv(Payload, long[], Payload, long[])}. */
  public void alltoallv(FloatBuffer input, long[] sent, FloatBuffer output, long[] received) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoallv(inputPayload, sent, outputPayload, received);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoallv(Payload, long[], Payload, long[])}. */
  public void alltoallv(DoubleBuffer input, long[] sent, DoubleBuffer output, long[] received) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoallv(inputPayload, sent, outputPayload, received);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoallv(Payload, long[], Payload, long[])}. */
  public void alltoallv(IntBuffer input, long[] sent, IntBuffer output, long[] received) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoallv(inputPayload, sent, outputPayload, received);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoallv(Payload, long[], Payload, long[])}. */
  public void alltoallv(LongBuffer input, long[] sent, LongBuffer output, long[] received) {
    Payload inputPayload = pooled(input);
    Payload outputPayload = pooled(output);
    alltoallv(inputPayload, sent, outputPayload, received);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoallv(Payload, long[], Payload, long[])}. */
  public void alltoallv(
      ByteBuffer input, long[] sent, ByteBuffer output, DataType type, long[] received) {
    Payload inputPayload = pooled(input, type);
    Payload outputPayload = pooled(output, type);
    alltoallv(inputPayload, sent, outputPayload, received);
    recycle(inputPayload);
    recycle(outputPayload);
  }

  /** As {@link #alltoallvAsync(Payload, long[], Payload, long[])}. */
  public Work alltoallvAsync(float[] input, long[] sent, float[] output, long[] received) {
    return alltoallvAsync(payload(input), sent, payload(output), received);
  }

  /** As {@link #alltoallvAsync(Payload, long[], Payload, long[])}. */
  public Work alltoallvAsync(double[] input, long[] sent, double[] output, long[] received) {
    return alltoallvAsync(payload(input), sent, payload(output), received);
  }

  /** As {@link #alltoallvAsync(Payload, long[], Payload, long[])}. */
  public Work alltoallvAsync(int[] input, long[] sent, int[] output, long[] received) {
    return alltoallvAsync(payload(input), sent, payload(output), received);
  }

  /** As {@link #alltoallvAsync(Payload, long[], Payload, long[])}. */
  public Work alltoallvAsync(long[] input, long[] sent, long[] output, long[] received) {
    return alltoallvAsync(payload(input), sent, payload(output), received);
  }

  /** As {@link #alltoallvAsync(Payload, long[], Payload, long[])}. */
  public Work alltoallvAsync(byte[] input, long[] sent, byte[] output, long[] received) {
    return alltoallvAsync(payload(input), sent, payload(output), received);
  }

  /** As {@link #alltoallvAsync(Payload, long[], Payload, long[])}. */
  public Work alltoallvAsync(FloatBuffer input, long[] sent, FloatBuffer output, long[] received) {
    return alltoallvAsync(payload(input), sent, payload(output), received);
  }

  /** As {@link #alltoallvAsync(Payload, long[], Payload, long[])}. */
  public Work alltoallvAsync(
      DoubleBuffer input, long[] sent, DoubleBuffer output, long[] received) {
    return alltoallvAsync(payload(input), sent, payload(output), received);
  }

  /** As {@link #alltoallvAsync(Payload, long[], Payload, long[])}. */
  public Work alltoallvAsync(IntBuffer input, long[] sent, IntBuffer output, long[] received) {
    return alltoallvAsync(payload(input), sent, payload(output), received);
  }

  /** As {@link #alltoallvAsync(Payload, long[], Payload, long[])}. */
  public Work alltoallvAsync(LongBuffer input, long[] sent, LongBuffer output, long[] received) {
    return alltoallvAsync(payload(input), sent, payload(output), received);
  }

  /** As {@link #alltoallvAsync(Payload, long[], Payload, long[])}. */
  public Work alltoallvAsync(
      ByteBuffer input, long[] sent, ByteBuffer output, DataType type, long[] received) {
    return alltoallvAsync(payload(input, type), sent, payload(output, type), received);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(float[] x, int peer, long tag) {
    Payload xPayload = pooled(x);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(float[] x, int offset, int length, int peer, long tag) {
    Payload xPayload = pooled(x, offset, length);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(double[] x, int peer, long tag) {
    Payload xPayload = pooled(x);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(double[] x, int offset, int length, int peer, long tag) {
    Payload xPayload = pooled(x, offset, length);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(int[] x, int peer, long tag) {
    Payload xPayload = pooled(x);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(int[] x, int offset, int length, int peer, long tag) {
    Payload xPayload = pooled(x, offset, length);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(long[] x, int peer, long tag) {
    Payload xPayload = pooled(x);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(long[] x, int offset, int length, int peer, long tag) {
    Payload xPayload = pooled(x, offset, length);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(byte[] x, int peer, long tag) {
    Payload xPayload = pooled(x);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(byte[] x, int offset, int length, int peer, long tag) {
    Payload xPayload = pooled(x, offset, length);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(FloatBuffer x, int peer, long tag) {
    Payload xPayload = pooled(x);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(DoubleBuffer x, int peer, long tag) {
    Payload xPayload = pooled(x);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(IntBuffer x, int peer, long tag) {
    Payload xPayload = pooled(x);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(LongBuffer x, int peer, long tag) {
    Payload xPayload = pooled(x);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(ByteBuffer x, DataType type, int peer, long tag) {
    Payload xPayload = pooled(x, type);
    send(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(float[] x, int peer, long tag) {
    return sendAsync(payload(x), peer, tag);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(float[] x, int offset, int length, int peer, long tag) {
    return sendAsync(payload(x, offset, length), peer, tag);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(double[] x, int peer, long tag) {
    return sendAsync(payload(x), peer, tag);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(double[] x, int offset, int length, int peer, long tag) {
    return sendAsync(payload(x, offset, length), peer, tag);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(int[] x, int peer, long tag) {
    return sendAsync(payload(x), peer, tag);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(int[] x, int offset, int length, int peer, long tag) {
    return sendAsync(payload(x, offset, length), peer, tag);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(long[] x, int peer, long tag) {
    return sendAsync(payload(x), peer, tag);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(long[] x, int offset, int length, int peer, long tag) {
    return sendAsync(payload(x, offset, length), peer, tag);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(byte[] x, int peer, long tag) {
    return sendAsync(payload(x), peer, tag);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(byte[] x, int offset, int length, int peer, long tag) {
    return sendAsync(payload(x, offset, length), peer, tag);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(FloatBuffer x, int peer, long tag) {
    return sendAsync(payload(x), peer, tag);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(DoubleBuffer x, int peer, long tag) {
    return sendAsync(payload(x), peer, tag);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(IntBuffer x, int peer, long tag) {
    return sendAsync(payload(x), peer, tag);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(LongBuffer x, int peer, long tag) {
    return sendAsync(payload(x), peer, tag);
  }

  /** As {@link #sendAsync(Payload, int, long)}. */
  public Work sendAsync(ByteBuffer x, DataType type, int peer, long tag) {
    return sendAsync(payload(x, type), peer, tag);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(float[] x, int peer, long tag) {
    Payload xPayload = pooled(x);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(float[] x, int offset, int length, int peer, long tag) {
    Payload xPayload = pooled(x, offset, length);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(double[] x, int peer, long tag) {
    Payload xPayload = pooled(x);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(double[] x, int offset, int length, int peer, long tag) {
    Payload xPayload = pooled(x, offset, length);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(int[] x, int peer, long tag) {
    Payload xPayload = pooled(x);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(int[] x, int offset, int length, int peer, long tag) {
    Payload xPayload = pooled(x, offset, length);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(long[] x, int peer, long tag) {
    Payload xPayload = pooled(x);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(long[] x, int offset, int length, int peer, long tag) {
    Payload xPayload = pooled(x, offset, length);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(byte[] x, int peer, long tag) {
    Payload xPayload = pooled(x);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(byte[] x, int offset, int length, int peer, long tag) {
    Payload xPayload = pooled(x, offset, length);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(FloatBuffer x, int peer, long tag) {
    Payload xPayload = pooled(x);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(DoubleBuffer x, int peer, long tag) {
    Payload xPayload = pooled(x);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(IntBuffer x, int peer, long tag) {
    Payload xPayload = pooled(x);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(LongBuffer x, int peer, long tag) {
    Payload xPayload = pooled(x);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(ByteBuffer x, DataType type, int peer, long tag) {
    Payload xPayload = pooled(x, type);
    recv(xPayload, peer, tag);
    recycle(xPayload);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(float[] x, int peer, long tag) {
    return recvAsync(payload(x), peer, tag);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(float[] x, int offset, int length, int peer, long tag) {
    return recvAsync(payload(x, offset, length), peer, tag);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(double[] x, int peer, long tag) {
    return recvAsync(payload(x), peer, tag);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(double[] x, int offset, int length, int peer, long tag) {
    return recvAsync(payload(x, offset, length), peer, tag);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(int[] x, int peer, long tag) {
    return recvAsync(payload(x), peer, tag);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(int[] x, int offset, int length, int peer, long tag) {
    return recvAsync(payload(x, offset, length), peer, tag);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(long[] x, int peer, long tag) {
    return recvAsync(payload(x), peer, tag);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(long[] x, int offset, int length, int peer, long tag) {
    return recvAsync(payload(x, offset, length), peer, tag);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(byte[] x, int peer, long tag) {
    return recvAsync(payload(x), peer, tag);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(byte[] x, int offset, int length, int peer, long tag) {
    return recvAsync(payload(x, offset, length), peer, tag);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(FloatBuffer x, int peer, long tag) {
    return recvAsync(payload(x), peer, tag);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(DoubleBuffer x, int peer, long tag) {
    return recvAsync(payload(x), peer, tag);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(IntBuffer x, int peer, long tag) {
    return recvAsync(payload(x), peer, tag);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(LongBuffer x, int peer, long tag) {
    return recvAsync(payload(x), peer, tag);
  }

  /** As {@link #recvAsync(Payload, int, long)}. */
  public Work recvAsync(ByteBuffer x, DataType type, int peer, long tag) {
    return recvAsync(payload(x, type), peer, tag);
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(float[] x, BitSet peers, long tag) {
    Payload xPayload = pooled(x);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(float[] x, int offset, int length, BitSet peers, long tag) {
    Payload xPayload = pooled(x, offset, length);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(double[] x, BitSet peers, long tag) {
    Payload xPayload = pooled(x);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(double[] x, int offset, int length, BitSet peers, long tag) {
    Payload xPayload = pooled(x, offset, length);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(int[] x, BitSet peers, long tag) {
    Payload xPayload = pooled(x);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(int[] x, int offset, int length, BitSet peers, long tag) {
    Payload xPayload = pooled(x, offset, length);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(long[] x, BitSet peers, long tag) {
    Payload xPayload = pooled(x);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(long[] x, int offset, int length, BitSet peers, long tag) {
    Payload xPayload = pooled(x, offset, length);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(byte[] x, BitSet peers, long tag) {
    Payload xPayload = pooled(x);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(byte[] x, int offset, int length, BitSet peers, long tag) {
    Payload xPayload = pooled(x, offset, length);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(FloatBuffer x, BitSet peers, long tag) {
    Payload xPayload = pooled(x);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(DoubleBuffer x, BitSet peers, long tag) {
    Payload xPayload = pooled(x);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(IntBuffer x, BitSet peers, long tag) {
    Payload xPayload = pooled(x);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(LongBuffer x, BitSet peers, long tag) {
    Payload xPayload = pooled(x);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #recvAny(Payload, BitSet, long)}. */
  public int recvAny(ByteBuffer x, DataType type, BitSet peers, long tag) {
    Payload xPayload = pooled(x, type);
    int result = recvAny(xPayload, peers, tag);
    recycle(xPayload);
    return result;
  }

  /** As {@link #sendRecv(Payload, int, Payload, int, long)}. */
  public void sendRecv(float[] sent, int to, float[] received, int from, long tag) {
    Payload sentPayload = pooled(sent);
    Payload receivedPayload = pooled(received);
    sendRecv(sentPayload, to, receivedPayload, from, tag);
    recycle(sentPayload);
    recycle(receivedPayload);
  }

  /** As {@link #sendRecv(Payload, int, Payload, int, long)}. */
  public void sendRecv(double[] sent, int to, double[] received, int from, long tag) {
    Payload sentPayload = pooled(sent);
    Payload receivedPayload = pooled(received);
    sendRecv(sentPayload, to, receivedPayload, from, tag);
    recycle(sentPayload);
    recycle(receivedPayload);
  }

  /** As {@link #sendRecv(Payload, int, Payload, int, long)}. */
  public void sendRecv(int[] sent, int to, int[] received, int from, long tag) {
    Payload sentPayload = pooled(sent);
    Payload receivedPayload = pooled(received);
    sendRecv(sentPayload, to, receivedPayload, from, tag);
    recycle(sentPayload);
    recycle(receivedPayload);
  }

  /** As {@link #sendRecv(Payload, int, Payload, int, long)}. */
  public void sendRecv(long[] sent, int to, long[] received, int from, long tag) {
    Payload sentPayload = pooled(sent);
    Payload receivedPayload = pooled(received);
    sendRecv(sentPayload, to, receivedPayload, from, tag);
    recycle(sentPayload);
    recycle(receivedPayload);
  }

  /** As {@link #sendRecv(Payload, int, Payload, int, long)}. */
  public void sendRecv(byte[] sent, int to, byte[] received, int from, long tag) {
    Payload sentPayload = pooled(sent);
    Payload receivedPayload = pooled(received);
    sendRecv(sentPayload, to, receivedPayload, from, tag);
    recycle(sentPayload);
    recycle(receivedPayload);
  }

  /** As {@link #sendRecv(Payload, int, Payload, int, long)}. */
  public void sendRecv(FloatBuffer sent, int to, FloatBuffer received, int from, long tag) {
    Payload sentPayload = pooled(sent);
    Payload receivedPayload = pooled(received);
    sendRecv(sentPayload, to, receivedPayload, from, tag);
    recycle(sentPayload);
    recycle(receivedPayload);
  }

  /** As {@link #sendRecv(Payload, int, Payload, int, long)}. */
  public void sendRecv(DoubleBuffer sent, int to, DoubleBuffer received, int from, long tag) {
    Payload sentPayload = pooled(sent);
    Payload receivedPayload = pooled(received);
    sendRecv(sentPayload, to, receivedPayload, from, tag);
    recycle(sentPayload);
    recycle(receivedPayload);
  }

  /** As {@link #sendRecv(Payload, int, Payload, int, long)}. */
  public void sendRecv(IntBuffer sent, int to, IntBuffer received, int from, long tag) {
    Payload sentPayload = pooled(sent);
    Payload receivedPayload = pooled(received);
    sendRecv(sentPayload, to, receivedPayload, from, tag);
    recycle(sentPayload);
    recycle(receivedPayload);
  }

  /** As {@link #sendRecv(Payload, int, Payload, int, long)}. */
  public void sendRecv(LongBuffer sent, int to, LongBuffer received, int from, long tag) {
    Payload sentPayload = pooled(sent);
    Payload receivedPayload = pooled(received);
    sendRecv(sentPayload, to, receivedPayload, from, tag);
    recycle(sentPayload);
    recycle(receivedPayload);
  }

  /** As {@link #sendRecv(Payload, int, Payload, int, long)}. */
  public void sendRecv(
      ByteBuffer sent, int to, ByteBuffer received, DataType type, int from, long tag) {
    Payload sentPayload = pooled(sent, type);
    Payload receivedPayload = pooled(received, type);
    sendRecv(sentPayload, to, receivedPayload, from, tag);
    recycle(sentPayload);
    recycle(receivedPayload);
  }

  /** As {@link #sendRecvAsync(Payload, int, Payload, int, long)}. */
  public Work sendRecvAsync(float[] sent, int to, float[] received, int from, long tag) {
    return sendRecvAsync(payload(sent), to, payload(received), from, tag);
  }

  /** As {@link #sendRecvAsync(Payload, int, Payload, int, long)}. */
  public Work sendRecvAsync(double[] sent, int to, double[] received, int from, long tag) {
    return sendRecvAsync(payload(sent), to, payload(received), from, tag);
  }

  /** As {@link #sendRecvAsync(Payload, int, Payload, int, long)}. */
  public Work sendRecvAsync(int[] sent, int to, int[] received, int from, long tag) {
    return sendRecvAsync(payload(sent), to, payload(received), from, tag);
  }

  /** As {@link #sendRecvAsync(Payload, int, Payload, int, long)}. */
  public Work sendRecvAsync(long[] sent, int to, long[] received, int from, long tag) {
    return sendRecvAsync(payload(sent), to, payload(received), from, tag);
  }

  /** As {@link #sendRecvAsync(Payload, int, Payload, int, long)}. */
  public Work sendRecvAsync(byte[] sent, int to, byte[] received, int from, long tag) {
    return sendRecvAsync(payload(sent), to, payload(received), from, tag);
  }

  /** As {@link #sendRecvAsync(Payload, int, Payload, int, long)}. */
  public Work sendRecvAsync(FloatBuffer sent, int to, FloatBuffer received, int from, long tag) {
    return sendRecvAsync(payload(sent), to, payload(received), from, tag);
  }

  /** As {@link #sendRecvAsync(Payload, int, Payload, int, long)}. */
  public Work sendRecvAsync(DoubleBuffer sent, int to, DoubleBuffer received, int from, long tag) {
    return sendRecvAsync(payload(sent), to, payload(received), from, tag);
  }

  /** As {@link #sendRecvAsync(Payload, int, Payload, int, long)}. */
  public Work sendRecvAsync(IntBuffer sent, int to, IntBuffer received, int from, long tag) {
    return sendRecvAsync(payload(sent), to, payload(received), from, tag);
  }

  /** As {@link #sendRecvAsync(Payload, int, Payload, int, long)}. */
  public Work sendRecvAsync(LongBuffer sent, int to, LongBuffer received, int from, long tag) {
    return sendRecvAsync(payload(sent), to, payload(received), from, tag);
  }

  /** As {@link #sendRecvAsync(Payload, int, Payload, int, long)}. */
  public Work sendRecvAsync(
      ByteBuffer sent, int to, ByteBuffer received, DataType type, int from, long tag) {
    return sendRecvAsync(payload(sent, type), to, payload(received, type), from, tag);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(float[] x) {
    return x == null ? null : payloads.take().set(x);
  }

  @NullUnmarked
  private static Payload payload(float[] x) {
    return x == null ? null : Payload.of(x);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(float[] x, int offset, int length) {
    return x == null ? null : payloads.take().set(x, offset, length);
  }

  @NullUnmarked
  private static Payload payload(float[] x, int offset, int length) {
    return x == null ? null : Payload.of(x, offset, length);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(double[] x) {
    return x == null ? null : payloads.take().set(x);
  }

  @NullUnmarked
  private static Payload payload(double[] x) {
    return x == null ? null : Payload.of(x);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(double[] x, int offset, int length) {
    return x == null ? null : payloads.take().set(x, offset, length);
  }

  @NullUnmarked
  private static Payload payload(double[] x, int offset, int length) {
    return x == null ? null : Payload.of(x, offset, length);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(int[] x) {
    return x == null ? null : payloads.take().set(x);
  }

  @NullUnmarked
  private static Payload payload(int[] x) {
    return x == null ? null : Payload.of(x);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(int[] x, int offset, int length) {
    return x == null ? null : payloads.take().set(x, offset, length);
  }

  @NullUnmarked
  private static Payload payload(int[] x, int offset, int length) {
    return x == null ? null : Payload.of(x, offset, length);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(long[] x) {
    return x == null ? null : payloads.take().set(x);
  }

  @NullUnmarked
  private static Payload payload(long[] x) {
    return x == null ? null : Payload.of(x);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(long[] x, int offset, int length) {
    return x == null ? null : payloads.take().set(x, offset, length);
  }

  @NullUnmarked
  private static Payload payload(long[] x, int offset, int length) {
    return x == null ? null : Payload.of(x, offset, length);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(byte[] x) {
    return x == null ? null : payloads.take().set(x);
  }

  @NullUnmarked
  private static Payload payload(byte[] x) {
    return x == null ? null : Payload.of(x);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(byte[] x, int offset, int length) {
    return x == null ? null : payloads.take().set(x, offset, length);
  }

  @NullUnmarked
  private static Payload payload(byte[] x, int offset, int length) {
    return x == null ? null : Payload.of(x, offset, length);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(FloatBuffer x) {
    return x == null ? null : payloads.take().set(x);
  }

  @NullUnmarked
  private static Payload payload(FloatBuffer x) {
    return x == null ? null : Payload.of(x);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(DoubleBuffer x) {
    return x == null ? null : payloads.take().set(x);
  }

  @NullUnmarked
  private static Payload payload(DoubleBuffer x) {
    return x == null ? null : Payload.of(x);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(IntBuffer x) {
    return x == null ? null : payloads.take().set(x);
  }

  @NullUnmarked
  private static Payload payload(IntBuffer x) {
    return x == null ? null : Payload.of(x);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(LongBuffer x) {
    return x == null ? null : payloads.take().set(x);
  }

  @NullUnmarked
  private static Payload payload(LongBuffer x) {
    return x == null ? null : Payload.of(x);
  }

  @NullUnmarked // the call that gets it refuses null, where that is not allowed
  private Payload pooled(ByteBuffer x, DataType type) {
    return x == null ? null : payloads.take().set(x, type);
  }

  @NullUnmarked
  private static Payload payload(ByteBuffer x, DataType type) {
    return x == null ? null : Payload.of(x, type);
  }

  // End of the generated part.
}
