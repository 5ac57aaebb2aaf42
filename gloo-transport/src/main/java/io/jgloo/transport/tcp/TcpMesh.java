package io.jgloo.transport.tcp;

import io.jgloo.transport.Address;
import io.jgloo.transport.Clock;
import io.jgloo.transport.Device.FailureScope;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Membership;
import io.jgloo.transport.MismatchException;
import io.jgloo.transport.PeerDepartedException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.engine.EnginePair;
import io.jgloo.transport.flight.ConnectEvent;
import io.jgloo.transport.flight.Flight;
import io.jgloo.transport.shm.MeshCells;
import io.jgloo.transport.tcp.connect.BlockerSearch;
import io.jgloo.transport.tcp.connect.ConnectDevice;
import io.jgloo.transport.tcp.connect.ConnectMesh;
import io.jgloo.transport.tcp.connect.ConnectionTable;
import io.jgloo.transport.tcp.connect.Endpoint;
import io.jgloo.transport.tcp.connect.Handshake;
import io.jgloo.transport.tcp.connect.OpenFiles;
import io.jgloo.transport.tcp.connect.SideChannel;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.socket.Poller;
import io.jgloo.transport.tcp.stream.Settings;
import io.jgloo.transport.tcp.stream.Stream;
import io.jgloo.transport.tcp.wire.AbortNotice;
import io.jgloo.transport.tcp.wire.Frame;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;

/**
 * One rank's TCP connections to all peers of a group.
 *
 * <p>In one file because users, engine, streams and device see the same mesh, each by short
 * methods.
 *
 * <p><i>Owns</i>: streams, sockets' source, scratch.
 */
final class TcpMesh extends ConnectMesh {

  /** A link that was idle for one of these parts of a period of heartbeats gets a frame. */
  private static final int CHECKS_PER_PERIOD = 2;

  private final UUID incarnation;
  private final boolean lazy;
  private final OpenFiles openFiles;
  private Handshake handshake; // null only until the mesh is open
  private final ConnectionTable connectionTable;
  private final Map<Integer, SideChannel.Notice> bySideChannel = new HashMap<>();
  private MeshCells cells; // null if a pair has none
  private byte[] receivedNotice;
  private MismatchException.Side lastCall;

  TcpMesh(
      ConnectDevice device,
      Membership membership,
      FailureScope scope,
      Settings settings,
      OpenFiles openFiles,
      Poller poller) {
    super(device, membership, scope, settings, poller);
    incarnation = device.platform().newIncarnation();
    this.openFiles = openFiles;
    lazy = settings.connecting().isLazy(membership.size(), scope, settings.wire());
    connectionTable = new ConnectionTable(this, device, stateLock());
    open(source(), settings.spinNanos(), settings.spreads());
  }

  // What the engine asks for.

  @Override
  protected boolean batches() {
    return wire().isGloo(); // whose exchanges are three frames a rank
  }

  @Override
  protected void wanted(EnginePair pair) {
    connectionTable.want(streamAt(pair.peer()));
  }

  @Override
  protected void ended(EnginePair pair, JGlooException cause, EnginePair from) {
    Stream stream = streamAt(pair.peer());
    if (from == null) {
      sendAbort(AbortNotice.encode(rank(), cause), stream);
    }
    source().retire(stream);
    connectionTable.ended(pair.peer(), cause);
  }

  @Override
  protected void notifyPeers(JGlooException cause, EnginePair from) {
    boolean own = receivedNotice == null;
    byte[] notice = own ? AbortNotice.encode(rank(), cause) : receivedNotice;
    device.failureNotices().add(incarnation, notice);
    if (isStarted()) {
      sendAbort(notice, from);
    }
    connectionTable.changed();
    if (own) {
      connectionTable.notifyUnconnected(notice);
    }
  }

  /**
   * Registers the mesh: from here on peers may connect. If it throws, the caller closes the mesh.
   */
  void open() throws IOException {
    handshake = Handshake.of(this, device);
  }

  // For users of the mesh.

  @Override
  public Address address() {
    return handshake.address();
  }

  @Override
  public boolean connectsOnFirstUse() {
    return lazy;
  }

  @Override
  public void connect(List<Address> addresses, Duration timeout) {
    if (Flight.isRunning()) {
      ConnectEvent.of(membership(), () -> connectionTable.connect(addresses, timeout));
    } else {
      connectionTable.connect(addresses, timeout);
    }
    if (!isPairwise()) {
      openFiles.release(); // one link through memory stands for several sockets
    }
  }

  @Override
  public List<String> hosts() {
    checkStarted();
    return connectionTable.hosts();
  }

