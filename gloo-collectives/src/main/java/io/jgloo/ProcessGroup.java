package io.jgloo;

import static io.jgloo.Arguments.present;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.CostModel;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.execution.Call;
import io.jgloo.collectives.execution.Dialect;
import io.jgloo.collectives.execution.Executor;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.transport.Allocation;
import io.jgloo.transport.Device;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.capability.SharedHeap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that compute together: one rank's view of the group it belongs to.
 *
 * <p>All ranks must make the same collective calls in the same order, with the same type, count,
 * operation and root; ranks that disagree get a {@link io.jgloo.transport.MismatchException} that
 * quotes both sides. Calls return when this rank's part is done; those of the same names that
 * {@link #async} offers return {@link Work}. Zero elements and groups of one rank are allowed
 * everywhere.
 *
 * <table class="striped">
 * <caption>Collectives and messages</caption>
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
 * <p>Each method is described where it takes a {@link Payload}, which is made from an array or a
 * part of one, a buffer or an address. With one vector a collective works in place; with an input
 * and an output it does not change the input. Memory off the heap is worked on in place, heap
 * memory is copied through staging memory. The common calls also take whole arrays of {@code
 * float}, {@code double}, {@code int} and {@code long}.
 *
 * <p>When a call fails, the group has failed, at all ranks: later calls fail with the first cause.
 * The survivors form a new group by {@link #shrink}.
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
  private final AsyncCalls async;

  ProcessGroup(Connection connection, CallOptions options) {
    this.connection = connection;
    this.options = options;
    executor = connection.executor();
    calls = new CallMaker(connection, options);
    messages = new Messages(connection, options);
    payloads = connection.payloads();
    async = new AsyncCalls(executor, calls, messages);
  }

  /** A builder of a group, for what {@link #init} and {@link #connect} do not cover. */
  public static GroupBuilder builder() {
    return new GroupBuilder();
  }

  /**
   * Connects all processes that a launcher has started, by the variables that it sets; see {@link
   * io.jgloo.rendezvous.Launch#detect}. Returns when all ranks are connected.
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
    Dialect dialect = Connection.dialect(mesh.wire());
    Connection connection =
        new Connection(
            mesh, null, Arguments.timeout(timeout), List.of(), CostModel.DEFAULT, dialect);
    return new ProcessGroup(connection, CallOptions.DEFAULTS);
  }

  /**
   * The same group with other options for its calls; closing either closes both.
   *
   * @throws IllegalArgumentException if the options are null, or have a tag that this group cannot
   *     use: see {@link CallOptions#tag(long)}
   */
  public ProcessGroup with(CallOptions options) {
    present("options", options);
    executor.dialect().check(options.tag());
    return new ProcessGroup(connection, options);
  }

  /** The calls of this group that return when they have started; always the same object. */
  public AsyncCalls async() {
    return async;
  }

  /** The options calls are made with. */
  public CallOptions options() {
    return options;
  }

  /** This rank, 0 to size - 1. */
  public int rank() {
    return connection.mesh().membership().rank();
  }

  /** Number of ranks. */
  public int size() {
    return connection.mesh().membership().size();
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
    return onThisHost(connection.mesh().hosts().subList(0, rank()));
  }

  /** Number of ranks on this rank's host. */
  public int localSize() {
    return onThisHost(connection.mesh().hosts());
  }

  private int onThisHost(List<String> hosts) {
    return Collections.frequency(hosts, connection.mesh().hosts().get(rank()));
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
    return connection.mesh().pair(peer).medium();
  }

  /**
   * Allocates memory, filled with zeros, for the calls of this group. Peers of this host that share
   * memory with this rank read what is sent from it in place, which saves a copy:
   *
   * <pre>{@code
   * try (Allocation memory = group.allocate(4L * count)) {
   *   Payload gradients = Payload.of(memory.buffer(), DataType.FLOAT32);
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
    return connection
        .mesh()
        .capability(SharedHeap.class)
        .map(heap -> heap.allocate(bytes))
        .orElseGet(() -> Allocation.unshared(bytes));
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
    return Diagnosis.of(connection.mesh()).counters();
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
   * Reduces all ranks' vectors element by element into another vector; every rank gets the result.
   *
   * @param input this rank's vector, not changed
   * @param output receives the result; of the same type and count, with no byte in common
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void allreduce(Payload input, Payload output, ReduceOp op) {
    run(calls.alike(Collective.ALLREDUCE, CallMaker.given(input), output, op));
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
   * Reduces all ranks' vectors element by element; the root gets the result.
   *
   * @param output receives the result at the root; ignored elsewhere, where it may be null
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void reduce(Payload input, @Nullable Payload output, ReduceOp op, int root) {
    run(calls.reduce(CallMaker.given(input), output, op, root));
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
   * Reduces all ranks' vectors element by element and scatters the result: rank r gets block r of P
   * equal blocks, where P is the number of ranks.
   *
   * @param input this rank's vector, P times as long as the output
   * @param output receives this rank's block of the result
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void reduceScatter(Payload input, Payload output, ReduceOp op) {
    run(calls.reduceScatter(CallMaker.given(input), output, op));
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
   * Reduces all ranks' vectors element by element and scatters the result in blocks of different
   * lengths: rank r gets block r.
   *
   * @param counts elements of each rank's block, the same at all ranks
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void reduceScatterv(Payload input, Payload output, long[] counts, ReduceOp op) {
    run(calls.reduceScatterv(CallMaker.given(input), output, counts, op));
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
   * Reduces the vectors of ranks 0 to this one (an inclusive prefix), in the order of ranks.
   *
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void scan(Payload input, Payload output, ReduceOp op) {
    run(calls.alike(Collective.SCAN, CallMaker.given(input), output, op));
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
   * Reduces the vectors of the ranks before this one (an exclusive prefix), in the order of ranks.
   * Rank 0's output is not written.
   *
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void exscan(Payload input, Payload output, ReduceOp op) {
    run(calls.alike(Collective.EXSCAN, CallMaker.given(input), output, op));
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
   * Sends the root's vector to all ranks.
   *
   * @param input the vector to send at the root; ignored elsewhere, where it may be null
   * @param output receives the vector, also at the root
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void broadcast(@Nullable Payload input, Payload output, int root) {
    run(calls.broadcast(calls.atRoot(input, root), output, root));
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
   * Scatters the root's vector: rank r gets block r of P equal blocks, where P is the number of
   * ranks.
   *
   * @param input the vector at the root; ignored elsewhere, where it may be null
   * @param output receives this rank's block
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void scatter(@Nullable Payload input, Payload output, int root) {
    run(calls.scatter(calls.atRoot(input, root), output, root));
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
   * Scatters the root's vector in blocks of different lengths.
   *
   * @param input the vector at the root; ignored elsewhere, where it may be null
   * @param counts elements of each rank's block, the same at all ranks
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void scatterv(@Nullable Payload input, Payload output, long[] counts, int root) {
    run(calls.scatterv(calls.atRoot(input, root), output, counts, root));
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
   * Gathers the blocks of all ranks at every rank, in the order of ranks.
   *
   * @param input this rank's block
   * @param output receives all blocks, P times as long as the input
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void allgather(Payload input, Payload output) {
    run(calls.allgather(CallMaker.given(input), output));
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
   * Gathers blocks of different lengths at every rank, in the order of ranks.
   *
   * @param input this rank's block
   * @param output receives all blocks, without gaps
   * @param counts elements of each rank's block, the same at all ranks
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void allgatherv(Payload input, Payload output, long[] counts) {
    run(calls.allgatherv(CallMaker.given(input), output, counts));
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
   * Gathers the blocks of all ranks at the root, in the order of ranks.
   *
   * @param input this rank's block
   * @param output receives all blocks at the root; ignored elsewhere, where it may be null
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void gather(Payload input, @Nullable Payload output, int root) {
    run(calls.gather(CallMaker.given(input), output, root));
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
   * Gathers blocks of different lengths at the root, in the order of ranks.
   *
   * @param output receives all blocks at the root; ignored elsewhere, where it may be null
   * @param counts elements of each rank's block, the same at all ranks
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void gatherv(Payload input, @Nullable Payload output, long[] counts, int root) {
    run(calls.gatherv(CallMaker.given(input), output, counts, root));
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
   * Sends a block from every rank to every rank.
   *
   * @param input P equal blocks, where P is the number of ranks; block r is sent to rank r
   * @param output receives the blocks, in the order of the ranks that send them
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it fails, and with it the group
   */
  public void alltoall(Payload input, Payload output) {
    run(calls.alltoall(CallMaker.given(input), output));
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
    run(calls.alltoallv(CallMaker.given(input), sent, output, received));
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
   * Receives elements from a peer, of exactly the type and count that it sends. If no message
   * arrives in time the receive is withdrawn; the group remains usable unless a part has arrived,
   * or the sender of a long message has been told to send it.
   *
   * @param tag as the sender's
   * @throws IllegalArgumentException if an argument is null, out of range or does not fit another
   * @throws JGlooException if it is not done in time, or the group fails or has failed
   */
  public void recv(Payload x, int peer, long tag) {
    messages.recv(x, peer, tag);
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
    async.sendRecv(sent, to, received, from, tag).await();
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

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(float[] x, ReduceOp op) {
    Payload vector = pooled("x", x);
    allreduce(vector, op);
    recycle(vector);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(double[] x, ReduceOp op) {
    Payload vector = pooled("x", x);
    allreduce(vector, op);
    recycle(vector);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(int[] x, ReduceOp op) {
    Payload vector = pooled("x", x);
    allreduce(vector, op);
    recycle(vector);
  }

  /** As {@link #allreduce(Payload, ReduceOp)}. */
  public void allreduce(long[] x, ReduceOp op) {
    Payload vector = pooled("x", x);
    allreduce(vector, op);
    recycle(vector);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(float[] x, int root) {
    Payload vector = pooled("x", x);
    broadcast(vector, root);
    recycle(vector);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(double[] x, int root) {
    Payload vector = pooled("x", x);
    broadcast(vector, root);
    recycle(vector);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(int[] x, int root) {
    Payload vector = pooled("x", x);
    broadcast(vector, root);
    recycle(vector);
  }

  /** As {@link #broadcast(Payload, int)}. */
  public void broadcast(long[] x, int root) {
    Payload vector = pooled("x", x);
    broadcast(vector, root);
    recycle(vector);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(float[] x, ReduceOp op, int root) {
    Payload vector = pooled("x", x);
    reduce(vector, op, root);
    recycle(vector);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(double[] x, ReduceOp op, int root) {
    Payload vector = pooled("x", x);
    reduce(vector, op, root);
    recycle(vector);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(int[] x, ReduceOp op, int root) {
    Payload vector = pooled("x", x);
    reduce(vector, op, root);
    recycle(vector);
  }

  /** As {@link #reduce(Payload, ReduceOp, int)}. */
  public void reduce(long[] x, ReduceOp op, int root) {
    Payload vector = pooled("x", x);
    reduce(vector, op, root);
    recycle(vector);
  }

  /** As {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public void reduceScatter(float[] input, float[] output, ReduceOp op) {
    Payload from = pooled("input", input);
    Payload to = pooled("output", output);
    reduceScatter(from, to, op);
    recycle(from);
    recycle(to);
  }

  /** As {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public void reduceScatter(double[] input, double[] output, ReduceOp op) {
    Payload from = pooled("input", input);
    Payload to = pooled("output", output);
    reduceScatter(from, to, op);
    recycle(from);
    recycle(to);
  }

  /** As {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public void reduceScatter(int[] input, int[] output, ReduceOp op) {
    Payload from = pooled("input", input);
    Payload to = pooled("output", output);
    reduceScatter(from, to, op);
    recycle(from);
    recycle(to);
  }

  /** As {@link #reduceScatter(Payload, Payload, ReduceOp)}. */
  public void reduceScatter(long[] input, long[] output, ReduceOp op) {
    Payload from = pooled("input", input);
    Payload to = pooled("output", output);
    reduceScatter(from, to, op);
    recycle(from);
    recycle(to);
  }

  /** As {@link #allgather(Payload, Payload)}. */
  public void allgather(float[] input, float[] output) {
    Payload from = pooled("input", input);
    Payload to = pooled("output", output);
    allgather(from, to);
    recycle(from);
    recycle(to);
  }

  /** As {@link #allgather(Payload, Payload)}. */
  public void allgather(double[] input, double[] output) {
    Payload from = pooled("input", input);
    Payload to = pooled("output", output);
    allgather(from, to);
    recycle(from);
    recycle(to);
  }

  /** As {@link #allgather(Payload, Payload)}. */
  public void allgather(int[] input, int[] output) {
    Payload from = pooled("input", input);
    Payload to = pooled("output", output);
    allgather(from, to);
    recycle(from);
    recycle(to);
  }

  /** As {@link #allgather(Payload, Payload)}. */
  public void allgather(long[] input, long[] output) {
    Payload from = pooled("input", input);
    Payload to = pooled("output", output);
    allgather(from, to);
    recycle(from);
    recycle(to);
  }

  /** As {@link #alltoall(Payload, Payload)}. */
  public void alltoall(float[] input, float[] output) {
    Payload from = pooled("input", input);
    Payload to = pooled("output", output);
    alltoall(from, to);
    recycle(from);
    recycle(to);
  }

  /** As {@link #alltoall(Payload, Payload)}. */
  public void alltoall(double[] input, double[] output) {
    Payload from = pooled("input", input);
    Payload to = pooled("output", output);
    alltoall(from, to);
    recycle(from);
    recycle(to);
  }

  /** As {@link #alltoall(Payload, Payload)}. */
  public void alltoall(int[] input, int[] output) {
    Payload from = pooled("input", input);
    Payload to = pooled("output", output);
    alltoall(from, to);
    recycle(from);
    recycle(to);
  }

  /** As {@link #alltoall(Payload, Payload)}. */
  public void alltoall(long[] input, long[] output) {
    Payload from = pooled("input", input);
    Payload to = pooled("output", output);
    alltoall(from, to);
    recycle(from);
    recycle(to);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(float[] x, int peer, long tag) {
    Payload vector = pooled("x", x);
    send(vector, peer, tag);
    recycle(vector);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(double[] x, int peer, long tag) {
    Payload vector = pooled("x", x);
    send(vector, peer, tag);
    recycle(vector);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(int[] x, int peer, long tag) {
    Payload vector = pooled("x", x);
    send(vector, peer, tag);
    recycle(vector);
  }

  /** As {@link #send(Payload, int, long)}. */
  public void send(long[] x, int peer, long tag) {
    Payload vector = pooled("x", x);
    send(vector, peer, tag);
    recycle(vector);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(float[] x, int peer, long tag) {
    Payload vector = pooled("x", x);
    recv(vector, peer, tag);
    recycle(vector);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(double[] x, int peer, long tag) {
    Payload vector = pooled("x", x);
    recv(vector, peer, tag);
    recycle(vector);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(int[] x, int peer, long tag) {
    Payload vector = pooled("x", x);
    recv(vector, peer, tag);
    recycle(vector);
  }

  /** As {@link #recv(Payload, int, long)}. */
  public void recv(long[] x, int peer, long tag) {
    Payload vector = pooled("x", x);
    recv(vector, peer, tag);
    recycle(vector);
  }

  /** This group where the algorithm is chosen for each call. */
  private ProcessGroup choosing() {
    return options.algorithm().isEmpty() ? this : with(options.anyAlgorithm());
  }

  private void run(Call call) {
    executor.run(call);
    calls.recycle(call);
  }

  private Payload pooled(String name, float[] x) {
    if (x == null) {
      throw Arguments.missing(name);
    }
    return payloads.take().set(x);
  }

  private Payload pooled(String name, double[] x) {
    if (x == null) {
      throw Arguments.missing(name);
    }
    return payloads.take().set(x);
  }

  private Payload pooled(String name, int[] x) {
    if (x == null) {
      throw Arguments.missing(name);
    }
    return payloads.take().set(x);
  }

  private Payload pooled(String name, long[] x) {
    if (x == null) {
      throw Arguments.missing(name);
    }
    return payloads.take().set(x);
  }

  /** Takes back a payload of the pool after its call; one of a failed call is not reused. */
  private void recycle(Payload payload) {
    payload.clear();
    payloads.give(payload);
  }
}
