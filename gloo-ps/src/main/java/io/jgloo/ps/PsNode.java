package io.jgloo.ps;

import io.jgloo.ps.client.Window;
import io.jgloo.ps.membership.Barriers;
import io.jgloo.ps.membership.Members;
import io.jgloo.ps.node.NodeCountException;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.node.NodeListener;
import io.jgloo.ps.node.Role;
import io.jgloo.ps.node.Topology;
import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreCredentials;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.PeerListener;
import io.jgloo.rpc.message.Messenger;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.PeerLostException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
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

  private static final Logger LOG = System.getLogger(PsNode.class.getName());
  private static final Duration ASK = Duration.ofSeconds(2);

  private final PsOptions options;
  private final Topology topology;
  private final List<NodeListener> listeners = new CopyOnWriteArrayList<>();
  private final Applications applications = new Applications();
  private final Map<Integer, SimpleApp> simpleApps = new ConcurrentHashMap<>();
  private final Map<Integer, Window> windows = new ConcurrentHashMap<>();
  private final Set<String> customers = ConcurrentHashMap.newKeySet();
  private final List<Runnable> atExit = new CopyOnWriteArrayList<>();
  private final Members members;
  private final Barriers barriers;
  private @Nullable Store ownStore;
  private @Nullable Store briefStore;
  private volatile @Nullable Start start;
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
  public void listen(NodeListener listener) {
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
    applications.add(app, server);
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
    return name(options.role());
  }

  static String name(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
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
      Start joining = new Start(this, options, members, store, brief(store));
      start = joining;
      joining.run();
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /** Lets this node use a messenger that has not started. */
  void attach(Messenger made, NodeId node) {
    applications.attach(made);
    made.serve(SimpleApp.SERVICE, request -> SimpleApp.route(simpleApps, topology, request));
    if (node.role() == Role.SCHEDULER) {
      made.serve(Barriers.SERVICE, barriers::received);
    }
    made.listen(new Peers());
    members.attach(made, node);
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
      applications.lost(peer);
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

  /** Lets applications begin, when the messenger of {@link #attach} has started. */
  void attached() {
    applications.start(id());
  }

  PsOptions options() {
    return options;
  }

  /** What may be under way to a server, in calls of all customers. */
  Window window(int server) {
    return windows.computeIfAbsent(server, rank -> new Window(options.windowBytes()));
  }

  /** The nodes of the system, as this one sees them. */
  Members members() {
    return members;
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
      if (options.role() == Role.SCHEDULER && ownStore != null && start != null) {
        start.ending();
      }
      return messenger().shutdown(timeout);
    } finally {
      close();
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
    applications.close();
    if (briefStore != null) {
      briefStore.close();
    }
    if (ownStore != null) {
      ownStore.close();
    }
    atExit.forEach(Runnable::run);
  }
}
