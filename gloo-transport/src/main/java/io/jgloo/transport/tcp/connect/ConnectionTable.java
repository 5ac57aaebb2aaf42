package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.InterruptedOperationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.Wire;
import io.jgloo.transport.engine.EnginePair;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.stream.Settings;
import io.jgloo.transport.tcp.stream.Stream;
import io.jgloo.transport.tcp.wire.Hello;
import io.jgloo.transport.tcp.wire.PairOptions;
import io.jgloo.transport.tcp.wire.Welcome;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/**
 * The addresses of the peers of a mesh, and the pairs that are connected so far.
 *
 * <p>The {@link Handshake} decides which rank of a pair dials. Between JGloo ranks a connection is
 * valid once hello and welcome have named the incarnation of the other side and the dialling side
 * has confirmed. So an address that a crashed run left behind can cost time but never connects to
 * the wrong process. In one file because dialled and accepted connections compete for a pair.
 *
 * <p><i>Threads</i>: {@link #connect} by one thread at a time; the rest by the device's thread,
 * which never waits for the lock: it holds the lock when it asks, and reports again later if
 * another thread holds the lock. All state is under the mesh's lock.
 */
public final class ConnectionTable {

  /** The incarnation of every peer on a Gloo wire, where connections do not name one. */
  private static final UUID UNIDENTIFIED = new UUID(0, 0);

  private final ConnectMesh mesh;
  private final ConnectDevice device;
  private final ReentrantLock lock;
  private final Condition changed;
  private final Dial[] dials;
  private final UUID[] connectedTo;
  private final ConnectFailures failures;
  private final LatePeers latePeers;
  private final PendingLinks[] pendingLinks;
  private List<Address> addresses = List.of();
  private Endpoint[] endpoints;
  private BitSet asked = new BitSet();
  private Duration patience;

  public ConnectionTable(ConnectMesh mesh, ConnectDevice device, ReentrantLock lock) {
    this.mesh = mesh;
    this.device = device;
    this.lock = lock;
    changed = lock.newCondition();
    failures = new ConnectFailures(mesh, device);
    latePeers = new LatePeers(mesh, failures);
    dials = new Dial[mesh.size()];
    connectedTo = new UUID[mesh.size()];
    pendingLinks = new PendingLinks[mesh.size()];
    Arrays.setAll(pendingLinks, peer -> new PendingLinks());
  }

  /** See {@link io.jgloo.transport.Mesh#connect}. */
  public void connect(List<Address> newAddresses, Duration timeout) {
    Endpoint[] newEndpoints = check(newAddresses);
    long deadline = device.platform().nanoTime() + Clock.nanos(timeout);
    lock.lock();
    try {
      checkOpen();
      failures.clear();
      patience = timeout;
      asked = LatePeers.present(newEndpoints);
      if (mesh.isPairwise()) {
        mesh.start(); // a pair can be used as soon as it is connected
        addresses = LatePeers.merge(addresses, newAddresses);
        endpoints = latePeers.update(endpoints, newEndpoints);
      } else {
        addresses = List.copyOf(newAddresses);
        endpoints = newEndpoints;
      }
      for (int peer = 0; peer < mesh.size(); peer++) {
        if (asked.get(peer) && !onDemand()) {
          boolean refused = failures.recallsRefusal(peer, endpoints[peer].incarnation());
          if (!refused) {
            dialIfDue(peer, deadline);
          }
        } else if (asked.get(peer) && mesh.isPairwise() && mesh.pairAt(peer).isWanted()) {
          want(mesh.streamAt(peer)); // a request was posted before the peer came
        }
      }
      if (!mesh.connectsOnFirstUse()) {
        await(deadline);
      }
      mesh.start();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("interrupted while connecting " + mesh, e);
    } catch (IOException e) {
      throw new UnavailableException("cannot poll the connections of " + mesh, e);
    } finally {
      if (!mesh.connectsOnFirstUse() || !mesh.isStarted()) {
        cancelDials();
      }
      lock.unlock();
    }
  }

