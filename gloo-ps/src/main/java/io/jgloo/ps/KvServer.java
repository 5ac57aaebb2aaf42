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
import io.jgloo.ps.server.StateReader;
import io.jgloo.ps.wire.FilterBits;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.transport.memory.Memory;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;
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
            : new Replication<>(node.members(), app, node.options().replicas(), lock, this::range);
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
    Replication.Source source;
    try {
      source = replication == null ? null : replication.restore(values);
      restored = source != null || load(values, itself.rank());
    } catch (RuntimeException e) {
      values.close();
      throw e;
    }
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

  /**
   * Reads the snapshot of this server or, if those there are were made by other servers or with
   * another slicer, its keys from all of them; false if there is none.
   */
  private boolean load(KeyRange<A> values, int rank) {
    IntFunction<Path> files = options.snapshot();
    if (files == null) {
      return false;
    }
    Path own = files.apply(rank);
    Path first = Files.exists(own) ? own : files.apply(0);
    if (!Files.exists(first)) {
      return false;
    }
    try {
      StateReader.Header header;
      try (DataInputStream in = Snapshot.open(first)) {
        header = StateReader.Header.read(in, "snapshot " + first);
      }
      if (values.isOf(header)) {
        if (!Files.exists(own)) {
          return false;
        }
        load(values, own, header, null);
        return true;
      }
      int servers = node.topology().servers();
      for (int other = 0; other < header.servers(); other++) {
        load(
            values,
            files.apply(other),
            header,
            key -> options.slicer().server(key, servers) == rank);
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException("application " + app + " cannot be restored: " + e, e);
    }
  }

  private static void load(
      KeyRange<?> values, Path file, StateReader.Header first, @Nullable LongPredicate isWanted)
      throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(
          file + " is missing: the snapshot is that of " + first.servers() + " servers");
    }
    String name = "snapshot " + file;
    try (DataInputStream in = Snapshot.open(file)) {
      StateReader.Header header = StateReader.Header.read(in, name);
      if (header.servers() != first.servers() || !header.slicer().equals(first.slicer())) {
        throw new IOException(
            (name + " is of " + header.servers() + " servers and slicer " + header.slicer())
                + (", another one of " + first.servers() + " and " + first.slicer()));
      }
      values.load(header, in, name, isWanted);
    }
  }

  private KeyRange<A> range(int owner) {
    return new KeyRange<>(
        node.members(),
        app,
        owner,
        type,
        options.slicer(),
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
              new Customer(request.from(), head.origin().customer()), key -> new RequestOrder());
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
        own.lost(worker);
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
    if (head.content().type() != type.code()) {
      refuse(head, request, Responder.WRONG_TYPE, "values of application " + app + " are " + type);
      return;
    }
    Block cached = null;
    if (head.has(KvProtocol.DIGEST)) {
      cached = keyLists.find(request.from(), head.content().digest(), head.content().keys());
      if (cached == null) {
        order.repeat(head);
        request.message().close();
        request.reply(KvProtocol.KEYS_MISSING, KvProtocol.EMPTY);
        return;
      }
    }
    RequestContent content = RequestContent.read(head, request.message(), type, cached);
    if (content == null) {
      refuse(head, request, Responder.WRONG_LENGTH, "keys, lens and values do not fit together");
      return;
    }
    if (head.has(KvProtocol.KEEP)) {
      keyLists.add(request.from(), head.content().digest(), head.content().keys(), content.keys());
    }
    String owner = head.content().keys() == 0 ? null : otherOwner(Memory.getLong(content.keys()));
    if (owner != null) {
      content.close();
      refuse(head, request, Responder.WRONG_SERVER, owner);
      return;
    }
    begin(head, request, content);
  }

  /** Says which other server has a key by the slicer; null for none. */
  private @Nullable String otherOwner(long key) {
    int servers = node.topology().servers();
    if (servers == 1) {
      return null;
    }
    String owner;
    try {
      owner = "server " + options.slicer().server(key, servers);
    } catch (RuntimeException e) { // user code
      owner = "no server (" + e + ")";
    }
    return owner.equals(node.id().toString())
        ? null
        : ("key " + Long.toUnsignedString(key) + " of application " + app + " is that of " + owner)
            + " by the slicer of this server: the worker uses another one than"
            + " ServerOptions.withSlicer says";
  }

  private void refuse(KvProtocol.Head head, IncomingRequest request, int code, String text) {
    new Response(request::reply, request.message()::close, head, type, state)
        .expect(1)
        .fail(0, code, text);
  }

  private void begin(KvProtocol.Head head, IncomingRequest request, RequestContent content) {
    List<Forwarder> forwarders =
        replication == null || !head.isChange() ? List.of() : replication.forwarders();
    long[] numbers = forwarders.stream().mapToLong(Forwarder::takeNumber).toArray();
    Runnable release =
        () -> {
          request.message().close();
          content.close();
        };
    Response response = new Response(request::reply, release, head, type, state);
    own.execute(request.from(), head, content.pairs(type), forwarders.size(), response);
    for (int i = 0; i < numbers.length; i++) {
      forwarders.get(i).forward(numbers[i], request.from(), head, content, response::end);
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
    StateReader reader;
    synchronized (lock) {
      if (closed || state == 0) {
        throw new IllegalStateException("application " + app + " is closed or has not started");
      }
      reader = own.read();
    }
    Snapshot.write(file, reader, timeout);
  }

  /** Writes or reads the file of the options; returns what is wrong, or an empty text. */
  String checkpoint(boolean isWrite) {
    IntFunction<Path> files = options.snapshot();
    if (files == null) {
      return "ServerOptions.withSnapshot is not set";
    }
    try {
      if (isWrite) {
        snapshot(files.apply(node.id().rank()));
      } else {
        restore();
      }
      return "";
    } catch (IOException | RuntimeException e) {
      return e.toString();
    }
  }

  /** Takes the values of a snapshot in place of the present ones. */
  private void restore() throws IOException {
    KeyRange<A> values = range(node.id().rank());
    KeyRange<A> unused = values;
    try {
      if (!load(values, node.id().rank())) {
        throw new NoSuchFileException("there is no snapshot");
      }
      synchronized (lock) {
        if (closed || state == 0) {
          throw new IllegalStateException("application " + app + " is closed or has not started");
        }
        unused = own;
        own = values;
        if (replication != null) {
          replication.restored(values);
        }
      }
    } finally {
      unused.close();
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
