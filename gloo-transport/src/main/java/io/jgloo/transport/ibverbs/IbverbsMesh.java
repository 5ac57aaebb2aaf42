package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Address;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.OneSided;
import io.jgloo.transport.Pair;
import io.jgloo.transport.Reductions;
import io.jgloo.transport.Registration;
import io.jgloo.transport.RemoteKey;
import io.jgloo.transport.Request;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One rank's queue pairs to all peers of a group.
 *
 * <p><i>Threads</i>: one lock guards pairs, matching and requests; it is never held while blocking.
 * What has been prepared under it is handed to the device just before it is released, many work
 * requests with one call. <i>Owns</i>: pairs, engine, rings, registrations, the TCP mesh.
 */
final class IbverbsMesh implements Mesh, OneSided {

  private final IbverbsDevice device;
  private final Mesh inner;
  private final Bootstrap bootstrap;
  private final Registrations registrations;
  private final Resources resources;
  private final Engine engine;
  private final IbverbsPair[] pairs;
  private final ReentrantLock lock = new ReentrantLock();
  private final AnyReceives any = new AnyReceives(this);
  private final Ending ending = new Ending(this);
  private final Traffic traffic = new Traffic();
  final Reductions reductions = new Reductions(lock);
  private final ArrayDeque<IbverbsPair> touched = new ArrayDeque<>();
  private Watch watch;
  private boolean completed;
  private long orders;
  private int outstanding;
  private volatile boolean started;
  private volatile GlooException failure;
  private volatile boolean closed;

  /**
   * @throws io.jgloo.transport.UnavailableException if the device or the limit of locked memory
   *     does not allow it; names limit and need
   */
  IbverbsMesh(IbverbsDevice device, Mesh inner) {
    this.device = device;
    this.inner = inner;
    registrations = new Registrations(this, device.adapter());
    pairs = new IbverbsPair[inner.size()];
    resources = new Resources(this, pairs);
    engine = new Engine(this, resources.channel(), resources.queue());
    bootstrap = new Bootstrap(this, inner);
  }

  // What users of the mesh call.

  @Override
  public Membership membership() {
    return inner.membership();
  }

  @Override
  public Clock clock() {
    return Clock.SYSTEM;
  }

  @Override
  public Address address() {
    return bootstrap.address();
  }

  @Override
  public void connect(List<Address> addresses, Duration timeout) {
    bootstrap.connect(addresses, timeout);
    lock();
    try {
      if (!started && !hasEnded()) {
        started = true;
        watch = bootstrap.watch();
        watch.start();
      }
    } finally {
      unlock();
    }
    checkOpen();
  }

  private void checkOpen() {
    if (closed) {
      throw new ClosedException("the mesh of " + membership() + " is closed");
    }
    failure()
        .ifPresent(
            cause -> {
              throw cause.again("cannot connect " + this);
            });
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
    return inner.hosts();
  }

  @Override
  public CompletionQueue newQueue() {
    return new IbverbsQueue(this);
  }

  @Override
  public Buffer newBuffer() {
    return new IbverbsBuffer(registrations);
  }

