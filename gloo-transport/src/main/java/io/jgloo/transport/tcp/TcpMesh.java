package io.jgloo.transport.tcp;

import io.jgloo.transport.Address;
import io.jgloo.transport.Blockers;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Memory;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Pair;
import io.jgloo.transport.Request;
import io.jgloo.transport.Wire;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One rank's TCP connections to all peers of a group.
 *
 * <p><i>Threads</i>: one lock guards pairs, matching and requests; it is never held while blocking.
 * Groups share nothing, so they do not wait for each other. <i>Owns</i>: pairs, engine, scratch.
 */
final class TcpMesh implements Mesh {

  /** What one greedy read takes at most; 64 KiB was 20 % slower, 1 MiB no faster. */
  static final int SCRATCH_BYTES = 256 << 10;

  private static final long CLOSE_NANOS = 1_000_000_000L;

  private final TcpDevice device;
  private final Membership membership;
  private final UUID incarnation = UUID.randomUUID();
  private final Settings settings;
  private final ReentrantLock lock = new ReentrantLock();
  private final Engine engine;
  private final Meeting meeting;
  private final Roster roster;
  private final TcpPair[] pairs;
  private final AnyReceives any;
  private final Farewell farewell;
  private final StrayPool strays = new StrayPool();
  private final Traffic traffic = new Traffic();
  private final long scratch = Memory.allocate(SCRATCH_BYTES, Memory.CACHE_LINE);
  private final HotPair hot = new HotPair(this);
  private boolean completed;
  private long orders;
  private volatile boolean started;
  private volatile GlooException failure;
  private volatile boolean closed;
  private int outstanding;
  private volatile boolean released;

  TcpMesh(TcpDevice device, Membership membership, Settings settings) throws IOException {
    this.device = device;
    this.membership = membership;
    this.settings = settings;
    engine = new Engine(this, device.sockets().newPoller(), settings);
    any = new AnyReceives(this);
    farewell = new Farewell(this, device);
    roster = new Roster(this, device, lock);
    pairs = new TcpPair[membership.size()];
    for (int peer = 0; peer < pairs.length; peer++) {
      if (peer != membership.rank()) {
        pairs[peer] = new TcpPair(this, peer);
      }
    }
    meeting = Meeting.of(this, device); // last: from here on peers may come
  }

  // What users of the mesh call.

  @Override
  public Membership membership() {
    return membership;
  }

  @Override
  public Wire wire() {
    return settings.wire();
  }

  @Override
  public Clock clock() {
    return Clock.SYSTEM;
  }

  @Override
  public Address address() {
    return meeting.address();
  }

  @Override
  public void connect(List<Address> addresses, Duration timeout) {
    roster.connect(addresses, timeout);
  }

  @Override
  public Pair pair(int peer) {
    if (peer < 0 || peer >= pairs.length || peer == rank()) {
      throw new IllegalArgumentException(
          ("peer must be 0 to " + (pairs.length - 1) + " and not this rank " + rank())
              + (", but is " + peer));
    }
    checkStarted();
    return pairs[peer];
  }

  @Override
  public List<String> hosts() {
    checkStarted();
    return roster.hosts();
  }

  @Override
  public CompletionQueue newQueue() {
    return new TcpQueue(this);
  }

  @Override
  public Buffer newBuffer() {
    return new TcpBuffer();
  }

  @Override
  public void recvAny(Request request, BitSet peers) {
    TcpRequest own = own(request);
    own.checkGranules();
    if (peers.isEmpty() || peers.length() > size() || peers.get(rank())) {
      throw new IllegalArgumentException(
          "peers must be other ranks of a group of " + size() + ", but are " + peers);
    }
    checkStarted();
    lock();
    try {
      if (post(own, null)) {
        own.peers = (BitSet) peers.clone();
        any.post(own);
        roster.want(own.peers);
      }
    } catch (GlooException e) {
      fail(e, null);
    } finally {
      unlock();
    }
  }

  @Override
  public boolean cancelAny(Request request) {
    TcpRequest own = own(request);
    lock();
    try {
      return any.cancel(own);
    } finally {
      unlock();
    }
  }

  @Override
  public Optional<GlooException> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public void abort(GlooException cause) {
    lock();
    try {
      fail(cause, null);
    } finally {
      unlock();
    }
  }

  @Override
  public CompletableFuture<Blockers> findBlockers(long slot, Duration patience) {
    return device.findBlockers(this, slot, patience);
  }

  @Override
  public Map<String, Long> counters() {
    lock();
    try {
      return traffic.counters();
    } finally {
      unlock();
    }
  }

  @Override
  public void close() {
    lock();
    try {
      if (!closed) {
        closed = true;
        if (failure == null) {
          failAll(new ClosedException("the mesh of " + membership + " was closed"));
          if (started) {
            farewell.goodbye();
          }
        }
      }
    } finally {
      unlock();
    }
    release();
  }

  // What pairs, queues and the device need.

  Settings settings() {
    return settings;
  }

  Engine engine() {
    return engine;
  }

  AnyReceives any() {
    return any;
  }

  StrayPool strays() {
    return strays;
  }

  Roster roster() {
    return roster;
  }

  Meeting meeting() {
    return meeting;
  }

  UUID incarnation() {
    return incarnation;
  }

  TcpPair pairAt(int peer) {
    return pairs[peer];
  }

  long scratch() {
    return scratch;
  }

  boolean isClosed() {
    return closed;
  }

  boolean hasEnded() {
    return closed || failure != null;
  }

