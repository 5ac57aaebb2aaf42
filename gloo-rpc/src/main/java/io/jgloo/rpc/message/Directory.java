package io.jgloo.rpc.message;

import io.jgloo.rendezvous.join.StoreJoin;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.StoreUnavailableException;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.message.AgentRecords.AgentRecord;
import io.jgloo.transport.Address;
import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.Device;
import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.Device.Liveness;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.MeshConnectException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the agents of a group by their {@link AgentRecords}, connects to them, and decides which of
 * them are lost.
 *
 * <p><i>Threads</i>: {@link #round} by one at a time. <i>Owns</i>: mesh and device.
 */
final class Directory implements AutoCloseable {

  private static final Logger LOG = System.getLogger(Directory.class.getName());

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_:.-]{1,128}");
  private static final Duration CONNECT = Duration.ofMillis(500);
  private static final Duration ASK = Duration.ofMillis(300);
  private static final long SEARCH_NANOS = 20_000_000;
  private static final long MOST_SEARCH_NANOS = 250_000_000;
  private static final long IDLE_NANOS = 1_000_000_000;

  private final String name;
  private final int rank;
  private final List<Peer> peers;
  private final Store store;
  private final AgentRecords registered;
  private final MessengerOptions options;
  private final Device device;
  private final Mesh mesh;
  private final long[] newest;
  private final boolean[] doubted;
  private final AgentRecord[] records;
  private final Map<Integer, JGlooException> causes = new TreeMap<>();

  @SuppressWarnings("NullAway.Init") // set by register
  MessengerState core;

  @SuppressWarnings("NullAway.Init") // set by register
  private StoreJoin join;

  @SuppressWarnings("NullAway.Init") // set by register
  private AgentRecord own;

  private long startDeadline; // set by register
  private volatile boolean started;

  /** Whether the others have started too: a process may be stopped for long in its start. */
  private volatile boolean othersStarted;

  private volatile @Nullable Thread runner;
  private volatile boolean urgent;
  private long ownRecordAt;

  Directory(
      String name,
      int rank,
      List<Peer> peers,
      Store store,
      MessengerOptions options,
      Device device) {
    this.name = name;
    this.rank = rank;
    this.peers = peers;
    this.store = store;
    this.options = options;
    this.device = device;
    newest = new long[peers.size()];
    doubted = new boolean[peers.size()];
    records = new AgentRecord[peers.size()];
    boolean made = false;
    try {
      registered =
          new AgentRecords(store, options.group(), peers.size(), options.deviceOptions().secret());
      Membership membership = new Membership(options.group(), 0, rank, peers.size());
      mesh = device.newMesh(membership, FailureScope.PAIRWISE);
      made = true;
    } finally {
      if (!made) {
        device.close();
      }
    }
  }

  static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name of an agent must match " + NAME + ", but is '" + name + "'");
    }
  }

  Clock clock() {
    return mesh.clock();
  }

  // The start.

  /** Registers this agent, and makes what it consists of. */
  MessengerState register(Handlers handlers) {
    startDeadline = clock().nanoTime() + Clock.nanos(options.startTimeout());
    join = new StoreJoin(store);
    AgentId id = null;
    while (id == null) {
      try {
        id = register();
      } catch (StoreUnavailableException e) {
        join.reconnect(e, leftToStart());
      }
    }
    ownRecordAt = clock().nanoTime();
    connect(new Address[peers.size()]); // nothing yet, but from here on requests can be posted
    core = new MessengerState(id, name, options, mesh, peers, handlers);
    core.links.open(core.port, this::wakeup);
    return core;
  }

  private AgentId register() {
    registered.claim(name, rank, this::isGone);
    AgentId id = new AgentId(rank, registered.incarnation());
    own =
        new AgentRecord(
            id, peers.size(), options.windowBytes(), options.frameBytes(), name, mesh.address());
    registered.register(own, this::isAlive);
    return id;
  }

  private Duration leftToStart() {
    return Duration.ofNanos(Math.max(0, startDeadline - clock().nanoTime()));
  }

  /**
   * Registers this agent in the store that follows a lost one, if it has not started: the store may
   * have been that of an earlier run.
   */
  private void registerAgain(StoreUnavailableException lost) {
    for (StoreUnavailableException cause = lost; cause != null; ) {
      try {
        join.reconnect(cause, leftToStart());
        registered.claim(name, rank, this::isGone);
        registered.used(own.id().incarnation());
        registered.register(own, this::isAlive);
        Arrays.fill(newest, 0);
        cause = null;
      } catch (StoreUnavailableException e) {
        if (e == cause || leftToStart().isZero()) {
          throw e;
        }
        cause = e;
      }
    }
  }

  /**
   * Whether a process that has registered runs. One that does not answer may be stopped, and counts
   * as running for as long as its peers take it for running.
   */
  private boolean isAlive(AgentRecord record) {
    if (!record.address().device().equals(device.name())) {
      return false;
    }
    long deadline = clock().nanoTime() + Clock.nanos(options.peerTimeout());
    Liveness answer = device.liveness(record.address(), ASK);
    while (answer == Liveness.UNKNOWN && clock().nanoTime() - deadline < 0) {
      LockSupport.parkNanos(this, SEARCH_NANOS);
      answer = device.liveness(record.address(), ASK);
    }
    return answer == Liveness.ALIVE;
  }

  /** Whether a process that has registered has ended for certain. */
  private boolean isGone(AgentRecord record) {
    return record.address().device().equals(device.name())
        && device.liveness(record.address(), ASK) == Liveness.GONE;
  }

  /**
   * Ends this agent if the store has a later one of its rank. That can be so only if this process
   * was stopped for the peers' timeout, so it looks twice in that time.
   */
  private void requireOwnRecord() {
    long now = clock().nanoTime();
    if (core.wasReleased() || now - ownRecordAt < Clock.nanos(options.peerTimeout()) / 2) {
      return;
    }
    ownRecordAt = now;
    AgentId self = core.self;
    Optional<AgentRecord> found = registered.read(rank);
    if (found.isPresent() && found.get().id().incarnation() > self.incarnation()) {
      JGlooException cause =
          lost(rank, "agent " + self + " was replaced by " + found.get().id() + " in the store");
      core.events.run(() -> core.end(cause));
    }
  }

  /**
   * Waits until as many agents are connected as the options say.
   *
   * @throws MeshConnectException at the start timeout
   * @throws AuthenticationException instead, if another agent has not the job's secret
   */
  void awaitOthers() {
    int wanted = options.startAgents() == 0 ? peers.size() : options.startAgents();
    int mayMiss = Math.max(0, peers.size() - wanted);
    boolean met =
        core.port.await(() -> core.cause() != null || missing().size() <= mayMiss, startDeadline);
    started = true;
    if (core.cause() != null) {
      throw core.cause();
    }
    if (!met) {
      List<Integer> missing = missing();
      Map<Integer, JGlooException> why = new TreeMap<>();
      synchronized (causes) {
        missing.forEach(
            peer ->
                why.put(
                    peer,
                    causes.getOrDefault(
                        peer,
                        new PeerLostException(peer, "agent " + peer + " has not come", null))));
      }
      for (JGlooException cause : why.values()) {
        if (cause instanceof AuthenticationException) {
          throw new AuthenticationException(String.valueOf(cause.getMessage()), cause);
        }
      }
      throw new MeshConnectException(
          ("agents " + missing + " of group " + options.group() + " are not connected to agent ")
              + (rank + " after " + options.startTimeout()),
          why);
    }
    core.events.run(core::announceStart);
    if (mayMiss == 0) {
      // An agent that leaves at once must not do so before all others have found it.
      core.port.await(
          () -> core.cause() != null || peers.stream().allMatch(this::isStarted), startDeadline);
    }
    othersStarted = true;
  }

  private boolean isStarted(Peer peer) {
    return peer.rank == rank || peer.started || peer.id() == null;
  }

  private List<Integer> missing() {
    List<Integer> missing = new ArrayList<>();
    for (Peer peer : peers) {
      if (peer.rank != rank && !peer.isConnected) {
        missing.add(peer.rank);
      }
    }
    return missing;
  }

  // Later.

  /** Connects to what is not connected, until it is stopped. */
  void run(BooleanSupplier stopped) {
    runner = Thread.currentThread();
    long pause = SEARCH_NANOS;
    while (!stopped.getAsBoolean()) {
      List<Integer> before = missing();
      pause = urgent ? SEARCH_NANOS : pause;
      urgent = false;
      try {
        requireOwnRecord();
        round();
      } catch (ClosedException e) {
        return;
      } catch (JGlooException | IllegalStateException e) { // the store may be back later
        LOG.log(Level.DEBUG, "agent {0} cannot look for others: {1}", rank, e.getMessage());
      }
      List<Integer> after = missing();
      pause = after.equals(before) ? Math.min(2 * pause, MOST_SEARCH_NANOS) : SEARCH_NANOS;
      if (!urgent && !stopped.getAsBoolean()) {
        LockSupport.parkNanos(this, after.isEmpty() ? IDLE_NANOS : pause);
      }
    }
  }

  /** Lets {@link #run} look again at once. */
  void wakeup() {
    urgent = true;
    LockSupport.unpark(runner);
  }

  /** Looks once for what is not connected; takes a second at most, but for the store's time. */
  void round() {
    if (core.wasReleased()) {
      return; // all have left: who comes now is of the next run
    }
    List<Integer> missing = missing();
    for (int peer : missing) {
      if (doubted[peer]) {
        ask(peer); // before the look, which fails if the store has ended too
      }
    }
    try {
      missing.forEach(this::look);
    } catch (StoreUnavailableException e) {
      if (started) {
        throw e;
      }
      registerAgain(e);
      return;
    }
    Address[] wanted = new Address[peers.size()];
    boolean any = false;
    for (int peer = 0; peer < wanted.length; peer++) {
      wanted[peer] = records[peer] == null ? null : records[peer].address();
      any |= wanted[peer] != null && missing.contains(peer);
    }
    if (any) {
      Map<Integer, JGlooException> failed = connect(wanted);
      for (int peer : missing) {
        if (wanted[peer] != null) {
          settle(peer, failed.get(peer));
        }
      }
    }
  }

  /** Reads the record of an agent, if there is a new one. */
  private void look(int rankOfPeer) {
    Peer peer = peers.get(rankOfPeer);
    AgentId known = peer.id();
    if (known == null) {
      records[rankOfPeer] = null;
    }
    AgentRecord record;
    try {
      Optional<AgentRecord> found = registered.read(rankOfPeer);
      if (found.isEmpty()) {
        return;
      }
      record = found.get();
      requireSameFrames(record);
    } catch (ProtocolException | AuthenticationException e) {
      failed(rankOfPeer, e);
      return;
    }
    if (record.id().incarnation() > newest[rankOfPeer]) {
      newest[rankOfPeer] = record.id().incarnation();
      records[rankOfPeer] = record;
      doubted[rankOfPeer] = false;
      core.events.run(
          () -> {
            core.links.lost(
                peer, known, lost(rankOfPeer, known + " was replaced by " + record.id()));
            core.links.begin(peer, record);
          });
    }
  }

  private void requireSameFrames(AgentRecord record) {
    if (record.frame() != options.frameBytes()) {
      throw new ProtocolException(
          ("agent " + record.id() + " has frameBytes=" + record.frame() + ", but agent " + rank)
              + (" has " + options.frameBytes()));
    }
  }

  /** Asks the device whether an agent that could not be reached exists. */
  private void ask(int rankOfPeer) {
    Peer peer = peers.get(rankOfPeer);
    AgentId life = peer.id();
    AgentRecord record = records[rankOfPeer];
    if (life == null || record == null) {
      return;
    }
    long away = clock().nanoTime() - peer.disconnectedAt;
    if (device.liveness(record.address(), ASK) == Liveness.GONE) {
      end(peer, life, "agent " + life + " has ended");
    } else if (othersStarted && away > Clock.nanos(options.peerTimeout())) {
      end(peer, life, "agent " + life + " was not reached for " + options.peerTimeout());
    }
  }

  private void end(Peer peer, AgentId life, String reason) {
    records[peer.rank] = null;
    JGlooException cause = lost(peer.rank, reason);
    failed(peer.rank, cause);
    core.events.run(() -> core.links.lost(peer, life, cause));
  }

  private static PeerLostException lost(int peer, String reason) {
    return new PeerLostException(peer, reason, null);
  }

  private void failed(int peer, JGlooException cause) {
    synchronized (causes) {
      causes.put(peer, cause);
    }
  }

  private void settle(int rankOfPeer, @Nullable JGlooException failure) {
    Peer peer = peers.get(rankOfPeer);
    AgentId life = records[rankOfPeer].id();
    doubted[rankOfPeer] = true; // if it is disconnected, or could not be connected
    if (failure == null) {
      core.events.run(() -> core.links.connected(peer, life));
    } else {
      failed(rankOfPeer, failure);
    }
  }

  /** Connects; returns why some ranks are not connected. */
  private Map<Integer, JGlooException> connect(Address[] wanted) {
    Address[] all = wanted.clone();
    all[rank] = mesh.address();
    try {
      mesh.connect(Arrays.asList(all), CONNECT);
      return Map.of();
    } catch (MeshConnectException e) {
      return e.causes();
    }
  }

  @Override
  public void close() {
    mesh.close();
    device.close();
  }
}