  @Override
  public <T> Optional<T> capability(Class<T> type) {
    for (Object each : new Object[] {cells, heap()}) {
      if (type.isInstance(each)) {
        checkStarted();
        return Optional.of(type.cast(each));
      }
    }
    return super.capability(type);
  }

  @Override
  public CompletableFuture<Blockers> findBlockers(long slot, Duration patience) {
    return wire().isGloo() // which has no way to ask
        ? super.findBlockers(slot, patience)
        : new BlockerSearch(device, this, slot, Clock.nanos(patience)).start();
  }

  @Override
  protected void count(Map<String, Long> counters) {
    super.count(counters);
    counters.put("cellsOut", cells == null ? 0 : cells.written());
    counters.put("refused", device.refusals().count());
  }

  @Override
  public void lastCall(MismatchException.Side call) {
    lock();
    lastCall = call;
    unlock();
  }

  @Override
  public void close() {
    lock();
    try {
      if (deferClose()) {
        return;
      }
      if (markClosed() && failure().isEmpty()) {
        failAll(closedException());
        if (isStarted()) {
          sendGoodbye();
        }
      }
    } finally {
      unlock();
    }
    release();
  }

  // For streams and the device.

  @Override
  public OpenFiles openFiles() {
    return openFiles;
  }

  @Override
  public long awaitedCells(LongPredicate slots) {
    return cells == null ? 0 : cells.awaited(slots);
  }

  @Override
  public ConnectionTable connectionTable() {
    return connectionTable;
  }

  @Override
  public Handshake handshake() {
    return handshake;
  }

  @Override
  public UUID incarnation() {
    return incarnation;
  }

  @Override
  public UUID incarnationOf(int peer) {
    return connectionTable.endpoint(peer).incarnation();
  }

  @Override
  public String host() {
    return device.host();
  }

  @Override
  public List<String> knownHosts() {
    return connectionTable.hosts();
  }

  @Override
  public void logRoutes(String key, String text) {
    device.logRoutes(key, text);
  }

  // Beginning and end.

  @Override
  public void start() throws IOException {
    if (isStarted()) {
      return;
    }
    for (int peer = 0; peer < size(); peer++) {
      Stream stream = streamAt(peer);
      if (stream != null && stream.link() != null) {
        localMemory().check(stream.pair().peer());
      }
    }
    for (int peer = 0; peer < size(); peer++) {
      Stream stream = streamAt(peer);
      for (Link link : stream == null ? List.<Link>of() : stream.links()) {
        source().watch(link);
      }
    }
    localMemory().log();
    cells = MeshCells.of(this);
    source().start(cells);
    startHeartbeats();
    started();
  }

  @Override
  public void joined(Stream stream) {
    stream.links().forEach(link -> source().adopt(link, stream));
    try {
      localMemory().check(stream.pair().peer());
    } catch (UnavailableException e) {
      stream.pair().failed(e);
      return;
    }
    localMemory().log(stream.pair().peer(), stream.pair().peer() + 1);
    heap().offerTo(stream);
    MeshCells.announceNone(stream.link());
    stream.flush();
    lookAgain();
  }

  /**
   * A peer has failed its mesh. Its notice is passed on unchanged, because it may not have reached
   * all ranks; a notice of this rank's own could name another cause.
   */
  @Override
  public void receivedAbort(byte[] notice, EnginePair from) {
    if (isPairwise()) {
      from.fail(AbortNotice.decode(notice, rank(), size()), from);
    } else if (!hasEnded()) {
      receivedNotice = notice;
      fail(AbortNotice.decode(notice, rank(), size()), from);
    }
  }

  @Override
  public boolean hasPending() {
    return isStarted() && !hasEnded() && (isBusy() || source().hasChanges() || hasUnsent());
  }