  private Endpoint[] check(List<Address> newAddresses) {
    if (newAddresses.size() != mesh.size()) {
      throw new IllegalArgumentException(
          "addresses must be " + mesh.size() + ", one per rank, but are " + newAddresses.size());
    }
    Endpoint[] found = new Endpoint[mesh.size()];
    for (int peer = 0; peer < found.length; peer++) {
      boolean absent = mesh.isPairwise() && newAddresses.get(peer) == null;
      if (peer != mesh.rank() && !absent) {
        found[peer] = mesh.handshake().endpoint(peer, newAddresses.get(peer));
      }
    }
    return found;
  }

  private void dialIfDue(int peer, long deadline) {
    Stream stream = mesh.streamAt(peer);
    if (!mesh.handshake().dials(peer, endpoints[peer]) || !stream.pair().isOpen()) {
      return;
    }
    if (stream.link() != null && !isConnected(peer)) {
      stream.detach().forEach(Link::close); // the rank has been restarted since
    }
    if (stream.link() == null) {
      Dial dial = newDial(peer, deadline);
      if (mesh.connectsOnFirstUse()) {
        device.dialOnDemand(dial);
      } else {
        device.dial(dial);
      }
    }
  }

  private Dial newDial(int peer, long deadline) {
    boolean sameHost = device.host().equals(addresses.get(peer).host());
    dials[peer] = new Dial(mesh, peer, endpoints[peer], sameHost, deadline);
    return dials[peer];
  }

  /** Whether a pair is connected when its first request is posted. */
  boolean onDemand() {
    return mesh.connectsOnFirstUse() && mesh.wire() == Wire.JGLOO;
  }

  /**
   * A request was posted on a pair that is not connected: dials, or asks the peer to dial. The mesh
   * fails if the pair is not connected within the timeout of {@link #connect}.
   */
  public void want(Stream stream) {
    int peer = stream.pair().peer();
    if (!onDemand()
        || dials[peer] != null
        || stream.link() != null
        || stream.pair().hasDeparted()
        || !stream.pair().isOpen()
        || endpoints[peer] == null) {
      return;
    }
    device.dialOnDemand(newDial(peer, device.platform().nanoTime() + Clock.nanos(patience)));
  }

  /** A peer asks this rank to dial it. */
  public void summoned(int peer) {
    if (!mesh.tryLock()) {
      device.retry(() -> summoned(peer));
      return;
    }
    try {
      if (!mesh.hasEnded()) {
        want(mesh.streamAt(peer));
      }
    } finally {
      mesh.unlock();
    }
  }

  /** The deadline of a dial has passed; used where no thread waits in {@link #connect} for it. */
  void expired(Dial dial) {
    if (!mesh.tryLock()) {
      device.retry(() -> expired(dial));
      return;
    }
    try {
      int peer = dial.peer();
      if (dials[peer] == dial && mesh.streamAt(peer).link() == null) {
        unreachable(peer);
      }
    } finally {
      mesh.unlock();
    }
  }

  /** A peer will not be connected any more. On Gloo's wires only requests for it fail. */
  private void unreachable(int peer) {
    boolean needed = onDemand() || (mesh.isStarted() && mesh.streamAt(peer).pair().depart());
    if (needed) {
      mesh.streamAt(peer).pair().fail(failures.unreached(peer, patience), null);
    }
  }

  private void await(long deadline) throws InterruptedException {
    for (BitSet missing = missing(); !missing.isEmpty(); missing = missing()) {
      checkOpen();
      long left = deadline - device.platform().nanoTime();
      if (left <= 0 || failures.isHopeless(missing)) {
        throw failures.incomplete(missing, addresses);
      }
      changed.await(left, TimeUnit.NANOSECONDS);
    }
    checkOpen();
  }

