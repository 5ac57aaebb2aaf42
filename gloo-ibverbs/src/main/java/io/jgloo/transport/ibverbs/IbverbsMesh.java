package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Address;
import io.jgloo.transport.Buffer;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.Request;
import io.jgloo.transport.engine.EngineMesh;
import io.jgloo.transport.engine.EnginePair;
import io.jgloo.transport.engine.EngineRequest;
import io.jgloo.transport.engine.Platform;
import io.jgloo.transport.engine.Route;
import io.jgloo.transport.ibverbs.OneSided.Registration;
import io.jgloo.transport.ibverbs.OneSided.RemoteKey;
import io.jgloo.transport.ibverbs.Registrations.IbverbsRegistration;
import io.jgloo.transport.ibverbs.verbs.Completion;
import io.jgloo.transport.ibverbs.verbs.MemoryRegion;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;

/**
 * One rank's queue pairs to all peers of a group.
 *
 * <p>What has been prepared under the mesh's lock is handed to the device just before it is
 * released, many work requests with one call.
 *
 * <p><i>Owns</i>: queue pairs, completion source, rings, registrations, the TCP mesh.
 */
final class IbverbsMesh extends EngineMesh implements OneSided {

  // Counted under the lock.
  private long framesIn;
  private long framesOut;
  private long bytesIn;
  private long bytesOut;
  private long bytesWritten;
  private long bytesRead;
  private long bytesCopied;

  private final IbverbsDevice device;
  private final Mesh inner;
  private final Bootstrap bootstrap;
  private final Registrations registrations;
  private final Resources resources;
  private final CompletionSource source;
  private final IbverbsLink[] links;
  private final Ending ending = new Ending(this);
  private final ArrayDeque<IbverbsLink> touched = new ArrayDeque<>();
  private Watch watch;

  /**
   * Makes a mesh beside a TCP mesh of the same membership.
   *
   * @throws io.jgloo.transport.UnavailableException if the device or the limit of locked memory
   *     does not allow it; names limit and need
   */
  IbverbsMesh(IbverbsDevice device, Mesh inner) {
    super(inner.membership(), FailureScope.COLLECTIVE, Platform.SYSTEM);
    this.device = device;
    this.inner = inner;
    registrations = new Registrations(this, device.adapter());
    links = new IbverbsLink[inner.membership().size()];
    resources = new Resources(this, links);
    source = new CompletionSource(this, resources.channel(), resources.queue());
    open(source, settings().spinNanos(), settings().spreads());
    bootstrap = new Bootstrap(this, inner);
  }

  // What the engine asks for.

  @Override
  protected Route newRoute(EnginePair pair) {
    IbverbsLink link = links[pair.peer()];
    link.route(new IbverbsRoute(this, link, pair));
    return link.route();
  }

  @Override
  protected void wanted(EnginePair pair) {
    // All pairs are connected when the mesh starts.
  }

  @Override
  protected void quiesce() {
    ending.disarm();
  }

  @Override
  protected void notifyPeers(JGlooException cause, EnginePair from) {
    inner.abort(cause);
  }

  @Override
  protected void settle() {
    for (IbverbsLink link = touched.poll(); link != null; link = touched.poll()) {
      link.touched = false;
      link.settle();
    }
  }

  @Override
  protected void awaitEnd(long deadlineNanos) {
    ending.await(deadlineNanos); // the requests are about to fail
  }

  // For users of the mesh.

  @Override
  public Address address() {
    return bootstrap.address();
  }

  @Override
  public void connect(List<Address> addresses, Duration timeout) {
    bootstrap.connect(addresses, timeout);
    lock();
    try {
      if (!isStarted() && !hasEnded()) {
        started();
        watch = bootstrap.watch();
        watch.start();
      }
    } finally {
      unlock();
    }
    checkOpen();
  }

  private void checkOpen() {
    if (isClosed()) {
      throw new ClosedException("the mesh of " + membership() + " is closed");
    }
    failure()
        .ifPresent(
            cause -> {
              throw cause.again("cannot connect " + this);
            });
  }

  @Override
  public List<String> hosts() {
    checkStarted();
    return inner.hosts();
  }

  @Override
  public Buffer newBuffer() {
    return new IbverbsBuffer(registrations);
  }

