package io.jgloo.ps;

import io.jgloo.ps.client.Arguments;
import io.jgloo.ps.client.Call;
import io.jgloo.ps.client.Calls;
import io.jgloo.ps.client.Cutter;
import io.jgloo.ps.client.Operand;
import io.jgloo.ps.client.ServerLink;
import io.jgloo.ps.client.Sink;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.KvFilters;
import io.jgloo.ps.kv.KvResult;
import io.jgloo.ps.kv.Slicer;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.membership.Members;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.transport.Clock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A customer of an application at a worker: pushes values to the servers and pulls them.
 *
 * <p>Keys are unsigned 64-bit numbers, ascending and unique in a call. Each key has the same number
 * of values, or as many as {@link KvCall#withLens} says. A call returns its timestamp, for {@link
 * #waitFor}; its arrays may be changed when the method has returned, except those that values are
 * pulled to, which are written until the call has ended. A call waits while the window of a server
 * is full.
 *
 * <p>Calls of one worker and customer that have a key in common are executed by its server in the
 * order in which they were made. A call is not atomic: it has a request for each server, and more
 * if it is long.
 *
 * <p><i>Threads</i>: any.
 */
public final class KvWorker<A> {

  private final PsNode node;
  private final int app;
  private final ValueType<A> type;
  private final ServerLink[] links;
  private final Arguments<A> arguments;
  private final Cutter<A> cutter;
  private final Calls<A> calls = new Calls<>();
  private final AtomicLong round = new AtomicLong(1);

  private KvWorker(
      PsNode node, int app, int customer, ValueType<A> type, Slicer slicer, KvFilters filters) {
    this.node = node;
    this.app = app;
    this.type = type;
    links = new ServerLink[node.topology().servers()];
    Arrays.setAll(
        links,
        rank ->
            new ServerLink(
                node.members(), rank, app, customer, filters, node.window(rank), calls::floor));
    arguments = new Arguments<>(type, slicer.isMonotone() || links.length == 1);
    cutter = new Cutter<>(slicer, links, type);
  }

  /**
   * Makes a customer of an application.
   *
   * @param node a worker that has started
   * @param app number of the application, as at {@link KvServer#open}
   * @param customer tells the customers of the application at this worker apart
   * @param slicer the same at all workers
   * @param filters what to ask the servers for; waits for their answers, 10 seconds at most
   * @throws IllegalArgumentException if values of the type cannot be filtered so
   * @throws IllegalStateException if the node is no worker, has not started, or has this customer
   *     already
   */
  public static <A> KvWorker<A> open(
      PsNode node, int app, int customer, ValueType<A> type, Slicer slicer, KvFilters filters) {
    if (node.id().role() != Role.WORKER) {
      throw new IllegalStateException(node.id() + " is no worker");
    }
    requireFor(type, filters);
    node.register(app, customer);
    KvWorker<A> worker = new KvWorker<>(node, app, customer, type, slicer, filters);
    if (!filters.equals(KvFilters.NONE)) {
      worker.negotiate();
    }
    return worker;
  }

  /** As {@link #open(PsNode, int, int, ValueType, Slicer, KvFilters)}, without filters. */
  public static <A> KvWorker<A> open(
      PsNode node, int app, int customer, ValueType<A> type, Slicer slicer) {
    return open(node, app, customer, type, slicer, KvFilters.NONE);
  }

  /** As {@link #open(PsNode, int, int, ValueType, Slicer)}, customer 0 and {@link Slicer#RANGE}. */
  public static <A> KvWorker<A> open(PsNode node, int app, ValueType<A> type) {
    return open(node, app, 0, type, Slicer.RANGE);
  }

  private static void requireFor(ValueType<?> type, KvFilters filters) {
    boolean isFloating = type == ValueType.FLOATS || type == ValueType.DOUBLES; // not HALVES
    boolean isExact = filters.pushed() == null && filters.pulled() == null;
    if (!isFloating && !isExact) {
      throw new IllegalArgumentException(
          ("values of type " + type + " are sent as they are: filters must be without encoding,")
              + (" are " + filters));
    }
  }

  private void negotiate() {
    List<ServerLink> asked = List.of(links);
    asked.forEach(ServerLink::negotiate);
    Members members = node.members();
    if (!members.messenger().isHandling()) {
      boolean unused =
          members.await(
              () -> asked.stream().allMatch(ServerLink::isNegotiated),
              members.now() + ServerLink.PATIENCE_NANOS);
    }
  }

  private ServerLink link(int server) {
    if (server < 0 || server >= links.length) {
      throw new IllegalArgumentException(
          "server must be 0 to " + (links.length - 1) + ", is " + server);
    }
    return links[server];
  }

  /** The filters that a server has accepted; none until it has answered. */
  public KvFilters filters(int server) {
    return link(server).filters();
  }

  // Arrays.

  /** Pushes values, as {@link #push(long[], Object, KvCall)}. */
  public long push(long[] keys, A values) {
    return push(keys, values, KvCall.DEFAULTS);
  }

  /**
   * Pushes values.
   *
   * @return the timestamp of the call
   * @throws IllegalArgumentException if keys are not ascending, or the numbers of values do not fit
   */
  public long push(long[] keys, A values, KvCall options) {
    return pushCall(keys, values, options).timestamp();
  }

  ValueType<A> type() {
    return type;
  }

  /** Checks the arguments of a push. */
  void require(long[] keys, A values, KvCall options) {
    Operand<A> unused = arguments.arrays(keys, values, options);
  }

  Call<A> pushCall(long[] keys, A values, KvCall options) {
    return call(KvProtocol.PUSH, arguments.arrays(keys, values, options), null, options);
  }

  /** Pulls values, as {@link #pull(long[], Object, KvCall)}. */
  public long pull(long[] keys, A values) {
    return pull(keys, values, KvCall.DEFAULTS);
  }

  /**
   * Pulls values, the same number for each key, or as many as {@link KvCall#withLens} says.
   *
   * @param values gets them until the call has ended
   * @return the timestamp of the call
   * @throws IllegalArgumentException if keys are not ascending, or the length of values is neither
   *     the sum of lens nor, without them, a multiple of the number of keys
   */
  public long pull(long[] keys, A values, KvCall options) {
    return begin(
        KvProtocol.PULL,
        arguments.keys(keys, options),
        arguments.to(keys, values, options, false),
        options);
  }

  /** Pushes values and pulls the new ones, as {@link #pushPull(long[], Object, Object, KvCall)}. */
  public long pushPull(long[] keys, A values, A outs) {
    return pushPull(keys, values, outs, KvCall.DEFAULTS);
  }

  /**
   * Pushes values and pulls the new ones, the same number for each key, or as many as lens say if
   * outs has the length of their sum.
   *
   * @param outs gets the new values until the call has ended; may be the array of the values
   * @return the timestamp of the call
   * @throws IllegalArgumentException as {@link #push} and {@link #pull}
   */
  public long pushPull(long[] keys, A values, A outs, KvCall options) {
    return begin(
        KvProtocol.PUSH | KvProtocol.PULL,
        arguments.arrays(keys, values, options),
        arguments.to(keys, outs, options, true),
        options);
  }

  // Direct buffers.

  /**
   * Pushes values from direct buffers, whose long pieces are not copied.
   *
   * @param keys the remaining bytes, little-endian
   * @param values the remaining bytes, little-endian; not to be changed until the call has ended,
   *     like the keys
   * @return the timestamp of the call
   * @throws IllegalArgumentException if a buffer is not direct or not little-endian, if the slices
   *     of the slicer are not contiguous, or as {@link #push}
   */
  public long zPush(ByteBuffer keys, ByteBuffer values, KvCall options) {
    return begin(KvProtocol.PUSH, arguments.buffers(keys, values, options), null, options);
  }

  /**
   * Pulls values to a direct buffer.
   *
   * @param values room for the same number of values for each key
   * @return the timestamp of the call
   * @throws IllegalArgumentException as {@link #zPush}
   */
  public long zPull(ByteBuffer keys, ByteBuffer values, KvCall options) {
    Operand<A> operand = arguments.buffers(keys, null, options);
    return begin(KvProtocol.PULL, operand, arguments.to(operand, values, options), options);
  }

  /**
   * Pushes values from a direct buffer and pulls the new ones to another.
   *
   * @return the timestamp of the call
   * @throws IllegalArgumentException as {@link #zPush}
   */
  public long zPushPull(ByteBuffer keys, ByteBuffer values, ByteBuffer outs, KvCall options) {
    Operand<A> operand = arguments.buffers(keys, values, options);
    Sink<A> sink = arguments.to(operand, outs, options);
    return begin(KvProtocol.PUSH | KvProtocol.PULL, operand, sink, options);
  }

  // Futures.

  /**
   * Pushes values.
   *
   * @return completes when the servers have applied them. Actions added to it run in the thread
   *     that moves messages and must not wait; use those that take an executor for such
   */
  public CompletableFuture<Void> pushAsync(long[] keys, A values, KvCall options) {
    return pushCall(keys, values, options).future(() -> null);
  }

  /** Pulls values, any number for each key; the future is as that of {@link #pushAsync}. */
  public CompletableFuture<KvResult<A>> pullAsync(long[] keys, KvCall options) {
    return pulled(KvProtocol.PULL, arguments.keys(keys, options), options);
  }

  /** Pushes values and pulls the new ones; the future is as that of {@link #pushAsync}. */
  public CompletableFuture<KvResult<A>> pushPullAsync(long[] keys, A values, KvCall options) {
    return pulled(
        KvProtocol.PUSH | KvProtocol.PULL, arguments.arrays(keys, values, options), options);
  }

  private CompletableFuture<KvResult<A>> pulled(int flags, Operand<A> operand, KvCall options) {
    Sink.ToResult<A> sink = new Sink.ToResult<>(type, operand.size());
    return call(flags, operand, sink, options).future(sink::result);
  }

  // All.

  /**
   * Sets values, whatever servers do with pushes; what an optimizer keeps for them begins anew.
   *
   * @return the timestamp of the call
   * @throws IllegalArgumentException as {@link #push}
   */
  public long set(long[] keys, A values, KvCall options) {
    Operand<A> operand = arguments.arrays(keys, values, options);
    return begin(KvProtocol.PUSH | KvProtocol.SET, operand, null, options);
  }

  /**
   * Removes keys with their values; those that are not there are ignored.
   *
   * @return the timestamp of the call
   * @throws IllegalArgumentException if keys are not ascending
   */
  public long remove(long[] keys, KvCall options) {
    Operand<A> operand = arguments.keys(keys, options);
    return begin(KvProtocol.PUSH | KvProtocol.REMOVE, operand, null, options);
  }

  /**
   * Ends the round of this worker at all servers, after the calls before; for {@link
   * io.jgloo.ps.handle.Handles#boundedStaleness} and {@link io.jgloo.ps.handle.Handles#rounds}.
   *
   * @return the timestamp of the call
   */
  public long tick(KvCall options) {
    return begin(KvProtocol.TICK, arguments.none(), null, options);
  }

  /**
   * Ends the last round of this worker at all servers: others do not wait for it any more. A later
   * {@link #tick} takes it in again.
   *
   * @return the timestamp of the call
   */
  public long leave(KvCall options) {
    int flags = KvProtocol.TICK | KvProtocol.LEAVE;
    return begin(flags, arguments.none(), null, options);
  }

  /**
   * Removes keys that were not pushed for some rounds, at all servers; for {@link
   * io.jgloo.ps.handle.Handles#optimizer}, which answers others only when it has read all keys.
   * Rounds are those of the workers that pushed: {@link #tick} ends one.
   *
   * @param rounds of this worker, before the present one, whose keys stay
   * @return the timestamp of the call
   * @throws IllegalArgumentException if rounds is negative
   */
  public long evict(int rounds, KvCall options) {
    if (rounds < 0) {
      throw new IllegalArgumentException("rounds must not be negative, is " + rounds);
    }
    int flags = KvProtocol.TICK | KvProtocol.EVICT;
    return begin(flags, arguments.none(), null, options.withCommand(rounds));
  }

  /**
   * Lets each server write its snapshot, to the file of {@link ServerOptions#withSnapshot}. What is
   * under way may be in it or not: a barrier of the workers comes before, if all are to be in it.
   *
   * @return completes when all have, or with an exception that names a server
   */
  public CompletableFuture<Void> checkpoint(Duration timeout) {
    return snapshots(true, timeout);
  }

  /**
   * Lets each server take the values of its snapshot in place of the present ones. No call may be
   * under way.
   *
   * @return completes when all have, or with an exception that names a server
   */
  public CompletableFuture<Void> restore(Duration timeout) {
    return snapshots(false, timeout);
  }

  /** Asks all servers to write or to read their snapshots. */
  private CompletableFuture<Void> snapshots(boolean isWrite, Duration timeout) {
    Members members = node.members();
    ByteBuffer content = KvProtocol.allocate(5).putInt(app).put((byte) (isWrite ? 1 : 0));
    long deadline = members.now() + Clock.nanos(timeout);
    return CompletableFuture.allOf(
        node.topology().nodes(Topology.SERVERS).stream()
            .map(
                to -> SimpleApp.call(members, to, KvProtocol.CHECKPOINT_SERVICE, content, deadline))
            .toArray(CompletableFuture[]::new));
  }

  /** The present round of this worker: 1, and one more after each tick. */
  public long round() {
    return round.get();
  }

  /** Continues with a round, such as that of the worker that this one replaces. */
  public void continueRound(long number) {
    round.set(number);
  }

  private long begin(int flags, Operand<A> operand, @Nullable Sink<A> sink, KvCall options) {
    return call(flags, operand, sink, options).timestamp();
  }

  private Call<A> call(int flags, Operand<A> operand, @Nullable Sink<A> sink, KvCall options) {
    Call<A> repeated = options.repeats() < 0 ? null : calls.repeat(options.repeats());
    boolean hasSucceeded = options.repeats() >= 0 && repeated == null;
    int left = hasSucceeded ? flags & KvProtocol.PULL : flags;
    boolean isDone = hasSucceeded && left == 0;
    boolean isTick =
        options.repeats() < 0 && (left & (KvProtocol.TICK | KvProtocol.EVICT)) == KvProtocol.TICK;
    long now = isTick ? round.getAndIncrement() : round.get();
    long deadline = node.members().now() + Clock.nanos(options.timeout());
    Call<A> call = calls.add(repeated, now, type, left, options, sink, deadline);
    try {
      if (!isDone) {
        cutter.send(call, operand);
      }
    } finally { // also of one whose slicer throws
      call.ended(null);
    }
    return call;
  }

  /**
   * Waits until a call has ended.
   *
   * @param timestamp of a call of this customer
   * @throws IllegalArgumentException if there was no such call
   * @throws io.jgloo.ps.kv.ServerErrorException if a server answered with an error
   * @throws io.jgloo.ps.node.NodeLostException if a server was lost; pushes may have been applied
   * @throws io.jgloo.ps.kv.CallTimeoutException if the call had no result in time; pushes may have
   *     been applied
   * @throws io.jgloo.ps.kv.StateLostException if a server was replaced without its values
   * @throws IllegalStateException if the calling thread runs a callback or a handler
   */
  public void waitFor(long timestamp) {
    calls.await(node.members(), timestamp);
  }

  /** Lets calls go to the present server of a rank, which may not have the values of the last. */
  public void acceptState(int server) {
    link(server).acceptState();
  }

  /** The node of this customer. */
  public PsNode node() {
    return node;
  }
}
