package io.jgloo.ps;

import io.jgloo.transport.Clock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

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
  private final ValueType<A> type;
  private final ServerLink[] links;
  private final Slicer slicer;
  private final Cutter<A> cutter;
  private final Calls<A> calls = new Calls<>();

  /** Null if all keys of a push are sent. */
  private final TopKeys<A> top;

  private KvWorker(
      PsNode node, int app, int customer, ValueType<A> type, Slicer slicer, KvFilters filters) {
    this.node = node;
    this.type = type;
    this.slicer = slicer;
    links = new ServerLink[node.topology().servers()];
    Arrays.setAll(links, rank -> new ServerLink(node, rank, app, customer, filters, calls::floor));
    cutter = new Cutter<>(slicer, links, type);
    top = filters.top() < 1 ? new TopKeys<>(type, filters.top()) : null;
    if (top != null) {
      node.atExit(top::close);
    }
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
    filters.requireFor(type);
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

  private void negotiate() {
    List<ServerLink> asked = List.of(links);
    asked.forEach(ServerLink::negotiate);
    if (!node.messenger().isHandling()) {
      boolean unused =
          node.await(
              () -> asked.stream().allMatch(ServerLink::isNegotiated),
              node.now() + ServerLink.PATIENCE_NANOS);
    }
  }

  /** The filters that a server has accepted; none until it has answered. */
  public KvFilters filters(int server) {
    return links[server].filters();
  }

  // Arrays.

  /** Pushes values, as {@link #push(long[], Object, KvCall)}. */
  public int push(long[] keys, A values) {
    return push(keys, values, KvCall.DEFAULTS);
  }

  /**
   * Pushes values.
   *
   * @return the timestamp of the call
   * @throws IllegalArgumentException if keys are not ascending, the numbers of values do not fit,
   *     or the call repeats one whose choice of {@link KvFilter#TOP_K} is not known any more
   */
  public int push(long[] keys, A values, KvCall options) {
    return push(keys, values, options, call -> {});
  }

  private int push(long[] keys, A values, KvCall options, Consumer<Call<A>> then) {
    Operand<A> operand = arrays(keys, values, options);
    if (top == null || !Arrays.stream(links).allMatch(link -> link.filters().top() < 1)) {
      return begin(KvProtocol.PUSH, operand, null, options, then);
    }
    TopKeys.Selection<A> selection = calls.selection(options.repeats());
    if (selection == null) {
      selection = top.select(keys, values, options.lens());
    }
    KvCall some = options.withLens(selection.lens());
    Operand<A> part = new Operand.OfArrays<>(type, selection.keys(), selection.values());
    return begin(KvProtocol.PUSH, part, null, some, then, selection);
  }

  /** Pulls values, as {@link #pull(long[], Object, KvCall)}. */
  public int pull(long[] keys, A values) {
    return pull(keys, values, KvCall.DEFAULTS);
  }

  /**
   * Pulls values, the same number for each key.
   *
   * @param values gets them until the call has ended
   * @return the timestamp of the call
   * @throws IllegalArgumentException if keys are not ascending, or the length of values is not a
   *     multiple of their number
   */
  public int pull(long[] keys, A values, KvCall options) {
    return begin(
        KvProtocol.PULL, arrays(keys, null, options), to(keys, values), options, call -> {});
  }

  /** Pushes values and pulls the new ones, as {@link #pushPull(long[], Object, Object, KvCall)}. */
  public int pushPull(long[] keys, A values, A outs) {
    return pushPull(keys, values, outs, KvCall.DEFAULTS);
  }

  /**
   * Pushes values and pulls the new ones, the same number for each key.
   *
   * @param outs gets the new values until the call has ended; may be the array of the values
   * @return the timestamp of the call
   * @throws IllegalArgumentException as {@link #push} and {@link #pull}
   */
  public int pushPull(long[] keys, A values, A outs, KvCall options) {
    return begin(
        KvProtocol.PUSH | KvProtocol.PULL,
        arrays(keys, values, options),
        to(keys, outs),
        options,
        call -> {});
  }

  private Operand<A> arrays(long[] keys, A values, KvCall options) {
    Operand<A> operand = new Operand.OfArrays<>(type, keys, values);
    operand.requireAscending();
    if (values == null) {
      return operand;
    }
    int[] lens = options.lens();
    long wanted = keys.length == 0 ? 0 : type.length(values) / keys.length * (long) keys.length;
    if (lens != null) {
      if (lens.length != keys.length || Arrays.stream(lens).anyMatch(length -> length < 0)) {
        throw new IllegalArgumentException(
            "lens must be " + keys.length + " numbers from 0 on, are " + Arrays.toString(lens));
      }
      wanted = Arrays.stream(lens).asLongStream().sum();
    }
    if (type.length(values) != wanted) {
      throw new IllegalArgumentException(
          type.length(values) + " values do not fit " + keys.length + " keys: must be " + wanted);
    }
    return operand;
  }

  private Sink<A> to(long[] keys, A values) {
    return new Sink.ToArray<>(values, each(keys.length, type.length(values)));
  }

  private static int each(int keys, int values) {
    if (keys == 0 ? values != 0 : values % keys != 0) {
      throw new IllegalArgumentException(
          "room for " + values + " values is not a multiple of " + keys + " keys");
    }
    return keys == 0 ? 0 : values / keys;
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
  public int zPush(ByteBuffer keys, ByteBuffer values, KvCall options) {
    return begin(KvProtocol.PUSH, buffers(keys, values, options), null, options, call -> {});
  }

  /**
   * Pulls values to a direct buffer.
   *
   * @param values room for the same number of values for each key
   * @return the timestamp of the call
   * @throws IllegalArgumentException as {@link #zPush}
   */
  public int zPull(ByteBuffer keys, ByteBuffer values, KvCall options) {
    Operand<A> operand = buffers(keys, null, options);
    return begin(KvProtocol.PULL, operand, to(operand, values), options, call -> {});
  }

  /**
   * Pushes values from a direct buffer and pulls the new ones to another.
   *
   * @return the timestamp of the call
   * @throws IllegalArgumentException as {@link #zPush}
   */
  public int zPushPull(ByteBuffer keys, ByteBuffer values, ByteBuffer outs, KvCall options) {
    Operand<A> operand = buffers(keys, values, options);
    Sink<A> sink = to(operand, outs);
    return begin(KvProtocol.PUSH | KvProtocol.PULL, operand, sink, options, call -> {});
  }

  private Operand<A> buffers(ByteBuffer keys, ByteBuffer values, KvCall options) {
    requireDirect(keys);
    if (!slicer.isMonotone() && links.length > 1) {
      throw new IllegalArgumentException("calls without copy need contiguous slices");
    }
    if (options.lens() != null) {
      throw new IllegalArgumentException("calls without copy have no lens");
    }
    Operand<A> operand = new Operand.OfBuffers<>(type, keys.duplicate(), values);
    operand.requireAscending();
    if (values != null) {
      requireDirect(values);
      each(operand.size(), operand.valueCount());
    }
    return operand;
  }

  private static void requireDirect(ByteBuffer buffer) {
    if (!buffer.isDirect() || buffer.order() != ByteOrder.LITTLE_ENDIAN) {
      throw new IllegalArgumentException("buffer must be direct and little-endian, is " + buffer);
    }
  }

  private Sink<A> to(Operand<A> operand, ByteBuffer values) {
    requireDirect(values);
    int each = each(operand.size(), values.remaining() / type.bytes());
    return new Sink.ToBuffer<>(values.duplicate(), each, type.bytes());
  }

  // Futures.

  /**
   * Pushes values.
   *
   * @return completes when the servers have applied them. Actions added to it run in the thread
   *     that moves messages and must not wait; use those that take an executor for such
   */
  public CompletableFuture<Void> pushAsync(long[] keys, A values, KvCall options) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    int unused = push(keys, values, options, call -> complete(future, call, () -> null));
    return future;
  }

  /** Pulls values, any number for each key; the future is as that of {@link #pushAsync}. */
  public CompletableFuture<KvResult<A>> pullAsync(long[] keys, KvCall options) {
    return pulled(KvProtocol.PULL, arrays(keys, null, options), options);
  }

  /** Pushes values and pulls the new ones; the future is as that of {@link #pushAsync}. */
  public CompletableFuture<KvResult<A>> pushPullAsync(long[] keys, A values, KvCall options) {
    return pulled(KvProtocol.PUSH | KvProtocol.PULL, arrays(keys, values, options), options);
  }

  private CompletableFuture<KvResult<A>> pulled(int flags, Operand<A> operand, KvCall options) {
    CompletableFuture<KvResult<A>> future = new CompletableFuture<>();
    Sink.ToResult<A> sink = new Sink.ToResult<>(type, operand.size());
    int unused = begin(flags, operand, sink, options, call -> complete(future, call, sink::result));
    return future;
  }

  private static <R> void complete(CompletableFuture<R> future, Call<?> call, Supplier<R> result) {
    if (call.failure() != null) {
      future.completeExceptionally(call.failure());
      return;
    }
    try {
      future.complete(result.get());
    } catch (RuntimeException | Error e) { // no memory for the arrays
      future.completeExceptionally(e);
    }
  }

  // All.

  /**
   * Ends a step of this worker at all servers, after the calls before; for {@link
   * Handles#boundedStaleness}.
   *
   * @return the timestamp of the call
   */
  public int tick(KvCall options) {
    Operand<A> none = new Operand.OfArrays<>(type, new long[0], null);
    return begin(KvProtocol.TICK, none, null, options, call -> {});
  }

  private int begin(
      int flags, Operand<A> operand, Sink<A> sink, KvCall options, Consumer<Call<A>> then) {
    return begin(flags, operand, sink, options, then, null);
  }

  private int begin(
      int flags,
      Operand<A> operand,
      Sink<A> sink,
      KvCall options,
      Consumer<Call<A>> then,
      TopKeys.Selection<A> selection) {
    int timestamp = calls.newTimestamp();
    Call<A> call =
        new Call<>(
            timestamp,
            type,
            flags,
            options,
            sink,
            selection,
            node.now() + Clock.nanos(options.timeout()),
            ended -> {
              calls.ended(ended);
              then.accept(ended);
            });
    calls.add(call);
    try {
      cutter.send(call, operand);
    } finally { // also of one whose slicer throws
      call.ended(null);
    }
    return timestamp;
  }

  /**
   * Waits until a call has ended.
   *
   * @param timestamp of a call of this customer
   * @throws IllegalArgumentException if there was no such call
   * @throws ServerErrorException if a server answered with an error
   * @throws NodeLostException if a server was lost; pushes may have been applied
   * @throws CallTimeoutException if the call had no result in time; pushes may have been applied
   * @throws StateLostException if a server was replaced without its values
   * @throws IllegalStateException if the calling thread runs a callback or a handler
   */
  public void waitFor(int timestamp) {
    calls.await(node, timestamp);
  }

  /** Lets calls go to the present server of a rank, which may not have the values of the last. */
  public void acceptState(int server) {
    links[server].acceptState();
  }

  /** The node of this customer. */
  public PsNode node() {
    return node;
  }
}