  private boolean hasUnsent() {
    for (int peer = 0; peer < size(); peer++) {
      Stream stream = streamAt(peer);
      if (stream != null && stream.link() != null && stream.hasUnsent()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void retire(Stream stream) {
    for (Link link : stream.detach()) {
      source().forget(link);
      link.close();
    }
    stream.freeStage();
  }

  private void release() {
    connectionTable.end();
    if (handshake != null) {
      handshake.close();
    }
    endProgress(this::releaseInProgress);
  }

  /** Gives descriptors and memory back: no thread can be in a system call on them. */
  private void releaseInProgress() {
    if (cells != null) {
      cells.end();
    }
    lock();
    try {
      releaseLocked();
    } finally {
      unlock();
    }
  }

  @Override
  public void release(Stream stream, List<Link> links, byte[] staged) {
    byte[] left = staged;
    for (Link link : links) {
      source().forget(link);
      device.closeDelayed(link, left, null);
      left = new byte[0];
    }
    stream.close();
  }

  private void releaseLocked() {
    openFiles.release();
    heap().close();
    for (int peer = 0; peer < size(); peer++) {
      Stream stream = streamAt(peer);
      if (stream == null) {
        continue;
      }
      if (isStarted()) {
        stream.links().forEach(source()::forget);
      }
      closeDelayed(stream);
      stream.close();
    }
    source().applyChanges();
    progress().close();
    if (cells != null) {
      cells.unmap();
    }
    freeScratch();
    unexpected().close();
    device.forget(this);
  }

  // Notices of the end, under the lock. A notice goes behind what is in the stream already. Where a
  // message is cut off in the stream, or the socket is full, it goes by a side channel. Rejected
  // alternative: to pad the message, by which the peer could complete a receive with bytes that
  // were
  // never sent.

  /** Sends all peers the cause of the failure, except the peer that is lost or knows it. */
  private void sendAbort(byte[] notice, EnginePair source) {
    for (int peer = 0; peer < size(); peer++) {
      Stream stream = streamAt(peer);
      if (stream != null && stream.pair() != source) {
        sendAbort(notice, stream);
      }
    }
  }

  /** Sends one peer the cause for which its pair has ended. */
  private void sendAbort(byte[] notice, Stream stream) {
    if (canReceive(stream) && !stream.rules().giveUp(notice)) {
      sendPast(stream, notice);
    }
  }

  private void sendPast(Stream stream, byte[] notice) {
    int peer = stream.pair().peer();
    Endpoint endpoint = connectionTable().endpoint(peer);
    bySideChannel.put(peer, SideChannel.sendNotice(this, device, endpoint, notice));
  }

  /** Tells all peers that nothing more will come; one whose message is cut off has lost it. */
  private void sendGoodbye() {
    for (int peer = 0; peer < size(); peer++) {
      Stream stream = streamAt(peer);
      if (stream != null && canReceive(stream)) {
        stream.rules().leave(lastCall);
        if (!wire().isGloo() && stream.isCutOff()) {
          String what = "rank " + rank() + " has left the group in the middle of a message";
          PeerDepartedException departure = new PeerDepartedException(rank(), what);
          sendPast(stream, AbortNotice.encode(rank(), departure));
        }
      }
    }
  }

  /**
   * Hands a pair's connections over to delayed closes, which send what is staged. A stream with a
   * cut-off message ends when the peer has heard the notice.
   */
  private void closeDelayed(Stream stream) {
    byte[] staged = stream.takeStaged();
    SideChannel.Notice notice = bySideChannel.get(stream.pair().peer());
    for (Link link : stream.detach()) {
      device.closeDelayed(link, staged, notice);
      staged = new byte[0];
    }
  }

  private static boolean canReceive(Stream stream) {
    return stream.link() != null && !stream.pair().hasDeparted();
  }

  // Heartbeats: a frame on links that are idle; peers that have sent nothing for too long are lost.
  // Only periods in which this rank has read its sockets count. So the time in which this process
  // itself was stopped is not held against its peers, and bytes of any kind are a sign of life. All
  // but the start is of the device's thread, which never waits for the lock.

  private void startHeartbeats() {
    if (settings().pair().heartbeatMillis() > 0 && size() > 1) {
      checkLater();
    }
  }

  private void checkLater() {
    device.later(
        settings().pair().heartbeatMillis() * 1_000_000L / CHECKS_PER_PERIOD, this::checkPeers);
  }

  private void checkPeers() {
    if (!tryLock()) {
      device.retry(this::checkPeers);
      return;
    }
    try {
      if (hasEnded()) {
        return;
      }
      look();
      for (int peer = 0; peer < size(); peer++) {
        checkPeer(streamAt(peer));
      }
    } finally {
      unlock();
    }
    checkLater();
  }

  private void checkPeer(Stream stream) {
    if (stream == null || stream.link() == null || stream.pair().hasDeparted()) {
      return;
    }
    if (stream.silence() >= settings().misses() * CHECKS_PER_PERIOD) {
      int peer = stream.pair().peer();
      String reason =
          "peer %d%s has sent nothing for %d heartbeat periods of %d ms"
              .formatted(
                  peer, stream.where(), settings().misses(), settings().pair().heartbeatMillis());
      // Reported to the silent peer too, which may go on.
      stream.pair().fail(new PeerLostException(peer, reason, null), null);
    } else if (stream.wasIdle()) {
      stream.control(Frame.CREDIT, 0, 0);
    }
  }

  @Override
  public String toString() {
    return "tcp mesh of " + membership();
  }
}