  private void checkOpen() {
    if (mesh.isClosed()) {
      throw new ClosedException("the mesh of " + mesh.membership() + " is closed");
    }
    JGlooException cause = mesh.failure().orElse(null);
    if (cause != null) {
      throw cause.again("cannot connect " + mesh);
    }
  }

  /** Whether a pair is connected, and to the process that its address names. */
  private boolean isConnected(int peer) {
    return mesh.streamAt(peer).link() != null
        && (UNIDENTIFIED.equals(connectedTo[peer])
            || endpoints[peer].incarnation().equals(connectedTo[peer]));
  }

  private BitSet missing() {
    BitSet missing = new BitSet();
    asked.stream().filter(peer -> !isConnected(peer)).forEach(missing::set);
    return missing;
  }

  private void cancelDials() {
    IntStream.range(0, dials.length).forEach(this::cancelDial);
  }

  void cancelDial(int peer) {
    if (dials[peer] != null) {
      dials[peer].cancel();
      dials[peer] = null;
    }
  }

  /** One pair has ended, the mesh goes on. The lock is held. */
  public void ended(int peer, JGlooException cause) {
    cancelDial(peer);
    pendingLinks[peer].drop();
    connectedTo[peer] = null;
    failures.addFinal(peer, cause);
    changed.signalAll();
  }

  // What the device's thread reports.

  /** The answer to a hello. */
  Welcome answerTo(Hello hello) {
    lock.lock();
    try {
      Welcome.Status status = check(hello);
      boolean differs = status == Welcome.Status.WRONG_OPTIONS;
      if (differs) {
        refused(hello);
      }
      Settings own = mesh.settings();
      long window = differs ? own.pair().encode() : own.windowBytes();
      return new Welcome(status, mesh.size(), window, mesh.membership().epoch());
    } finally {
      lock.unlock();
    }
  }

  /** Whether a hello is of this group, and whether its request can be granted. */
  private Welcome.Status check(Hello hello) {
    Welcome.Status status = onGroup(hello);
    if (status != Welcome.Status.ACCEPTED) {
      return status;
    }
    return switch (hello.purpose()) {
      case NOTICE, ASK -> onNotice(hello);
      case SUMMON -> onSummons(hello);
      default -> onJoining(hello);
    };
  }

  private Welcome.Status onGroup(Hello hello) {
    if (mesh.hasEnded()) {
      return Welcome.Status.UNKNOWN;
    }
    if (hello.size() != mesh.size()) {
      return Welcome.Status.WRONG_SIZE;
    }
    boolean same =
        hello.group() == Hello.hash(mesh.membership().group())
            && hello.epoch() == mesh.membership().epoch();
    return same ? Welcome.Status.ACCEPTED : Welcome.Status.WRONG_GROUP;
  }

  /**
   * A notice or a question is accepted only from the process that is, or is to be, the peer of a
   * pair.
   */
  private Welcome.Status onNotice(Hello hello) {
    int peer = hello.rank();
    boolean another = peer >= 0 && peer < mesh.size() && peer != mesh.rank();
    return another && knows(peer, hello.source())
        ? Welcome.Status.ACCEPTED
        : Welcome.Status.WRONG_RANK;
  }

  /** Before {@link Mesh#connect} this rank does not have the addresses of its peers. */
  private Welcome.Status onSummons(Hello hello) {
    if (!onDemand() || !mesh.isStarted()) {
      return Welcome.Status.NOT_YET;
    }
    if (hello.rank() < 0 || hello.rank() >= mesh.rank()) {
      return Welcome.Status.WRONG_RANK;
    }
    boolean tooEarly = mesh.isPairwise() && !latePeers.isAwaited(hello.rank(), hello.source());
    return tooEarly ? Welcome.Status.NOT_YET : onNotice(hello);
  }

