package io.jgloo.ps;

import io.jgloo.rpc.message.AgentId;
import io.jgloo.rpc.message.Block;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.rpc.message.Message;
import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * An application at a server: executes the requests of its workers by handles.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: its handles and their threads; its node closes it.
 */
public final class KvServer<A> implements AutoCloseable {

  private static final Duration SNAPSHOT = Duration.ofMinutes(10);

  private record Customer(AgentId worker, int number) {}

  private final PsNode node;
  private final int app;
  private final ValueType<A> type;
  private final ServerOptions options;
  private final IntFunction<RequestHandle<A>> handles;
  private final Map<Customer, RequestOrder> orders = new HashMap<>();
  private final AppliedPushes applied = new AppliedPushes();
  private final KeyCache keyLists;
  private final Object lock = new Object();
  private volatile List<Shard<A>> shards = List.of();
  private long[] firstKeys = {};
  private NodeId self;
  private boolean restored;
  private boolean closed;

  /** Identifies the values; 0 until it has started, and requests wait. */
  private long state;

  private KvServer(
      PsNode node,
      int app,
      ValueType<A> type,
      ServerOptions options,
      IntFunction<RequestHandle<A>> handles) {
    this.node = node;
    this.app = app;
    this.type = type;
    this.options = options;
    this.handles = handles;
    keyLists = new KeyCache(options.keyCacheBytes());
  }

  /**
   * Registers an application, before its node starts.
   *
   * @param app its number, the same as at the workers
   * @param handles makes the handle of each shard
   * @throws IllegalStateException if the node is no server, has started, or has this application
   */
  public static <A> KvServer<A> open(
      PsNode node,
      int app,
      ValueType<A> type,
      ServerOptions options,
      IntFunction<RequestHandle<A>> handles) {
    KvServer<A> server = new KvServer<>(node, app, type, options, handles);
    node.register(app, server);
    return server;
  }

  /** As {@link #open(PsNode, int, ValueType, ServerOptions, IntFunction)}, with one shard. */
  public static <A> KvServer<A> open(
      PsNode node, int app, ValueType<A> type, RequestHandle<A> handle) {
    return open(node, app, type, ServerOptions.DEFAULTS, shard -> handle);
  }

  /** Number of the application. */
  public int app() {
    return app;
  }

  /** Whether it has started from a snapshot. */
  public boolean isRestored() {
    return restored;
  }

  /** The filters that it accepts, as bits. */
  int filters() {
    return KvFilter.bits(options.filters());
  }

  /** Lists of keys that workers have sent. */
  KeyCache keyLists() {
    return keyLists;
  }

  // The start.

