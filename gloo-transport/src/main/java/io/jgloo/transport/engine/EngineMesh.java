package io.jgloo.transport.engine;

import io.jgloo.transport.Buffer;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.CompletionQueue;
import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.Pair;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.Request;
import io.jgloo.transport.capability.Diagnosis;
import io.jgloo.transport.memory.Memory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * One rank's pairs to all peers of a group, over any transport.
 *
 * <p>A transport extends it with how ranks connect, what its routes are, and how the others learn
 * of the end.
 *
 * <p>In one file because its methods are short and share one lock.
 *
 * <p><i>Threads</i>: one lock guards pairs, matching and requests; it is never held while blocking.
 * Meshes share nothing, so they do not wait for each other. <i>Owns</i>: pairs, progress,
 * unexpected messages.
 */
public abstract class EngineMesh implements Mesh, Diagnosis {

  /** How long a closing thread waits for the thread that makes progress. */
  private static final long CLOSE_NANOS = 1_000_000_000L;

  private static final long CLOSE_PAUSE_NANOS = 50_000L;

  /** How long reductions may keep the lock while others wait for it. */
  private static final long TURN_NANOS = 1_000_000L;

  private static final long PAUSE_NANOS = 20_000L;
  private static final int PAUSES = 500;

  private final Membership membership;
  private final FailureScope scope;
  private final Platform platform;
  private final ReentrantLock lock;
  private final EnginePair[] pairs;
  private AnyReceives any; // null until there is such a receive
  private final UnexpectedPool unexpected = new UnexpectedPool();
  private boolean reductionsForbidden;

  /** How long reductions have run since the lock was taken. */
  private long turnNanos;

  /** Reductions that run now; read without the lock only to find out that none does. */
  private int reductionsRunning;

  private boolean closing;
  private Throwable thrownByReduction; // by the last one that threw
  private JGlooException abortOfReduction;
  private final List<Runnable> laterEnds = new ArrayList<>(0);
  private Progress progress;
  private boolean completed;
  private long orders;
  private long posts;
  private int outstanding;
  private volatile boolean started;
  private volatile JGlooException failure;
  private volatile boolean closed;
  private volatile boolean released;

  protected EngineMesh(Membership membership, FailureScope scope, Platform platform) {
    this.membership = membership;
    this.scope = scope;
    this.platform = platform;
    lock = platform.newLock();
    pairs = new EnginePair[membership.size()];
  }

  /**
   * Makes the progress engine and the pairs; called last in the constructor of a mesh, before peers
   * may connect.
   *
   * @param spinNanos how long a waiting thread polls before it blocks
   * @param spreads whether a waiting thread leaves a core that other threads want
   */
  protected final void open(Source source, long spinNanos, boolean spreads) {
    Placement placement =
        spreads ? Placement.spreading(platform, this::localSize) : Placement.kernels(platform);
    progress =
        new Progress(source, platform, spinNanos, placement, batches() ? new Batch(this) : null);
    for (int peer = 0; peer < pairs.length; peer++) {
      if (peer != membership.rank()) {
        pairs[peer] = new EnginePair(this, peer);
        pairs[peer].route(newRoute(pairs[peer]));
      }
    }
  }

  // What a transport supplies.

  /** How the messages of a pair move. */
  protected abstract Route newRoute(EnginePair pair);

  /** A request was posted on a pair that is not connected; the lock is held. */
  protected abstract void wanted(EnginePair pair);

  /** Adds what the transport has counted. The lock is held. */
  protected abstract void count(Map<String, Long> counters);

  /** Whether routes hold frames back for a {@link Batch}. */
  protected boolean batches() {
    return false;
  }

  /**
   * A pair has ended while the mesh goes on, and its requests have failed: releases its connection
   * and its memory; {@link #newRoute} follows. The lock is held.
   *
   * @param source the pair if its peer is lost or knows the cause, or null if it has to be notified
   */
  protected void ended(EnginePair pair, JGlooException cause, EnginePair source) {
    throw new IllegalStateException("pairs of " + this + " cannot fail one by one");
  }

  /** Ensures that nothing touches the memory of posted requests any more: they fail now. */
  protected void quiesce() {}

  /**
   * Notifies the peers that the mesh has failed, after its requests have. The lock is held.
   *
   * @param source the pair whose peer is lost or knows of the failure already, or null
   */
  protected abstract void notifyPeers(JGlooException cause, EnginePair source);

  /** Called before the lock is released: hands over what was prepared under it. */
  protected void settle() {}

