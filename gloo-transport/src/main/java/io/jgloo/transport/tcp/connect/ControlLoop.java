package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.Platform;
import io.jgloo.transport.memory.Memory;
import io.jgloo.transport.tcp.socket.Acceptor;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.socket.LoopTasks;
import io.jgloo.transport.tcp.socket.Pollable;
import io.jgloo.transport.tcp.socket.Poller;
import io.jgloo.transport.tcp.wire.AuthenticationFailure;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The device's own thread: accepts, dials, does handshakes and delayed closes; moves no message.
 *
 * <p><i>Threads</i>: {@link #execute} by any, the rest by this one. <i>Owns</i>: the listener and
 * all control connections. In one file because one poller and one turn of the thread serve all.
 */
public final class ControlLoop implements Runnable {

  private static final Logger LOG = System.getLogger(ControlLoop.class.getName());
  private static final long TICK_NANOS = 20_000_000L;
  private static final long BUSY_TICK_NANOS = 1_000_000L;
  private static final long DELAYED_CLOSE_NANOS = 2_000_000_000L;
  private static final int CONFIRM_FACTOR = 10; // times the timeout of a handshake
  private static final long ACCEPT_PAUSE_NANOS = 50_000_000L;

  /** Most connections that have not sent a hello; beyond it the oldest is closed. */
  private static final int MAX_INCOMING = 512;

  /** Connections accepted at a time, so that many new ones do not delay the others. */
  private static final int ACCEPT_AT_A_TIME = 64;

  private final ConnectDevice device;
  private final Platform platform;
  private final Poller poller;
  private final Acceptor acceptor;
  private final long helloNanos;
  private final long buffer = ControlConnection.newBuffer();
  private final LoopTasks tasks;
  private final List<ControlConnection> connections = new ArrayList<>();
  private final ArrayDeque<ControlConnection> unidentified = new ArrayDeque<>();
  private final List<Waiting> waitingForLock = new ArrayList<>(); // in order of arrival
  private volatile IOException cannotAccept; // null since the last accept that succeeded
  private final Refusals refusals;
  private long failures;
  private volatile boolean closing;

  /** A listening socket beside the device's own, and what takes its connections. */
  private record ListeningPort(Acceptor acceptor, Predicate<Link> handler) {}

  /** A connection that waits for the lock of a mesh. */
  private record Waiting(ConnectMesh mesh, ControlConnection connection) {}

  /**
   * @param helloNanos how long a new connection may take to send a hello, or to answer one
   */
  public ControlLoop(ConnectDevice device, Poller poller, Acceptor acceptor, long helloNanos)
      throws IOException {
    this.device = device;
    platform = device.platform();
    tasks = new LoopTasks(platform);
    this.poller = poller;
    this.acceptor = acceptor;
    this.helloNanos = helloNanos;
    refusals = new Refusals(level(Level.INFO));
    acceptor.owner = acceptor;
    try {
      poller.add(acceptor);
    } catch (IOException e) {
      Memory.free(buffer);
      throw e;
    }
  }

  ConnectDevice device() {
    return device;
  }

  /** Why the last accept failed, or null. */
  public IOException cannotAccept() {
    return cannotAccept;
  }

  /** Memory for one small read or write of a control connection. */
  long buffer() {
    return buffer;
  }

  /** On a simulated network, failures are intended and logged at level DEBUG. */
  Level level(Level wanted) {
    return platform == Platform.SYSTEM ? wanted : Level.DEBUG;
  }

  /** Runs a task in this thread; nothing is lost if the thread has ended. */
  public void execute(Runnable task) {
    execute(task, LoopTasks.NOTHING);
  }

  /**
   * Runs a task in this thread.
   *
   * @param substitute runs if the thread has ended: closes what the task would have taken over
   */
  public void execute(Runnable task, Runnable substitute) {
    tasks.add(task, substitute);
    poller.wakeup();
  }

  /** Ends the thread; control connections are dropped, delayed closes after up to 2 s. */
  public void close() {
    closing = true;
    poller.wakeup();
  }

  @Override
  public void run() {
    try {
      boolean busy = false;
      boolean ended = false;
      while (!ended) {
        try {
          busy = turn(busy);
          ended = closing && !hasDelayedCloses() && tasks.isEmpty();
        } catch (Throwable e) {
          Thread.onSpinWait(); // without memory neither a report nor a pause may be possible
        }
      }
    } finally {
      end();
    }
  }

  /** Other meshes need this thread: any exception or error ends one mesh at most. */
  private boolean turn(boolean busy) {
    try {
      long before = platform.nanoTime();
      long pause = busy ? BUSY_TICK_NANOS : TICK_NANOS;
      poller.poll(mayAccept() ? 0 : tasks.pause(pause, before));
      tasks.run(this::runSafely);
      handleReady();
      expire(before);
      return device.patrol();
    } catch (Throwable e) {
      log(e);
      platform.park(this, ACCEPT_PAUSE_NANOS); // the same may be thrown in each turn
      return false;
    }
  }

  private void runSafely(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      log(e);
    }
  }

  private void log(Throwable e) {
    failures++;
    try {
      if (Long.bitCount(failures) == 1) {
        LOG.log(Level.ERROR, device + " continues after failure " + failures + " of its thread", e);
      }
    } catch (Throwable again) {
      failures--; // no memory for a line: the next failure is logged
    }
  }

  /** Frees what a loop owns that has no thread. */
  public void discard() {
    Memory.free(buffer);
  }

  private boolean hasDelayedCloses() {
    return connections.stream().anyMatch(ControlConnection::mustStay);
  }

  private void end() {
    tasks.run(this::runSafely); // a link that waits for its delayed close is closed here
    runSafely(() -> poller.remove(acceptor));
    acceptor.close();
    IOException cause = new IOException("the device is closed");
    List.copyOf(connections).forEach(connection -> runSafely(() -> dismiss(connection, cause)));
    poller.close();
    tasks.end(this::runSafely);
    Memory.free(buffer);
  }

  private void handleReady() {
    for (Pollable pollable = poller.next(); pollable != null; pollable = poller.next()) {
      pollable.absorb();
      if (pollable.owner instanceof ControlConnection connection && !connection.isGone()) {
        serve(connection);
      } else if (pollable.owner instanceof ListeningPort port && !closing) {
        open(port);
      }
    }
    if (mayAccept()) {
      acceptSome();
    }
  }

  /** Accepts the connections of a listening socket; tries again after a pause if that fails. */
  private void open(ListeningPort port) {
    try {
      while (port.acceptor.owner == port && !closing) {
        Link link = port.acceptor.accept();
        cannotAccept = null;
        if (link == null) {
          return;
        }
        link.closeUnless(
            () -> {
              settle(link);
              return port.handler.test(link);
            });
      }
    } catch (Throwable e) {
      failedToAccept(port.acceptor, asIo(e));
    }
  }

  private void failedToAccept(Acceptor listener, IOException cause) {
    if (cannotAccept == null) {
      LOG.log(
          level(Level.WARNING), "{0} cannot accept a connection: {1}", device, cause.getMessage());
    }
    cannotAccept = cause;
    pause(listener);
  }

  /**
   * Keeps a listener out of the poller for a moment: connections wait in its queue, so a selector
   * would report it in each turn. It reports them when the listener is added again.
   */
  private void pause(Acceptor listener) {
    Object owner = listener.owner;
    poller.remove(listener);
    later(
        ACCEPT_PAUSE_NANOS,
        () -> {
          try {
            if (listener.owner == owner) { // else it was dismissed
              poller.add(listener);
            }
          } catch (IOException e) {
            pause(listener);
          }
        });
  }

  private static IOException asIo(Throwable e) {
    return e instanceof IOException io ? io : new IOException(e.toString(), e);
  }

  /**
   * Accepts connections of a listening socket.
   *
   * @param mesh that fails if the socket cannot be polled
   */
  public void attend(Acceptor own, ConnectMesh mesh, Predicate<Link> handler) {
    own.owner = new ListeningPort(own, handler);
    try {
      poller.add(own);
    } catch (IOException e) {
      mesh.broke(e);
    }
  }

  /** Closes a listening socket that is polled. */
  public void dismiss(Acceptor own) {
    poller.remove(own);
    own.owner = null;
    own.close();
  }

  /** There are new pair numbers: a connection that waits may have sent one of them. */
  public void retryIncoming() {
    for (ControlConnection incoming : List.copyOf(unidentified)) {
      if (incoming instanceof CppGlooIncomingConnection) {
        serve(incoming); // it has sent its number
      }
    }
  }

  private boolean mayAccept() {
    return acceptor.readable && !closing;
  }

  private void serve(ControlConnection connection) {
    try {
      connection.ready();
    } catch (IOException | ProtocolException e) {
      dismiss(connection, e instanceof IOException io ? io : new IOException(e.getMessage(), e));
    } catch (Throwable e) {
      log(e);
      dismiss(connection, asIo(e));
    }
  }

  /** Runs a task a moment later. */
  public void later(Runnable task) {
    later(task, LoopTasks.NOTHING);
  }

  /**
   * Runs a task a moment later.
   *
   * @param substitute as of {@link #execute(Runnable, Runnable)}
   */
  public void later(Runnable task, Runnable substitute) {
    tasks.addLater(BUSY_TICK_NANOS, task, substitute);
  }

  /** Takes a mesh's lock for a connection, or serves the connection again later. */
  boolean enter(ConnectMesh mesh, ControlConnection connection) {
    boolean entered = takesLock(mesh, connection);
    if (!entered) {
      serveLater(BUSY_TICK_NANOS, connection);
    }
    return entered;
  }

  /**
   * Takes the mesh's lock if it is free and the connection is next; else the connection waits. The
   * connections of a pair, and the attempts to make them, are identified by their order.
   */
  private boolean takesLock(ConnectMesh mesh, ControlConnection connection) {
    Waiting next = null;
    boolean waits = false;
    for (Waiting each : waitingForLock) {
      next = next == null && each.mesh == mesh ? each : next;
      waits |= each.connection == connection;
    }
    if ((next == null || next.connection == connection) && mesh.tryLock()) {
      waitingForLock.removeIf(each -> each.connection == connection);
      return true;
    }
    if (!waits) {
      waitingForLock.add(new Waiting(mesh, connection));
    }
    return false;
  }

  /** Serves a connection once more after a pause, when all others have had their turn. */
  void serveLater(long pauseNanos, ControlConnection connection) {
    later(
        pauseNanos,
        () -> {
          if (!connection.isGone()) {
            serve(connection);
          }
        });
  }

  /** Runs a task in this thread after a pause. */
  public void later(long pauseNanos, Runnable task) {
    tasks.addLater(pauseNanos, task, LoopTasks.NOTHING);
  }

  private void dismiss(ControlConnection connection, IOException cause) {
    if (!connection.isGone()) {
      try {
        connection.failed(cause);
      } finally {
        if (cause instanceof AuthenticationFailure) {
          connection.refuse();
        } else {
          connection.drop();
        }
      }
    }
  }

  private void acceptSome() {
    try {
      for (int i = 0; i < ACCEPT_AT_A_TIME; i++) {
        Link link = acceptor.accept();
        cannotAccept = null;
        if (link == null) {
          acceptor.readable = false;
          return;
        }
        long deadline = platform.nanoTime() + helloNanos;
        ControlConnection incoming =
            device.wire().isGloo()
                ? new CppGlooIncomingConnection(this, link, deadline)
                : new IncomingConnection(
                    this, TlsLink.over(link, device.encryption(), false), deadline);
        admit(incoming);
        unidentified.add(incoming);
        if (unidentified.size() > MAX_INCOMING) {
          makeRoom(unidentified.peek());
        }
      }
    } catch (Throwable e) {
      // Out of descriptors, or a connection was reset in the queue: others may still succeed.
      acceptor.readable = false;
      failedToAccept(acceptor, asIo(e));
    }
  }

  /** Closes the oldest connection, unless its hello has arrived and was not read yet. */
  private void makeRoom(ControlConnection oldest) {
    oldest.link.readable = true;
    serve(oldest);
    if (unidentified.peek() == oldest) {
      dismiss(oldest, new IOException("too many connections have not sent a handshake"));
    }
  }

  /** Serves a connection until it is handed over or dropped. */
  void admit(ControlConnection connection) throws IOException {
    connections.add(connection);
    try {
      poller.add(connection.link.descriptor());
    } catch (IOException | RuntimeException | Error e) {
      connection.drop();
      throw e;
    }
  }

  /**
   * Closes the connections whose deadline has passed.
   *
   * @param now from before the last poll: time in which this thread did not run after it is not
   *     counted
   */
  private void expire(long now) {
    for (ControlConnection connection : List.copyOf(connections)) {
      boolean cancelled = closing && !connection.mustStay();
      if (cancelled || connection.isLate(now)) {
        dismiss(
            connection,
            cancelled
                ? new IOException("the device is closing")
                : new SocketTimeoutException("timed out"));
      }
    }
  }

  void forget(ControlConnection connection) {
    connections.remove(connection);
    unidentified.remove(connection);
    waitingForLock.removeIf(each -> each.connection == connection);
    poller.remove(connection.link.descriptor());
  }

  /** It has sent a valid hello: it does not count as unidentified any more. */
  void identified(IncomingConnection incoming) {
    unidentified.remove(incoming);
  }

  /** A connection without a valid hello. */
  void countRefused(Link link, IOException cause) {
    refusals.add(device, link, cause);
  }

  public Refusals refusals() {
    return refusals;
  }

  /** Until when a connection that is accepted now may confirm. */
  long confirmByNanos() {
    return platform.nanoTime() + CONFIRM_FACTOR * helloNanos;
  }

  /**
   * Whether it is too late to confirm an attempt: its peer may not wait any more.
   *
   * @param deadlineNanos of the attempt
   */
  boolean mustNotConfirm(long deadlineNanos) {
    return platform.nanoTime() - deadlineNanos >= (CONFIRM_FACTOR / 2 - 1) * helloNanos;
  }

  /** An accepted connection becomes a pair's: those from other hosts use the system's default. */
  void settle(Link link) {
    InetSocketAddress remote = link.remoteAddress();
    InetAddress address = remote == null ? null : remote.getAddress();
    if (address != null && !device.isOwn(address) && device.defaultCongestion() != null) {
      link.congestionControl(device.defaultCongestion());
    }
  }

  /** Tries to reach a peer. */
  public void dial(Dial dial) {
    try {
      begin(dial);
    } catch (Throwable e) {
      dial.mesh().broke(e);
    }
  }

  private void begin(Dial dial) {
    if (dial.isCancelled()) {
      dial.pendingLinks().drop();
      return;
    }
    Link link;
    try {
      String congestion = dial.isOnSameHost() ? dial.mesh().settings().congestion() : null;
      link = TlsLink.dial(device, dial.endpoint().listener(), congestion);
    } catch (IOException e) {
      ConnectAttempt.cannotBegin(this, dial, e);
      return;
    }
    long deadline = Math.min(dial.deadlineNanos(), platform.nanoTime() + helloNanos);
    ControlConnection[] connectAttempt = new ControlConnection[1];
    link.closeUnless(
        () -> {
          connectAttempt[0] = dial.mesh().handshake().newAttempt(this, link, dial, deadline);
          return true;
        });
    try {
      admit(connectAttempt[0]);
    } catch (IOException e) {
      connectAttempt[0].failed(e);
    }
  }

  /** Makes a call on a connection of its own. */
  public void call(
      InetSocketAddress listener, byte[] request, long deadlineNanos, SideCall.Reply reply) {
    try {
      Link link = TlsLink.dial(device, listener, null);
      admit(new SideCall(this, link, request, deadlineNanos, reply));
    } catch (IOException e) {
      reply.failed(e);
    }
  }

  /** Checks at its deadline whether a dial has succeeded for which no thread waits. */
  public void watch(Dial dial) {
    later(dial.deadlineNanos() - platform.nanoTime(), dial::expired);
  }

  /** Tries again after a pause. */
  void redial(Dial dial) {
    tasks.addLater(dial.nextPauseNanos(), () -> dial(dial), dial.pendingLinks()::drop);
  }

  /** Takes over the connection of a closed pair; its end comes after a notice, unless null. */
  public void closeDelayed(Link link, byte[] left, SideChannel.Notice notice) {
    try {
      long deadlineNanos = platform.nanoTime() + DELAYED_CLOSE_NANOS;
      DelayedClose delayedClose = new DelayedClose(this, link, left, notice, deadlineNanos);
      link.readable = true;
      link.writable = true;
      admit(delayedClose);
      serve(delayedClose);
      if (notice != null) {
        notice.whenSettled(() -> serveLater(0, delayedClose));
      }
    } catch (IOException | RuntimeException | Error e) {
      link.close();
      LOG.log(Level.DEBUG, "a connection was closed without a delay", e);
    }
  }

  /**
   * A closed pair's connection: sends what was staged, shuts its output down, and reads until the
   * peer closes.
   *
   * <p>Closing with unread bytes would make the kernel reset the connection and throw away what the
   * peer has not received yet, for example the last message or the goodbye frame.
   */
  private static final class DelayedClose extends ControlConnection {

    /** So that a peer that never stops sending does not delay the other connections. */
    private static final int READS_AT_A_TIME = 64;

    private final boolean local;
    private final byte[] left;
    private final SideChannel.Notice notice; // null if there is none
    private final byte[] waste = new byte[256];
    private int written;
    private boolean shut;

    /**
     * @param notice the output is shut down when it is settled: from the end of a stream alone the
     *     peer would conclude that this rank is lost
     */
    DelayedClose(
        ControlLoop loop, Link link, byte[] left, SideChannel.Notice notice, long deadlineNanos) {
      super(loop, link, deadlineNanos);
      this.left = left;
      this.notice = notice;
      InetSocketAddress remote = link.remoteAddress();
      local = remote == null || loop.device().isOwn(remote.getAddress());
    }

    @Override
    void ready() throws IOException {
      while (written < left.length && link.writable) {
        written += write(left, written);
      }
      boolean mayShut = notice == null || notice.isSettled();
      if (written == left.length && !shut && mayShut) {
        shut = true;
        link.shutdownOutput();
      }
      for (int i = 0; i < READS_AT_A_TIME && link.readable; i++) {
        read(waste, 0);
      }
      if (link.readable || (written < left.length && link.writable)) {
        loop.serveLater(0, this);
      }
    }

    /** Whether the close of the device waits for it: bytes to this host have arrived already. */
    @Override
    boolean mustStay() {
      return !local || !shut;
    }

    @Override
    void failed(IOException cause) {
      // The end of the stream is what it waits for.
    }
  }
}