  private Welcome.Status onJoining(Hello hello) {
    int peer = hello.rank();
    if (hello.targetRank() != mesh.rank() || peer <= mesh.rank() || peer >= mesh.size()) {
      return Welcome.Status.WRONG_RANK;
    }
    if (mesh.isPairwise()) {
      Welcome.Status status = latePeers.onJoining(peer, hello.source());
      return status == Welcome.Status.ACCEPTED ? onConnections(hello) : status;
    }
    // A later attempt of the expected process may replace an earlier one; another process only one
    // that is not expected.
    boolean settled = mesh.isStarted() && (!onDemand() || mesh.streamAt(peer).wasConnected());
    if (settled || isTaken(peer, hello.source())) {
      return Welcome.Status.DUPLICATE;
    }
    return onConnections(hello);
  }

  private Welcome.Status onConnections(Hello hello) {
    if (hello.options() != mesh.settings().pair().encode()) {
      return Welcome.Status.WRONG_OPTIONS;
    }
    // A connection that is not the next belongs to an attempt that was dropped; the peer begins
    // again.
    return isNext(hello) ? Welcome.Status.ACCEPTED : Welcome.Status.NOT_YET;
  }

  /** The peer that dials does not try again: this rank does not wait for it either. */
  private void refused(Hello hello) {
    PairOptions own = mesh.settings().pair();
    String who = "rank " + hello.rank() + " has " + PairOptions.text(hello.options());
    failures.refusedHello(hello, new ProtocolException(who + own.differs()));
    if (isExpected(hello.rank(), hello.source())
        && !onDemand()
        && failures.recallsRefusal(hello.rank(), hello.source())) {
      changed.signalAll();
    }
  }

  /** Whether a connection is the next of its pair's. */
  boolean isNext(Hello hello) {
    return pendingLinks[hello.rank()].isNext(hello.source(), hello.stripe());
  }