  @Override
  public Registration register(long address, long length, Object keepAlive) {
    if (length <= 0 || address == 0) {
      throw new IllegalArgumentException(
          "address and length must be positive, but are %d and %d".formatted(address, length));
    }
    lock();
    try {
      if (isClosed()) {
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
    EngineRequest own = own(request);
    EnginePair pair = (EnginePair) pair(key.rank());
    if (remoteOffset < 0 || remoteOffset > key.length() - own.length()) {
      throw new IllegalArgumentException(
          "remote offset %d and length %d must lie within the %d bytes of the key"
              .formatted(remoteOffset, own.length(), key.length()));
    }
    lock();
    try {
      MemoryRegion region = own.length() == 0 || hasEnded() ? null : registrations().require(own);
      if (post(own, pair)) {
        long address = key.address() + remoteOffset;
        links[key.rank()].route().oneSided(own, reads, address, key.key(), region);
        pair.checkPresent();
      }
    } catch (PeerDepartedException e) {
      pair.failed(e);
    } finally {
      unlock();
    }
  }

  @Override
  protected void count(Map<String, Long> counters) {
    counters.put("bytesIn", bytesIn);
    counters.put("bytesOut", bytesOut);
    counters.put("framesIn", framesIn);
    counters.put("framesOut", framesOut);
    counters.put("bytesWritten", bytesWritten);
    counters.put("bytesRead", bytesRead);
    counters.put("bytesCopied", bytesCopied);
  }

  @Override
  public void close() {
    lock();
    boolean later = deferClose();
    if (!later) {
      markClosed();
    }
    unlock();
    if (!later) {
      bootstrap.rouse();
      endProgress(ending::run);
    }
  }

  // What links and the device need.

  Adapter adapter() {
    return device.adapter();
  }

  Settings settings() {
    return device.adapter().settings();
  }

  CompletionSource source() {
    return source;
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

  IbverbsLink linkAt(int peer) {
    return links[peer];
  }

  Watch watch() {
    return watch;
  }

  /** A link has something to hand over to the device. */
  void touch(IbverbsLink link) {
    if (!link.touched) {
      link.touched = true;
      touched.add(link);
    }
  }

  void connectLink(int peer, Introduction introduction, String text) {
    lock();
    try {
      if (!hasEnded()) {
        links[peer].connect(introduction, text);
      }
    } finally {
      unlock();
    }
  }

  /** A completion has been taken; the lock is held. */
  void handle(long completion) {
    long id = Completion.id(completion);
    IbverbsLink link = links[WorkId.peer(id)];
    if (link != null) {
      link.handle(completion, id);
    }
  }

  // Reports of the watch.

  /** A peer leaves, after it has used this many receives of this rank. */
  void leaving(int peer, long sent) {
    lock();
    try {
      links[peer].leaving(sent);
    } finally {
      unlock();
    }
  }

  /** The TCP mesh has failed; what the peers had sent before is taken first. */
  void innerMeshFailed(JGlooException cause) {
    if (hasEnded()) {
      return;
    }
    progress().look();
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

  /**
   * A link is broken. If no better cause arrives within a short time, this is the cause. The lock
   * is held.
   */
  void suspect(IbverbsLink link) {
    ending.suspect(link);
    if (watch != null) {
      watch.rouse();
    }
  }

  /** Makes progress for requests that no thread waits for; whether there is more to do soon. */
  boolean patrol() {
    lock();
    boolean busy = !hasEnded() && isBusy();
    boolean suspicious = ending.condemn();
    unlock();
    if (progress().wasDriven()) {
      return suspicious;
    }
    progress().look();
    return busy || suspicious;
  }

  /** Posts an empty request on links whose device has completed nothing since the last time. */
  void nudge() {
    lock();
    for (IbverbsLink link : links) {
      if (link != null && link.isOpen() && link.works().nudge()) {
        touch(link);
      }
    }
    unlock();
  }

  /** Fails what is posted because the mesh is closed. The lock is held. */
  void failClosed() {
    failAll(closedException());
  }

  @Override
  public String toString() {
    return "ibverbs mesh of " + membership();
  }

  void countSent(long bytes) {
    framesOut++;
    bytesOut += bytes;
  }

  void countArrived(long bytes) {
    framesIn++;
    bytesIn += bytes;
  }

  /** The peer has written this much. */
  void countReceived(long bytes) {
    bytesIn += bytes;
  }

  /** A piece was handed to the device. */
  void countMoved(long bytes, boolean reads, boolean throughSegment) {
    if (reads) {
      bytesRead += bytes;
      bytesIn += bytes;
    } else {
      bytesWritten += bytes;
      bytesOut += bytes;
    }
    bytesCopied += throughSegment ? bytes : 0;
  }
}