  void lock() {
    lock.lock();
  }

  /** Unlocks and tells waiting threads if something has completed without the driver. */
  void unlock() {
    boolean tell = completed;
    completed = false;
    lock.unlock();
    if (tell) {
      engine.baton().signal();
    }
  }

  /** Unlocks in the thread that drives, which looks at its own wish itself; tells the others. */
  void unlockToDrive() {
    boolean tell = completed;
    completed = false;
    lock.unlock();
    if (tell) {
      engine.baton().fulfilled();
    }
  }

  /** Lets the driver look again, though nothing has completed. */
  void rouse() {
    completed = true;
  }

  void noteCompletion() {
    completed = true;
    outstanding--;
  }

  Traffic traffic() {
    return traffic;
  }

  long nextOrder() {
    return orders++;
  }

  TcpRequest own(Request request) {
    if (request instanceof TcpRequest tcp && tcp.queue.mesh() == this) {
      return tcp;
    }
    throw new IllegalStateException("the request was made by a queue of another mesh");
  }

  /**
   * Marks a request as posted; false if it has failed at once because the mesh or the peer is gone.
   *
   * @throws IllegalStateException if it is posted already or was never described
   */
  boolean post(TcpRequest request, TcpPair pair) {
    if (request.state() == Request.State.POSTED) {
      throw new IllegalStateException("the request is posted already");
    }
    if (request.buffer() == null) {
      throw new IllegalStateException("the request has no message");
    }
    traffic.posted();
    outstanding++;
    request.post(pair, nextOrder());
    if (closed) {
      request.fail(new ClosedException("the mesh of " + membership + " is closed"));
      return false;
    }
    if (failure != null) {
      request.fail(failure);
      return false;
    }
    return true;
  }

  HotPair hotPair() {
    return hot;
  }

  // Beginning and end.

  /** Starts to poll the pairs: all are connected, or may be later. The lock is held. */
  void start() throws IOException {
    if (started) {
      return;
    }
    for (TcpPair pair : pairs) {
      for (Link link : pair == null ? List.<Link>of() : pair.links()) {
        engine.poller().add(link);
      }
    }
    started = true;
  }

  /** A pair is connected after the start: what waits for it may go. The lock is held. */
  void joined(TcpPair pair) {
    pair.links().forEach(engine::adopt);
    pair.outbox().flush();
    completed = true;
  }

  boolean isStarted() {
    return started;
  }

  private void checkStarted() {
    if (!started) {
      throw new IllegalStateException("the mesh of " + membership + " has not been connected");
    }
  }

  /**
   * Fails the mesh, unless it has failed before; tells all peers but the one that is lost or has
   * told us. The lock is held.
   */
  void fail(GlooException cause, TcpPair source) {
    if (!hasEnded()) {
      byte[] notice = AbortNotice.encode(rank(), cause);
      fail(cause, notice, source);
      roster.tellUnconnected(notice);
    }
  }

  /**
   * A peer has given up the group. Its notice is passed on as it is, as it may not have reached
   * everybody; in words of our own, a loss would arrive as something else.
   */
  void heard(byte[] notice, TcpPair source) {
    fail(AbortNotice.decode(notice, rank(), size()), notice, source);
  }

  private void fail(GlooException cause, byte[] notice, TcpPair source) {
    if (hasEnded()) {
      return;
    }
    failure = cause;
    device.obituaries().add(incarnation, notice);
    failAll(cause);
    if (started) {
      farewell.abort(notice, source);
    }
    roster.changed();
    completed = true;
  }

  /** A peer tells past its stream, which is stuck, that it has given up the group. */
  void noticed(byte[] notice) {
    lock();
    try {
      heard(notice, null);
    } finally {
      unlock();
    }
  }

  /** Makes progress for requests nobody waits for; whether there are any. */
  boolean patrol() {
    lock();
    boolean pending = started && !hasEnded() && outstanding > 0;
    unlock();
    boolean driven = engine.wasDriven();
    if (pending && !driven) {
      engine.progress();
    }
    return pending && !driven;
  }

  private void failAll(GlooException cause) {
    any.failAll(cause);
    for (TcpPair pair : pairs) {
      if (pair != null) {
        pair.failAll(cause);
      }
    }
  }

  /** A peer that said good-bye has closed: its socket is done with. */
  void retire(TcpPair pair) {
    for (Link link : pair.detach()) {
      engine.poller().remove(link);
      link.close();
    }
    pair.outbox().close();
  }

  /** Gives descriptors and memory back, once no thread can be in a system call on them. */
  private void release() {
    roster.end();
    meeting.close();
    long deadline = System.nanoTime() + CLOSE_NANOS;
    while (!engine.baton().take()) {
      engine.baton().signal();
      if (released || System.nanoTime() - deadline > 0) {
        return;
      }
      Thread.onSpinWait();
    }
    try {
      lock();
      try {
        releaseLocked();
      } finally {
        unlock();
      }
    } finally {
      engine.baton().release();
    }
  }

  private void releaseLocked() {
    if (released) {
      return;
    }
    released = true;
    for (TcpPair pair : pairs) {
      if (pair == null) {
        continue;
      }
      if (started) {
        pair.links().forEach(engine.poller()::remove);
      }
      farewell.linger(pair);
      pair.close();
    }
    engine.close();
    Memory.free(scratch);
    strays.close();
    device.forget(this);
  }

  @Override
  public String toString() {
    return "tcp mesh of " + membership;
  }
}