  /** The node has started: makes the shards, reads the snapshot if there is one, and begins. */
  void start(NodeId itself) {
    self = itself;
    int count = Math.max(1, options.shards());
    List<Shard<A>> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = "jgloo-ps-" + itself.rank() + "-" + app + "-" + i;
      made.add(new Shard<>(handles.apply(i), options.shards() == 0 ? null : name));
    }
    firstKeys = firstKeys(count);
    shards = List.copyOf(made);
    Path file = options.snapshot() == null ? null : options.snapshot().apply(itself.rank());
    restored = file != null && Files.exists(file);
    applied.begin(node.run());
    if (restored) {
      Snapshot.read(file, type, applied, this::load);
    }
    synchronized (lock) {
      boolean isOriginal = restored || !node.isReplacement();
      state = isOriginal ? KvProtocol.ORIGINAL : node.incarnation();
      orders.values().forEach(this::advance);
    }
  }

  private long[] firstKeys(int count) {
    int servers = node.topology().servers();
    boolean isSlice = options.firstKey() == 0 && options.lastKey() == 0;
    long first = isSlice ? Slicer.firstKey(self.rank(), servers) : options.firstKey();
    long last = options.lastKey();
    if (isSlice) {
      last = self.rank() == servers - 1 ? -1L : Slicer.firstKey(self.rank() + 1, servers) - 1;
    }
    long[] bounds = new long[count];
    for (int i = 0; i < count; i++) {
      bounds[i] = first + i * Long.divideUnsigned(last - first, count);
    }
    return bounds;
  }

  private void load(long key, byte[] value) {
    int shard = firstKeys.length - 1;
    while (shard > 0 && Long.compareUnsigned(key, firstKeys[shard]) < 0) {
      shard--;
    }
    Shard<A> its = shards.get(shard);
    if (!(its.handle() instanceof StatefulHandle<A> handle)) {
      throw new IllegalStateException("the handle of application " + app + " has no store");
    }
    Memory.copy(value, 0, handle.store().findOrAdd(key, value.length), value.length);
  }

  // Requests.

  void received(KvProtocol.Head head, IncomingRequest request) {
    synchronized (lock) {
      if (closed) {
        request.refuse("application " + app + " is closed");
        request.message().close();
        return;
      }
      RequestOrder order =
          orders.computeIfAbsent(
              new Customer(request.from(), head.customer()), key -> new RequestOrder());
      if (!order.add(head, request)) {
        request.refuse("a request of this number was received");
        request.message().close();
      }
      advance(order);
    }
  }

  void skip(AgentId from, int customer, int stream, long number) {
    synchronized (lock) {
      RequestOrder order =
          orders.computeIfAbsent(new Customer(from, customer), key -> new RequestOrder());
      order.skip(stream, number);
      advance(order);
    }
  }

  private void advance(RequestOrder order) {
    RequestOrder.Entry next = state == 0 ? null : order.poll();
    for (; next != null; next = order.poll()) {
      if (next.request().begin()) {
        begin(order, next.head(), next.request());
      } else {
        next.request().message().close();
      }
    }
  }

  /** A worker is lost: what it sent and has not begun is not executed. */
  void lost(AgentId worker) {
    synchronized (lock) {
      orders
          .entrySet()
          .removeIf(
              entry -> {
                boolean its = entry.getKey().worker.equals(worker);
                if (its) {
                  entry.getValue().end();
                }
                return its;
              });
      applied.lost(worker);
      keyLists.lost(worker);
    }
  }

  private void begin(RequestOrder order, KvProtocol.Head head, IncomingRequest request) {
    if (head.state() != state) {
      request.message().close();
      request.reply(
          KvProtocol.STATE_LOST,
          KvProtocol.message(KvProtocol.allocate(8).putLong(state), List.of()));
      return;
    }
    if (head.type() != type.code()) {
      refuse(head, request, Responder.WRONG_TYPE, "values of application " + app + " are " + type);
      return;
    }
    Block cached = null;
    if (head.has(KvProtocol.DIGEST)) {
      cached = keyLists.find(request.from(), head.digest(), head.keys());
      if (cached == null) {
        order.repeat(head);
        request.message().close();
        Message none = KvProtocol.message(KvProtocol.allocate(0), List.of());
        request.reply(KvProtocol.KEYS_MISSING, none);
        return;
      }
    }
    RequestContent content = RequestContent.read(head, request.message(), type, cached);
    if (content == null) {
      refuse(head, request, Responder.WRONG_LENGTH, "keys, lens and values do not fit together");
      return;
    }
    if (head.has(KvProtocol.KEEP)) {
      keyLists.add(request.from(), head.digest(), head.keys(), content.keys());
    }
    begin(head, request, content);
  }

  private void refuse(KvProtocol.Head head, IncomingRequest request, int code, String text) {
    new Response(request, () -> {}, head, type, state, 1, () -> {}).fail(0, code, text);
  }

  private void begin(KvProtocol.Head head, IncomingRequest request, RequestContent content) {
    KvPairs<A> pairs = content.pairs(type);
    AgentId from = request.from();
    boolean isPush = head.has(KvProtocol.PUSH);
    long first = pairs.size() == 0 ? 0 : pairs.key(0);
    boolean isRepeated = isPush && !applied.add(from, head, first);
    RequestMeta meta =
        new RequestMeta(
            node.topology().node(from.rank()),
            head.customer(),
            head.command(),
            isPush,
            head.has(KvProtocol.PULL),
            head.has(KvProtocol.TICK),
            head.timestamp(),
            KvProtocol.STREAM_PRIORITIES.get(head.stream()));
    int[] cuts = cuts(pairs, meta.isTick());
    int parts = 0;
    for (int shard = 0; shard < shards.size(); shard++) {
      parts += cuts[shard + 1] > cuts[shard] || meta.isTick() ? 1 : 0;
    }
    Response response =
        new Response(
            request,
            content::close,
            head,
            type,
            state,
            Math.max(1, parts),
            isPush && !isRepeated ? () -> forget(from, head, first) : () -> {});
    if (parts == 0) {
      response.end(0, null, null);
      return;
    }
    int part = 0;
    for (int shard = 0; shard < shards.size(); shard++) {
      if (cuts[shard + 1] > cuts[shard] || meta.isTick()) {
        KvPairs<A> its = pairs.range(cuts[shard], cuts[shard + 1]);
        Responder<A> responder = new Responder<>(response, part++, type);
        shards.get(shard).execute(meta, its, responder, isRepeated);
      }
    }
  }

  /** Where the keys of each shard begin; all shards get a tick. */
  private int[] cuts(KvPairs<A> pairs, boolean isTick) {
    int[] cuts = new int[shards.size() + 1];
    cuts[shards.size()] = isTick ? 0 : pairs.size();
    for (int shard = 1; shard < shards.size() && !isTick; shard++) {
      cuts[shard] = Math.max(cuts[shard - 1], pairs.lowerBound(firstKeys[shard]));
    }
    return cuts;
  }

  private void forget(AgentId worker, KvProtocol.Head head, long firstKey) {
    synchronized (lock) {
      applied.remove(worker, head, firstKey);
    }
  }

  // Snapshots.

  /** As {@link #snapshot(Path, Duration)}, with a timeout of ten minutes. */
  public void snapshot(Path file) throws IOException {
    snapshot(file, SNAPSHOT);
  }

  /**
   * Writes all values to a file, as they are between two requests: each request is in it with all
   * of its shards or not at all.
   *
   * @param timeout how long to wait for the handles
   * @throws IOException if it cannot be written, or not in time; an existing file is unchanged then
   * @throws IllegalStateException if a handle has no store, or the application is closed
   */
  public void snapshot(Path file, Duration timeout) throws IOException {
    for (Shard<A> shard : shards) {
      if (!(shard.handle() instanceof StatefulHandle<A>)) {
        throw new IllegalStateException("the handle of application " + app + " has no store");
      }
    }
    try (Snapshot snapshot = new Snapshot(file, type)) {
      synchronized (lock) {
        if (closed || state == 0) {
          throw new IllegalStateException("application " + app + " is closed or has not started");
        }
        snapshot.add(applied);
        for (Shard<A> shard : shards) {
          snapshot.add(shard);
        }
      }
      snapshot.finish(timeout);
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      orders.values().forEach(RequestOrder::end);
      orders.clear();
      keyLists.close();
    }
    shards.forEach(Shard::close);
  }
}