  @Override
  public void recvAny(Request request, BitSet peers) {
    IbverbsRequest own = own(request);
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
      }
    } catch (GlooException e) {
      fail(e);
    } finally {
      unlock();
    }
  }

  @Override
  public boolean cancelAny(Request request) {
    IbverbsRequest own = own(request);
    lock();
    try {
      return any.cancel(own);
    } finally {
      unlock();
    }
  }

  @Override
  public Registration register(long address, long length, Object keepAlive) {
    if (length <= 0 || address == 0) {
      throw new IllegalArgumentException(
          "address and length must be positive, but are %d and %d".formatted(address, length));
    }
    lock();
    try {
      if (closed) {
        throw new ClosedException("the mesh of " + membership() + " is closed");
      }
      return registrations.register(address, length, keepAlive);
    } finally {
      unlock();
    }
  }

  @Override
  public void put(Request request, RemoteKey key, long remoteOffset) {
    oneSided(request, key, remoteOffset, false);
  }

  @Override
  public void get(Request request, RemoteKey key, long remoteOffset) {
    oneSided(request, key, remoteOffset, true);
  }

  private void oneSided(Request request, RemoteKey key, long remoteOffset, boolean reads) {
    IbverbsRequest own = own(request);
    IbverbsPair pair = (IbverbsPair) pair(key.rank());
    if (remoteOffset < 0 || remoteOffset > key.length() - own.length()) {
      throw new IllegalArgumentException(
          "remote offset %d and length %d must lie within the %d bytes of the key"
              .formatted(remoteOffset, own.length(), key.length()));
    }
    pair.oneSided(own, reads, key.address() + remoteOffset, key.key());
  }

  @Override
  public Optional<GlooException> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public void abort(GlooException cause) {
    lock();
    try {
      fail(cause);
    } finally {
      unlock();
    }
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
    boolean later = reductions.deferClose(this::close);
    closed |= !later;
    unlock();
    if (!later) {
      ending.run();
    }
  }

  // What pairs, queues and the device need.

  Adapter adapter() {
    return device.adapter();
  }

  Settings settings() {
    return device.adapter().settings();
  }

  Engine engine() {
    return engine;
  }

  AnyReceives any() {
    return any;
  }

  Registrations registrations() {
    return registrations;
  }

  Resources resources() {
    return resources;
  }

  Bootstrap bootstrap() {
    return bootstrap;
  }

  Ending ending() {
    return ending;
  }

  IbverbsDevice device() {
    return device;
  }

  IbverbsPair pairAt(int peer) {
    return pairs[peer];
  }

  boolean isClosed() {
    return closed;
  }

  boolean isStarted() {
    return started;
  }

  boolean hasEnded() {
    return closed || failure != null;
  }

  Watch watch() {
    return watch;
  }

  void lock() {
    lock.lock();
  }

  /** Unlocks and tells waiting threads if something has completed without the driver. */
  void unlock() {
    if (unlockSettled()) {
      engine.baton().signal();
    }
  }

  /** Unlocks in the thread that drives, which looks at its own wish itself; tells the others. */
  void unlockToDrive() {
    if (unlockSettled()) {
      engine.baton().fulfilled();
    }
  }

  private boolean unlockSettled() {
    for (IbverbsPair pair = touched.poll(); pair != null; pair = touched.poll()) {
      pair.touched = false;
      pair.settle();
    }
    boolean tell = completed;
    completed = false;
    lock.unlock();
    return tell;
  }

  /** A pair has something to hand over to the device. */
  void touch(IbverbsPair pair) {
    if (!pair.touched) {
      pair.touched = true;
      touched.add(pair);
    }
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

  IbverbsRequest own(Request request) {
    if (request instanceof IbverbsRequest own && own.queue.mesh() == this) {
      return own;
    }
    throw new IllegalStateException("the request was made by a queue of another mesh");
  }

  /**
   * Marks a request as posted; false if it has failed at once because the mesh is gone.
   *
   * @throws IllegalStateException if it is posted already or was never described
   */
  boolean post(IbverbsRequest request, IbverbsPair pair) {
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
      request.fail(new ClosedException("the mesh of " + membership() + " is closed"));
      return false;
    }
    if (failure != null) {
      request.fail(failure);
      return false;
    }
    return true;
  }

  private void checkStarted() {
    if (!started) {
      throw new IllegalStateException("the mesh of " + membership() + " has not been connected");
    }
  }

  void connectPair(int peer, Introduction introduction, String text) {
    lock();
    try {
      if (!hasEnded()) {
        pairs[peer].connect(introduction, text);
      }
    } finally {
      unlock();
    }
  }

  /** A completion has been taken; the lock is held. */
  void handle(long completion) {
    long id = Completion.id(completion);
    IbverbsPair pair = pairs[WorkId.peer(id)];
    if (pair != null) {
      pair.handle(completion, id);
    }
  }

  // What the watch hears.

  /** A peer leaves, after it has used this many of our receives. */
  void leaving(int peer, long sent) {
    lock();
    try {
      pairs[peer].leaving(sent);
    } finally {
      unlock();
    }
  }

  /** The TCP mesh has failed; what the peers had sent before is taken first. */
  void heard(GlooException cause) {
    if (hasEnded()) {
      return;
    }
    engine.progress();
    abort(cause);
  }

  /** Gives up a registration of the user's. */
  void release(IbverbsRegistration registration) {
    lock();
    try {
      registrations.release(registration);
    } finally {
      unlock();
    }
  }

  /** A pair is broken. If nobody tells why within a moment, that is the cause; lock held. */
  void suspect(IbverbsPair pair) {
    ending.suspect(pair);
    if (watch != null) {
      watch.rouse();
    }
  }

  /** Makes progress for requests nobody waits for; whether there is more to do soon. */
  boolean patrol() {
    lock();
    boolean busy = !hasEnded() && outstanding > 0;
    boolean suspicious = ending.condemn();
    unlock();
    if (engine.wasDriven()) {
      return suspicious;
    }
    engine.progress();
    return busy || suspicious;
  }

  /** Rings once more at pairs whose device has told nothing since the last time. */
  void nudge() {
    lock();
    for (IbverbsPair pair : pairs) {
      if (pair != null && pair.isOpen() && pair.sends().nudge()) {
        touch(pair);
      }
    }
    unlock();
  }

  // The end.

  /**
   * Fails the mesh, unless it has ended before, and tells all peers. The lock is held; when this
   * returns no queue pair exists any more.
   */
  void fail(GlooException cause) {
    if (hasEnded() || reductions.defer(cause)) {
      return;
    }
    failure = reductions.first(cause);
    inner.abort(failure);
    ending.disarm(failure);
    completed = true;
  }

  @Override
  public String toString() {
    return "ibverbs mesh of " + membership();
  }
}