  /** The mesh is closing: waits until its requests have failed, at most until the deadline. */
  protected void awaitEnd(long deadlineNanos) {
    lock(); // the closing thread holds it until the requests have failed
    unlock();
  }

  // For users of the mesh.

  @Override
  public final Membership membership() {
    return membership;
  }

  /** Number of ranks on this rank's host, this one included; known once connected. */
  final int localSize() {
    String own = hosts().get(rank());
    return (int) hosts().stream().filter(own::equals).count();
  }

  public final int rank() {
    return membership.rank();
  }

  public final int size() {
    return membership.size();
  }

  @Override
  public final Clock clock() {
    return platform;
  }

  @Override
  public final Pair pair(int peer) {
    if (peer < 0 || peer >= pairs.length || peer == rank()) {
      throw new IllegalArgumentException(
          ("peer must be 0 to " + (pairs.length - 1) + " and not this rank " + rank())
              + (", but is " + peer));
    }
    checkStarted();
    return pairs[peer];
  }

  @Override
  public final CompletionQueue newQueue() {
    return new EngineQueue(this);
  }

  @Override
  public Buffer newBuffer() {
    return new Buffer() {}; // which needs no registration
  }

  @Override
  public final void recvAny(Request request, BitSet peers) {
    EngineRequest own = own(request);
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
        if (any == null) {
          any = new AnyReceives(this);
        }
        any.post(own);
        wantAll(own.peers);
      }
    } catch (JGlooException e) {
      fail(e, null);
    } finally {
      unlock();
    }
  }

  private void wantAll(BitSet peers) {
    for (int peer = peers.nextSetBit(0); peer >= 0; peer = peers.nextSetBit(peer + 1)) {
      if (!hasEnded() && !pairs[peer].route().mover().isConnected()) {
        wanted(pairs[peer]);
      }
    }
  }

  /** Withdraws a request of this mesh; false if it is too late. */
  final boolean cancel(EngineRequest request) {
    lock();
    try {
      return request.isFromAny()
          ? any.cancel(request)
          : request.pair != null && request.pair.cancel(request);
    } finally {
      unlock();
    }
  }

  @Override
  public <T> Optional<T> capability(Class<T> type) {
    return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
  }

  @Override
  public final Optional<JGlooException> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public final void abort(JGlooException cause) {
    lock();
    try {
      fail(cause, null);
    } finally {
      unlock();
    }
  }

  @Override
  public final Map<String, Long> counters() {
    Map<String, Long> counters = new LinkedHashMap<>();
    lock();
    try {
      counters.put("requests", posts);
      count(counters);
    } finally {
      unlock();
    }
    return counters;
  }

  // For pairs, queues, routes and the device.

  public final Progress progress() {
    return progress;
  }

  /** Receives from any rank, of which there is one. */
  final AnyReceives any() {
    return any;
  }

  /** Whether a receive from any rank is posted. */
  public final boolean hasAnyReceives() {
    return any != null && !any.isEmpty();
  }

  /** The next receive from any rank for a message of this slot, left in place, or null. */
  final EngineRequest findAny(long slot, int peer) {
    return any == null ? null : any.find(slot, peer);
  }

  /** Whether a receive from any rank can only be served by ranks that have left, this the last. */
  final boolean needsAny(int peer) {
    return any != null && any.needs(peer);
  }

  /** Whether a receive from any rank listens to this one. */
  final boolean anyListensTo(int peer) {
    return any != null && any.listensTo(peer);
  }

  /** Fails receives from any rank that no rank can serve any more. */
  final void failHopelessAny(JGlooException cause) {
    if (any != null) {
      any.failHopeless(cause);
    }
  }

  public final UnexpectedPool unexpected() {
    return unexpected;
  }

  /** The pair of a peer; null for this rank, and while the mesh is being made. */
  public final EnginePair pairAt(int peer) {
    return pairs[peer];
  }

  /** Whether {@link #close} was called. */
  public final boolean isClosed() {
    return closed;
  }

  public final boolean hasEnded() {
    return closed || failure != null;
  }

  /** Whether requests can be posted: all pairs are connected, or will be when they are needed. */
  public final boolean isStarted() {
    return started;
  }

  /** Lets requests be posted. The lock is held. */
  protected final void started() {
    started = true;
  }

  protected final void checkStarted() {
    if (!started) {
      throw new IllegalStateException("the mesh of " + membership + " has not been connected");
    }
  }

  protected final ReentrantLock stateLock() {
    return lock;
  }

  public final void lock() {
    lock.lock();
  }

  /** Takes the lock if it is free: the device's thread serves other meshes and waits for none. */
  public final boolean tryLock() {
    return lock.tryLock();
  }

  /** Unlocks, and wakes waiting threads if something has completed outside of progress. */
  public final void unlock() {
    if (turnNanos > 0) {
      turnNanos = 0;
    }
    if (release()) {
      progress.signal();
    }
  }

  /** Unlocks in the thread that makes progress, which looks at its own condition itself. */
  public final void unlockInProgress() {
    boolean wasLong = turnNanos >= TURN_NANOS;
    if (turnNanos > 0) {
      turnNanos = 0;
    }
    if (release()) {
      progress.wakeSatisfied();
    }
    if (wasLong) {
      letOthersIn();
    }
  }

  private boolean release() {
    if (completed && !laterEnds.isEmpty() && reductionsRunning == 0) {
      List<Runnable> ends = List.copyOf(laterEnds);
      laterEnds.clear();
      ends.forEach(Runnable::run);
    }
    settle();
    boolean wake = completed;
    completed = false;
    lock.unlock();
    return wake;
  }

  /** Lets the thread that makes progress look again, though nothing has completed. */
  public final void lookAgain() {
    completed = true;
  }

  /** Ends a pair when the reduction that runs now, maybe on that pair, has returned. */
  void endLater(Runnable end) {
    laterEnds.add(end);
    lookAgain();
  }

  public final boolean isPairwise() {
    return scope == FailureScope.PAIRWISE;
  }

  void noteCompletion() {
    completed = true;
    outstanding--;
  }

  /** Whether requests are posted that have not ended. */
  protected final boolean isBusy() {
    return outstanding > 0;
  }

  /** The next place in the order of posting and of arrival. */
  public final long nextOrder() {
    return orders++;
  }

  /**
   * The request as one of this mesh.
   *
   * @throws IllegalStateException if it was made by a queue of another mesh
   */
  public final EngineRequest own(Request request) {
    if (request instanceof EngineRequest own && own.queue.mesh() == this) {
      return own;
    }
    throw new IllegalStateException("the request was made by a queue of another mesh");
  }

  /**
   * Marks a request as posted; false if it has failed at once because the mesh is gone.
   *
   * @throws IllegalStateException if it is posted already or was never described
   */
  public final boolean post(EngineRequest request, EnginePair pair) {
    if (request.state() == Request.State.POSTED) {
      throw new IllegalStateException("the request is posted already");
    }
    if (request.buffer() == null) {
      throw new IllegalStateException("the request has no message");
    }
    posts++;
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

  // Reductions. What one does to its mesh is deferred until it has returned: a mesh that fails or
  // closes frees memory that the reduction, and the code that called it, still use. And reductions
  // that take long leave the lock to others now and then.

  /**
   * Runs a reduction.
   *
   * @throws JGlooException with which the reduction has aborted this mesh
   */
  public final void reduce(Reduction kernel, long target, long source, long bytes) {
    reduce(kernel, target, source, bytes, false);
  }

  private void reduce(Reduction kernel, long target, long source, long bytes, boolean pastCaches) {
    boolean measured = kernel.bytesAtATime() != Integer.MAX_VALUE;
    long start = measured ? platform.nanoTime() : 0;
    reductionsRunning++;
    try {
      if (pastCaches) {
        kernel.reducePastCaches(target, source, bytes);
      } else {
        kernel.reduce(target, source, bytes);
      }
    } catch (Throwable e) {
      thrownByReduction = e;
      throw e;
    } finally {
      reductionsRunning--;
      turnNanos += measured ? platform.nanoTime() - start : 0;
    }
    if (abortOfReduction != null && reductionsRunning == 0) {
      throw abortOfReduction;
    }
  }

  /**
   * Stores or reduces bytes into a receive.
   *
   * @return how many; fewer than are given where the rest is less than an element or too much for
   *     one call
   */
  public final int store(EngineRequest request, long offset, long from, int count) {
    if (request.reduction() == null) {
      Memory.copy(from, request.address() + offset, count);
      return count;
    }
    return reduce(request, offset, from, count, false);
  }

  /**
   * Reduces bytes into a receive.
   *
   * @param pastCaches see {@link Reduction#reducePastCaches}
   * @return as {@link #store}
   */
  public final int reduce(
      EngineRequest request, long offset, long from, int count, boolean pastCaches) {
    Reduction kernel = request.reduction();
    int atOnce = Math.min(count, kernel.bytesAtATime());
    int whole = atOnce - atOnce % kernel.granule();
    if (whole > 0) {
      reduce(kernel, request.address() + offset, from, whole, pastCaches);
    }
    return whole;
  }

  /** Whether a reduction may run now, or is to be left to a later turn. */
  public final boolean mayReduce() {
    return !reductionsForbidden && turnNanos < TURN_NANOS;
  }

  /** Leaves reductions to other threads while this is set: the device's own runs none. */
  protected final void forbidReductions(boolean forbidden) {
    reductionsForbidden = forbidden;
  }

  /** Lets other threads have the lock after this turn, as after one with long reductions. */
  public final void makeTurnLong() {
    turnNanos = Math.max(turnNanos, TURN_NANOS);
  }

  /** After a long turn, without the lock: lets the threads that wait for the lock have it. */
  private void letOthersIn() {
    for (int i = 0; i < PAUSES && lock.hasQueuedThreads() && !lock.isHeldByCurrentThread(); i++) {
      platform.park(this, PAUSE_NANOS);
    }
  }

  /** Takes the cause of an abort for later; false if no reduction runs. */
  private boolean deferAbort(JGlooException cause) {
    if (reductionsRunning > 0 && abortOfReduction == null) {
      abortOfReduction = cause;
    }
    return reductionsRunning > 0;
  }

  /** Has another thread close the mesh, which waits for the lock; false if no reduction runs. */
  protected final boolean deferClose() {
    if (reductionsRunning > 0 && !closing) {
      closing = true;
      platform.newThread("gloo-close", this::close).start();
    }
    return reductionsRunning > 0;
  }

  /** Whether it was a reduction that threw this. */
  final boolean threwInReduction(Throwable e) {
    return thrownByReduction == e;
  }

  final boolean isReducing() {
    return reductionsRunning > 0;
  }

  /** Whether a reduction has aborted the mesh. */
  final boolean isAbortedByReduction() {
    return abortOfReduction != null;
  }

  /**
   * Refuses a wait inside a reduction, which nothing could end: the waiting thread holds the lock.
   *
   * @throws IllegalStateException if the calling thread is inside a reduction of this mesh
   */
  final void checkWait() {
    if (reductionsRunning > 0 && lock.isHeldByCurrentThread()) {
      throw new IllegalStateException("a reduction must not wait for requests of its own mesh");
    }
  }

  // The end.

  /**
   * Fails the mesh, unless it has ended before, and notifies all peers, except the one that is lost
   * or has sent the cause. The lock is held.
   */
  public final void fail(JGlooException cause, EnginePair source) {
    if (hasEnded() || deferAbort(cause)) {
      return;
    }
    failure = abortOfReduction == null ? cause : abortOfReduction;
    completed = true;
    failAll(failure);
    notifyPeers(failure, source);
  }

  /** Ends the mesh for new requests; false if it was closed before. The lock is held. */
  protected final boolean markClosed() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /**
   * Runs the last step of closing once, with the progress lock held. The thread that makes progress
   * may keep the lock for as long as a local reduction takes; then another thread waits for it.
   */
  protected final void endProgress(Runnable release) {
    if (!endProgress(release, platform.nanoTime() + CLOSE_NANOS)) {
      platform.newThread("gloo-close", () -> endProgress(release, Long.MAX_VALUE)).start();
    }
  }

  private boolean endProgress(Runnable release, long deadlineNanos) {
    while (!progress.take()) {
      if (released || platform.nanoTime() >= deadlineNanos) {
        return released;
      }
      progress.signal();
      platform.park(this, CLOSE_PAUSE_NANOS); // the thread that makes progress may need this core
    }
    try {
      if (!released) {
        released = true;
        release.run();
      }
    } finally {
      progress.release();
    }
    return true;
  }

  /** Fails all requests; nothing touches their memory any more. The lock is held. */
  protected final void failAll(JGlooException cause) {
    quiesce();
    if (any != null) {
      any.failAll(cause);
    }
    for (EnginePair pair : pairs) {
      if (pair != null) {
        pair.failAll(cause);
      }
    }
  }

  /** The failure of what is posted when the mesh is closed. */
  protected final ClosedException closedException() {
    return new ClosedException("the mesh of " + membership + " was closed");
  }

  /** All pairs, in the order of their peers. */
  protected final List<EnginePair> pairs() {
    return Stream.of(pairs).filter(Objects::nonNull).toList();
  }
}
