package io.jgloo.ps;

import io.jgloo.ps.handle.RequestHandle;
import io.jgloo.ps.handle.Responder;
import io.jgloo.ps.handle.StatefulHandle;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.server.Forwarder;
import io.jgloo.ps.server.KeyCache;
import io.jgloo.ps.server.KeyRange;
import io.jgloo.ps.server.Replication;
import io.jgloo.ps.server.RequestContent;
import io.jgloo.ps.server.RequestOrder;
import io.jgloo.ps.server.Response;
import io.jgloo.ps.server.Snapshot;
import io.jgloo.ps.wire.FilterBits;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.IncomingRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

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
  private final KeyCache keyLists;
  private final Object lock = new Object();

  /** The stores of its handles, of which no two have the same. */
  private final Map<Object, Boolean> stores = new WeakHashMap<>();

  /** Null without replicas. */
  private final @Nullable Replication<A> replication;

  @SuppressWarnings("NullAway.Init") // set by start
  private volatile KeyRange<A> own;

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
    replication =
        node.options().replicas() == 0
            ? null
            : new Replication<>(node.members(), app, type, lock, this::range);
  }

  /**
   * Registers an application, before its node starts.
   *
   * @param app its number, the same as at the workers
   * @param handles makes the handle of each shard, and with replicas of each shard of a replica;
   *     one that has a store is a new one each time, or the start of the node fails
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
      PsNode node, int app, ValueType<A> type, IntFunction<RequestHandle<A>> handles) {
    return open(node, app, type, ServerOptions.DEFAULTS, handles);
  }

  /** Number of the application. */
  public int app() {
    return app;
  }

  /** Whether it has started from a snapshot or a replica. */
  public boolean isRestored() {
    return restored;
  }

  PsNode node() {
    return node;
  }

  /** Null without replicas. */
  @Nullable Replication<A> replication() {
    return replication;
  }

  /** The filters that it accepts, as bits. */
  int filters() {
    return FilterBits.of(options.filters());
  }

  /** Lists of keys that workers have sent. */
  KeyCache keyLists() {
    return keyLists;
  }

  // The start.

  /** The node has started: makes the shards, gets the values if there are some, and begins. */
  void start(NodeId itself) {
    KeyRange<A> values = range(itself.rank());
    Replication.Source source = replication == null ? null : replication.restore(values);
    Path file = options.snapshot() == null ? null : options.snapshot().apply(itself.rank());
    boolean hasFile = source == null && file != null && Files.exists(file);
    if (hasFile) {
      Snapshot.read(file, type, values.applied(), values::load);
    }
    restored = hasFile || source != null;
    boolean isOriginal = restored || !node.isReplacement();
    synchronized (lock) {
      own = values;
      state = source != null ? source.state() : KvProtocol.ORIGINAL;
      state = isOriginal ? state : node.incarnation();
      if (replication != null) {
        replication.begin(values, state, source);
      }
      List.copyOf(orders.values()).forEach(this::advance);
    }
  }

  private KeyRange<A> range(int owner) {
    return new KeyRange<>(
        node.members(),
        app,
        owner,
        options.shards() > 0,
        options.firstKeys(owner, node.topology().servers()),
        this::handle,
        lock);
  }

  private RequestHandle<A> handle(int shard) {
    RequestHandle<A> handle = handles.apply(shard);
    synchronized (stores) {
      if (handle instanceof StatefulHandle<A> its && stores.put(its.store(), true) != null) {
        throw new IllegalStateException(
            ("the handle of shard " + shard + " of application " + app + " has the store of")
                + " another shard or replica: handles must be made anew each time");
      }
    }
    return handle;
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

  /** A node is lost: what it sent and has not begun is not executed. */
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
      keyLists.lost(worker);
      if (own != null) {
        own.applied().lost(worker);
      }
      if (replication != null) {
        replication.lost(worker);
      }
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
    new Response(request::reply, request.message()::close, head, type, state, 1, () -> {})
        .fail(0, code, text);
  }

  private void begin(KvProtocol.Head head, IncomingRequest request, RequestContent content) {
    Forwarder forwarder = forwarder(head);
    long number = forwarder == null ? 0 : forwarder.takeNumber();
    Runnable release =
        () -> {
          request.message().close();
          content.close();
        };
    Response response =
        own.execute(
            request.from(),
            head,
            content.pairs(type),
            forwarder == null ? 0 : 1,
            (parts, failed) ->
                new Response(request::reply, release, head, type, state, parts, failed));
    if (forwarder != null) {
      forwarder.forward(number, request.from(), head, content, response::end);
    }
  }

  /** What repeats a request at the replicas; null if it is not to be repeated. */
  private @Nullable Forwarder forwarder(KvProtocol.Head head) {
    Forwarder forwarder = replication == null ? null : replication.forwarder();
    boolean isDue =
        forwarder != null
            && forwarder.isOn()
            && (head.has(KvProtocol.PUSH) || head.has(KvProtocol.TICK));
    return isDue ? forwarder : null;
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
    try (Snapshot snapshot = new Snapshot(file, type)) {
      synchronized (lock) {
        if (closed || state == 0) {
          throw new IllegalStateException("application " + app + " is closed or has not started");
        }
        own.requireStores();
        own.save(snapshot.writer());
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
    if (own != null) {
      own.close();
    }
    if (replication != null) {
      replication.close();
    }
  }
}