  /** Takes over the connection of an accepted hello; false if it is no longer accepted. */
  boolean addConnection(Hello hello, Link link) {
    lock.lock();
    try {
      boolean welcome = check(hello) == Welcome.Status.ACCEPTED;
      if (welcome) {
        addLink(hello, link);
      }
      return welcome;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a pair is, or is to be, connected to the process of this incarnation. */
  boolean knows(int peer, UUID source) {
    return source.equals(connectedTo[peer]) || isExpected(peer, source);
  }

  /** Whether another process than this one is connected as that rank. */
  boolean isTaken(int peer, UUID source) {
    return endpoints != null && isConnected(peer) && !isExpected(peer, source);
  }

  boolean isExpected(int peer, UUID source) {
    return endpoints != null
        && endpoints[peer] != null
        && endpoints[peer].incarnation().equals(source);
  }

  private void addLink(Hello hello, Link link) {
    PendingLinks pending = pendingLinks[hello.rank()];
    if (hello.stripe() == 0) {
      pending.drop();
    }
    pending.add(hello.source(), link);
    if (pending.isComplete(mesh.settings().connections())) {
      take(hello.rank(), pending.take(), hello.source(), hello.window());
    }
  }

  private void take(int peer, List<Link> links, UUID incarnation, long window) {
    Stream stream = mesh.streamAt(peer);
    if (stream.link() != null) {
      stream.detach().forEach(Link::close); // an attempt that the peer has dropped
    }
    mesh.openFiles().opened(links.size());
    stream.attach(links, window);
    dials[peer] = null;
    connectedTo[peer] = incarnation;
    changed.signalAll();
    try {
      if (mesh.isStarted()) {
        mesh.joined(stream);
      }
    } catch (RuntimeException | Error e) {
      mesh.broke(e); // the stream owns the links by now
    }
  }

  /**
   * A connection has presented the number of a pair, or was accepted at its port. False, and the
   * caller keeps the link, if it is the number of this rank itself, or if the pair is connected or
   * has ended.
   */
  boolean accepted(int peer, Link link) {
    lock.lock();
    try {
      Stream stream = mesh.streamAt(peer);
      boolean wanted = stream != null && stream.link() == null && !mesh.hasEnded();
      if (wanted) {
        take(peer, List.of(link), UNIDENTIFIED, 0);
      }
      return wanted;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the pair of an accepted dial still needs a connection. */
  boolean wants(Dial dial) {
    lock.lock();
    try {
      return isWanted(dial);
    } finally {
      lock.unlock();
    }
  }

  private boolean isWanted(Dial dial) {
    Stream stream = mesh.streamAt(dial.peer());
    boolean free = stream.link() == null && stream.pair().isOpen() && !mesh.hasEnded();
    return free && dial.endpoint().equals(endpoints[dial.peer()]);
  }

  /** A dial is confirmed. False, and the caller keeps the link, if its pair needs it no more. */
  boolean dialled(Dial dial, List<Link> links, long window) {
    lock.lock();
    try {
      // The peer treats the pair as connected, so a dial that was cancelled meanwhile is used too.
      if (!isWanted(dial)) {
        return false;
      }
      take(dial.peer(), links, dial.endpoint().incarnation(), window);
      mesh.handshake().dialled(dial.peer());
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** An attempt has failed; the exception of {@link #connect} will name the last cause. */
  void failed(Dial dial, JGlooException cause, ConnectAttempt.Outcome outcome) {
    if (!mesh.tryLock()) {
      device.retry(() -> failed(dial, cause, outcome));
      return;
    }
    try {
      int peer = dial.peer();
      if (dials[peer] != dial) {
        return;
      }
      JGlooException why = failures.explain(dial, addresses.get(peer), cause, outcome);
      failures.add(peer, why);
      if (onDemand()) {
        failedOnDemand(peer, why, outcome);
      } else if (why != cause || outcome == ConnectAttempt.Outcome.REFUSED) {
        failures.addFinal(peer, why);
        changed.signalAll();
      } else if (mesh.isStarted()
          && !mesh.isPairwise()
          && outcome == ConnectAttempt.Outcome.NO_LISTENER) {
        unreachable(peer); // it listened when it published its address
      }
    } finally {
      mesh.unlock();
    }
  }

  /**
   * A peer listened when it published its address: if no process listens there now, it has ended.
   * If only its mesh has ended, requests for this peer fail; a receive from any may use other
   * peers.
   */
  private void failedOnDemand(int peer, JGlooException cause, ConnectAttempt.Outcome outcome) {
    EnginePair pair = mesh.streamAt(peer).pair();
    switch (outcome) {
      case REFUSED, FAILED -> pair.fail(cause, null);
      case ENDED -> {
        if (mesh.isPairwise() || pair.depart()) {
          pair.fail(pair.departure(), null);
        }
      }
      case NO_LISTENER -> pair.fail(new PeerLostException(peer, cause.getMessage(), cause), null);
      default -> {}
    }
  }

  /**
   * Notifies the peers without a connection of an abort. Only the rank that aborts does so; the
   * other ranks pass the notice on by the connections they have.
   */
  public void notifyUnconnected(byte[] notice) {
    if (!onDemand() || endpoints == null) {
      return;
    }
    for (int peer = 0; peer < mesh.size(); peer++) {
      Stream stream = mesh.streamAt(peer);
      boolean unused = stream != null && stream.link() == null && !stream.wasConnected();
      if (unused && endpoints[peer] != null && stream.pair().isOpen()) {
        SideChannel.sendNotice(mesh, device, endpoints[peer], notice);
      }
    }
  }

  /** Whether an attempt to reach a peer has failed. */
  public boolean hasCause(int peer) {
    lock.lock();
    try {
      return failures.has(peer);
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the thread in {@link #connect}: the mesh has failed or is closed. */
  public void changed() {
    changed.signalAll();
  }

  public void end() {
    lock.lock();
    try {
      cancelDials();
      Arrays.asList(pendingLinks).forEach(PendingLinks::drop);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Where a peer listens; known once connecting has begun. */
  public Endpoint endpoint(int peer) {
    return endpoints[peer];
  }

  public List<String> hosts() {
    return LatePeers.hosts(addresses);
  }
}
