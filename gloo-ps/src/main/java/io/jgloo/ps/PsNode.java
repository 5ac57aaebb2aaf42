package io.jgloo.ps;

import io.jgloo.ps.client.ServerLink;
import io.jgloo.ps.membership.Barriers;
import io.jgloo.ps.membership.Join;
import io.jgloo.ps.membership.Members;
import io.jgloo.ps.node.NodeCountException;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.ps.server.Replication;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.join.StoreJoin;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreCredentials;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.PeerListener;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.rpc.message.Messenger;
import io.jgloo.transport.Clock;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.PeerLostException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A node of a parameter server: the scheduler, a server or a worker.
 *
 * <p>Life: made; applications are registered ({@link KvServer#open}, {@link SimpleApp#open});
 * {@link #start}; calls; {@link #finish} or {@link #close}. A process may have any number of nodes,
 * of the same system or of others.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: its connections, its applications, and the store that the
 * scheduler serves.
 */
public final class PsNode implements AutoCloseable {

  /**
   * Receives notices of nodes that come and go.
   *
   * <p><i>Threads</i>: one call at a time for each node; calls must be short and must not block.
   */
  public interface Listener {

    /**
     * A node can be reached from now on.
     *
     * @param incarnation of its process; a replacement has a larger one
     */
    default void up(NodeId node, long incarnation) {}

    /** A node has left, was killed, or could not be reached for too long. */
    default void down(NodeId node, long incarnation, JGlooException cause) {}
  }

  private static final Logger LOG = System.getLogger(PsNode.class.getName());
  private static final Duration ASK = Duration.ofSeconds(2);
  private static final long SETTLE_NANOS = Clock.nanos(Duration.ofSeconds(3));
  private static final Duration REPLACE = Duration.ofSeconds(10);
  private static final long PAUSE_NANOS = 20_000_000;

  private final PsOptions options;
  private final Topology topology;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final Map<Integer, KvServer<?>> servers = new ConcurrentHashMap<>();
  private final Map<Integer, SimpleApp> simpleApps = new ConcurrentHashMap<>();
  private final Map<Integer, ServerLink.Window> windows = new ConcurrentHashMap<>();
  private final Set<String> customers = ConcurrentHashMap.newKeySet();
  private final List<Runnable> atExit = new CopyOnWriteArrayList<>();
  private final Members members;
  private final Barriers barriers;
  private @Nullable Store ownStore;
  private @Nullable Store briefStore;
  private volatile @Nullable Join join;
  private volatile boolean closed;

  /** Makes a node, not started yet. */
  public PsNode(PsOptions options) {
    this.options = options;
    topology = options.topology();
    members = new Members(options.role(), topology);
    barriers = new Barriers(topology);
  }

  /** Of the scheduler, where no store was given. */
  private String host() {
    return Objects.requireNonNull(options.host(), "host");
  }

  // Before the start.

  /** Adds a listener. */
  public void listen(Listener listener) {
    listeners.add(listener);
  }

  /** Adds an action that runs once when the node has left or is closed. */
  public void atExit(Runnable action) {
    atExit.add(action);
  }

  void register(int app, KvServer<?> server) {
    if (options.role() != Role.SERVER) {
      throw new IllegalStateException("a " + roleName() + " cannot hold values: only servers do");
    }
    if (members.isAttached()) {
      throw new IllegalStateException(
          "application " + app + " must be registered before the start");
    }
    if (servers.putIfAbsent(app, server) != null) {
      throw new IllegalStateException("application " + app + " is registered already");
    }
  }

  void register(int app, SimpleApp simple) {
    if (simpleApps.putIfAbsent(app, simple) != null) {
      throw new IllegalStateException("simple application " + app + " is registered already");
    }
  }

  void register(int app, int customer) {
    if (!customers.add(app + "/" + customer)) {
      throw new IllegalStateException(
          "customer " + customer + " of application " + app + " is open already");
    }
  }

  private String roleName() {
    return options.role().name().toLowerCase(Locale.ROOT);
  }

  /**
   * Joins the system and waits until all declared nodes are connected.
   *
   * <p>A node that comes when all declared ones have started takes the rank of one that has ended.
   *
   * @throws NodeCountException if there are too few nodes in time, or too many
   * @throws JGlooException if the store or the nodes cannot be reached in time; the node is closed
   */
  public void start() {
    boolean started = false;
    try {
      Store store = options.store();
      if (store == null) {
        Duration patience = options.startTimeout();
        ownStore =
            options.role() == Role.SCHEDULER
                ? Stores.serve(host(), options.port(), patience, credentials())
                : Stores.connect(host(), options.port(), patience, credentials());
        store = ownStore;
      }
      Join joining =
          new Join(
              store,
              options.messenger().group(),
              topology,
              options.startTimeout(),
              options.messenger().deviceOptions().secret());
      join = joining;
      begin(joining, store, brief(store));
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /** Takes a rank, and waits for the other nodes. */
  private void begin(Join join, Store store, Store lasting) {
    Join.Place place = place(join, store);
    if (place.rank() >= 0) {
      begin(join, lasting, place.rank(), topology.size());
    } else {
      takeRank(join, lasting, place.hasStarted());
    }
    if (options.role() == Role.SCHEDULER) {
      join.started();
    }
  }

  /** Begins anew when the store's server goes away, which may be that of an earlier run. */
  private Join.Place place(Join join, Store store) {
    StoreJoin again = new StoreJoin(store);
    while (true) {
      try {
        members.begin(join.run());
        return join.place(options.role(), options.rank());
      } catch (StoreUnavailableException e) {
        again.reconnect(e, join.left());
      }
    }
  }

  private void begin(Join join, Store lasting, int rank, int startAgents) {
    NodeId id = new NodeId(options.role(), rank);
    Messenger made =
        new Messenger(
            roleName() + "-" + rank,
            topology.agent(id),
            topology.size(),
            lasting,
            options.connections(join.left().plusMillis(1), startAgents));
    attach(made, id);
    try {
      made.start();
    } catch (MeshConnectException e) {
      List<NodeId> missing = e.causes().keySet().stream().map(topology::node).toList();
      throw new NodeCountException(
          (id + " is not connected to " + missing + " after " + options.startTimeout())
              + (": " + e.getMessage()),
          e);
    }
    attached();
  }

  /** Takes the rank of a node that has ended. */
  private void takeRank(Join join, Store lasting, boolean hasStarted) {
    if (hasStarted) {
      members.replace();
    }
    long last = System.nanoTime() + Math.min(REPLACE.toNanos(), join.left().toNanos());
    RuntimeException failure = null;
    do {
      for (int rank = 0; rank < topology.count(options.role()); rank++) {
        if (options.rank() >= 0 && rank != options.rank()) {
          continue;
        }
        try {
          begin(join, lasting, rank, hasStarted ? 1 : topology.size());
        } catch (IllegalStateException e) { // a living node has this rank
          failure = e;
          continue;
        }
        settle(join);
        return;
      }
      LockSupport.parkNanos(this, PAUSE_NANOS);
    } while (System.nanoTime() - last < 0);
    throw new NodeCountException(
        "all of the declared "
            + topology
            + " are there; there is no place for one more "
            + roleName(),
        failure);
  }

  /**
   * Waits for connections to the nodes that a replacement needs, some of which may have ended too,
   * but not all.
   *
   * @throws NodeCountException if there is none: the others may still hear the node before
   */
  private void settle(Join join) {
    int needed =
        options.role() == Role.SERVER ? Topology.ALL : Topology.SCHEDULER + Topology.SERVERS;
    List<NodeId> nodes =
        topology.nodes(needed).stream().filter(each -> !each.equals(members.id())).toList();
    boolean isThere =
        members.await(
            () -> nodes.stream().anyMatch(members::isConnected),
            members.now() + join.left().toNanos());
    if (!isThere) {
      throw new NodeCountException(
          members.id() + ", a replacement, is not connected to any of " + nodes, null);
    }
    boolean unused =
        members.await(
            () -> nodes.stream().allMatch(members::isConnected), members.now() + SETTLE_NANOS);
  }

  /** Lets this node use a messenger that has not started. */
  void attach(Messenger made, NodeId node) {
    made.serve(KvProtocol.SERVICE, this::route);
    made.serve(KvProtocol.REPLICA_SERVICE, this::replica);
    made.serve(KvProtocol.STATE_SERVICE, this::state);
    made.handle(KvProtocol.DROP_KIND, this::drop);
    made.handle(KvProtocol.SKIP_KIND, this::skip);
    made.serve(SimpleApp.SERVICE, request -> SimpleApp.route(simpleApps, topology, request));
    if (node.role() == Role.SCHEDULER) {
      made.serve(Barriers.SERVICE, barriers::received);
    }
    made.listen(new Peers());
    members.attach(made, node);
  }

  /** Lets applications begin, when the messenger of {@link #attach} has started. */
  void attached() {
    servers.values().forEach(server -> server.start(id()));
  }

  /** A handle that does not wait long for a store whose server has ended. */
  private Store brief(Store store) {
    if (ownStore == null || options.role() == Role.SCHEDULER) {
      return store;
    }
    briefStore = Stores.connect(host(), options.port(), ASK, credentials());
    return briefStore;
  }

  private StoreCredentials credentials() {
    return StoreCredentials.of(options.messenger().deviceOptions());
  }

  private final class Peers implements PeerListener {
    @Override
    public void joined(AgentId peer) {
      NodeId node = topology.node(peer.rank());
      members.joined(peer);
      listeners.forEach(listener -> listener.up(node, peer.incarnation()));
    }

    @Override
    public void lost(AgentId peer, JGlooException cause) {
      NodeId node = topology.node(peer.rank());
      members.lost(peer, cause);
      barriers.lost(peer);
      servers.values().forEach(server -> server.lost(peer));
      listeners.forEach(listener -> listener.down(node, peer.incarnation(), cause));
      if (cause instanceof PeerLostException lost && lost.peer() == messenger().self().rank()) {
        LOG.log(Level.WARNING, "{0} closes: {1}", id(), cause.getMessage());
        Members.inThread("jgloo-ps-close-" + id(), PsNode.this::close);
      }
    }
  }

  // After the start.

  /** This node. */
  public NodeId id() {
    return members.id();
  }

  /** What this node does. */
  public Role role() {
    return options.role();
  }

  /** The declared numbers of nodes. */
  public Topology topology() {
    return topology;
  }

  /** Identifies the process of this node among those that had its rank. */
  public long incarnation() {
    return messenger().self().incarnation();
  }

  /** Whether this node has taken the rank of one that has ended. */
  public boolean isReplacement() {
    return members.isReplacement();
  }

  /** Whether a node is known and not lost. */
  public boolean isUp(NodeId node) {
    return members.isUp(node);
  }

  /** The incarnation of a node; empty if it is not there. */
  public OptionalLong incarnation(NodeId node) {
    return messenger().agent(topology.agent(node)).stream()
        .mapToLong(AgentId::incarnation)
        .findFirst();
  }

  /** The nodes that are not there. */
  public List<NodeId> deadNodes() {
    List<NodeId> dead = new ArrayList<>(topology.nodes(Topology.ALL));
    dead.removeIf(this::isUp);
    return dead;
  }

  /**
   * Waits until a node is there, such as the replacement of one that has ended.
   *
   * @return whether it is
   */
  public boolean awaitUp(NodeId node, Duration timeout) {
    return members.awaitUp(node, timeout);
  }

  /** Counts of tables and traffic, by name, for tests and diagnosis. */
  public Map<String, Long> counts() {
    return messenger().counts();
  }

  /** What carries the calls, for counts and diagnosis. */
  Messenger messenger() {
    return members.messenger();
  }

  PsOptions options() {
    return options;
  }

  /** What may be under way to a server, in calls of all customers. */
  ServerLink.Window window(int server) {
    return windows.computeIfAbsent(server, rank -> new ServerLink.Window(options.windowBytes()));
  }

  /** The nodes of the system, as this one sees them. */
  Members members() {
    return members;
  }

  // What others send to the applications of a server.

  /** Hands a request to the server of its application. */
  private void route(IncomingRequest request) {
    KvProtocol.Head head = KvProtocol.Head.read(request.message());
    KvServer<?> server = head == null ? null : servers.get(head.origin().app());
    if (head == null) {
      request.refuse("malformed request");
      request.message().close();
    } else if (server == null) {
      if (request.begin()) {
        request.reply(KvProtocol.UNKNOWN, KvProtocol.EMPTY);
      }
      request.message().close();
    } else {
      server.received(head, request);
    }
  }

  /** The replicas of the application that a message begins with; null if it has none. */
  private @Nullable Replication<?> find(ByteBuffer in, int bytes) {
    return in.remaining() < bytes ? null : replicas(servers.get(in.getInt()));
  }

  private static @Nullable Replication<?> replicas(@Nullable KvServer<?> server) {
    return server == null ? null : server.replication();
  }

  /** Hands a push for a replica to its application. */
  private void replica(IncomingRequest request) {
    Message message = request.message();
    ByteBuffer in = KvProtocol.buffer(message);
    boolean isLong = message.length() >= KvProtocol.WORKER_BYTES + KvProtocol.REQUEST_BYTES;
    Replication<?> replicas =
        isLong ? replicas(servers.get(in.getInt(KvProtocol.WORKER_BYTES + Short.BYTES))) : null;
    if (replicas == null) {
      request.refuse("malformed push for a replica");
      message.close();
    } else {
      replicas.replicate(request);
    }
  }

  /** Answers with all values of a server. */
  private void state(IncomingRequest request) {
    Message message = request.message();
    ByteBuffer in = KvProtocol.buffer(message);
    Replication<?> replicas = find(in, 16);
    if (replicas == null) {
      request.refuse("malformed request for the values of a server");
    } else {
      replicas.give(request, in.getInt(), in.getLong());
    }
    message.close();
  }

  /** A replica is out of date. */
  private void drop(AgentId from, byte[] content) {
    ByteBuffer in = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    Replication<?> replicas = find(in, 4);
    if (replicas != null) {
      replicas.drop(from);
    }
  }

  /** A worker will not send a request of this number. */
  private void skip(AgentId from, byte[] content) {
    ByteBuffer in = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    if (content.length == KvProtocol.SKIP_BYTES) {
      KvServer<?> server = servers.get(in.getInt());
      int customer = in.getInt();
      int stream = in.getInt();
      if (server != null && stream >= 0 && stream < KvProtocol.STREAMS) {
        server.skip(from, customer, stream, in.getLong());
      }
    }
  }

  // Barrier.

  /**
   * Waits until all nodes of a group have called this method.
   *
   * @param group 1 to 7, the sum of {@link Topology#SCHEDULER}, {@link Topology#SERVERS} and {@link
   *     Topology#WORKERS}
   * @throws IllegalArgumentException if there is no such group, or this node is not in it
   * @throws IllegalStateException if another thread of this node waits at the same barrier
   * @throws io.jgloo.ps.node.BarrierTimeoutException if nodes are missing at the timeout; it names
   *     them, and this node has not entered
   * @throws io.jgloo.ps.node.NodeLostException if the scheduler is lost
   */
  public void barrier(int group, Duration timeout) {
    barrier(group, 0, timeout);
  }

  /**
   * As {@link #barrier(int, Duration)}, for one of several customers of each node: barriers of
   * different customers have nothing to do with each other.
   */
  public void barrier(int group, int customer, Duration timeout) {
    if (!Topology.hasRole(group, id().role())) {
      throw new IllegalArgumentException(id() + " is not in group " + group);
    }
    Barriers.await(members, group, customer, timeout);
  }

  // The end.

  /**
   * Leaves together with all other nodes: waits until all of them have called this method or are
   * lost, and serves them meanwhile; then closes.
   *
   * @return whether that was so at the timeout; it is closed all the same
   */
  public boolean finish(Duration timeout) {
    try {
      if (options.role() == Role.SCHEDULER && ownStore != null && join != null) {
        endRun(join);
      }
      return messenger().shutdown(timeout);
    } finally {
      close();
    }
  }

  /** Who joins from now on is of the next run, in the next store. */
  private static void endRun(Join join) {
    try {
      join.ending();
    } catch (JGlooException e) {
      LOG.log(Level.DEBUG, "the store does not take that the system ends", e);
    }
  }

  /** Ends calls under way and leaves at once; the others see a lost node. */
  @Override
  public void close() {
    synchronized (options) {
      if (closed) {
        return;
      }
      closed = true;
    }
    if (members.isAttached()) {
      messenger().close();
    }
    servers.values().forEach(KvServer::close);
    if (briefStore != null) {
      briefStore.close();
    }
    if (ownStore != null) {
      ownStore.close();
    }
    atExit.forEach(Runnable::run);
  }
}
