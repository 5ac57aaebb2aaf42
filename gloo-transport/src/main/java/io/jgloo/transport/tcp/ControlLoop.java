package io.jgloo.transport.tcp;

import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.engine.Platform;
import io.jgloo.transport.memory.Memory;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/**
 * The device's own thread: accepts, dials, says hello, lingers; moves no message.
 *
 * <p><i>Threads</i>: {@link #execute} by any, the rest by this one. <i>Owns</i>: the listener and
 * all visitors.
 */
final class ControlLoop implements Runnable {

  private static final Logger LOG = System.getLogger(ControlLoop.class.getName());
  private static final long TICK_NANOS = 20_000_000L;
  private static final long BUSY_TICK_NANOS = 1_000_000L;
  private static final long DELAYED_CLOSE_NANOS = 2_000_000_000L;
  private static final long ACCEPT_PAUSE_NANOS = 50_000_000L;

  /** Connections that have not said hello; beyond this the oldest goes. */
  private static final int MAX_INCOMING = 512;

  /** Connections accepted at a time, so that a flood of them does not keep us from the others. */
  private static final int ACCEPT_AT_A_TIME = 64;

  private final TcpDevice device;
  private final Platform platform;
  private final Poller poller;
  private final Acceptor acceptor;
  private final long helloNanos;
  private final long buffer = ControlConnection.newBuffer();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final List<ControlConnection> connections = new ArrayList<>();
  private final ArrayDeque<ControlConnection> unidentified = new ArrayDeque<>();
  private final List<Later> laters = new ArrayList<>();
  private final LockQueue lockQueue = new LockQueue();
  private long acceptAfterNanos;
  private long refused;
  private long failures;
  private volatile IOException cannotAccept;
  private volatile boolean closing;

  private record Later(long atNanos, Runnable task) {}

  /** A port of its own for something, besides the device's. */
  private record ListeningPort(Acceptor acceptor, Predicate<Link> handler) {}

  /**
   * @param helloNanos how long a new connection may take to say hello, or to answer ours
   */
  ControlLoop(TcpDevice device, Poller poller, Acceptor acceptor, long helloNanos)
      throws IOException {
    this.device = device;
    platform = device.platform();
    acceptAfterNanos = platform.nanoTime(); // clocks may begin below zero
    this.poller = poller;
    this.acceptor = acceptor;
    this.helloNanos = helloNanos;
    acceptor.owner = acceptor;
    try {
      poller.add(acceptor);
    } catch (IOException e) {
      Memory.free(buffer);
      throw e;
    }
  }

  TcpDevice device() {
    return device;
  }

  /** Why no connection has been accepted of late, or null. */
  IOException cannotAccept() {
    return cannotAccept;
  }

  /** Room for one small read or write of a visitor. */
  long buffer() {
    return buffer;
  }

  /** What a simulated network does to a device is no news. */
  private Level level(Level wanted) {
    return platform == Platform.SYSTEM ? wanted : Level.DEBUG;
  }

  /** Runs a task in this thread, soon. */
  void execute(Runnable task) {
    tasks.add(task);
    poller.wakeup();
  }

  /** Ends the thread; visitors are dropped, but for those that linger, for a moment. */
  void close() {
    closing = true;
    poller.wakeup();
  }

  @Override
  public void run() {
    try {
      boolean busy = false;
      while (!closing || hasDelayedCloses() || !tasks.isEmpty()) {
        busy = turn(busy);
      }
    } finally {
      end();
    }
  }

  /** Other meshes need this thread: whatever is thrown, an Error too, ends one of them at most. */
  private boolean turn(boolean busy) {
    try {
      long before = platform.nanoTime();
      poller.poll(mayAccept() ? 0 : pause(before, busy));
      runTasks();
      handleReady();
      expire(before);
      return device.patrol();
    } catch (Throwable e) {
      log(e);
      platform.park(this, ACCEPT_PAUSE_NANOS); // it may be thrown at each turn
      return false;
    }
  }

  /** How long there is nothing to do but to wait for connections. */
  private long pause(long now, boolean busy) {
    long pause = busy ? BUSY_TICK_NANOS : TICK_NANOS;
    for (Later later : laters) {
      pause = Math.min(pause, Math.max(1, later.atNanos - now));
    }
    return pause;
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
        LOG.log(Level.ERROR, device + " goes on after failure " + failures + " of its thread", e);
      }
    } catch (Throwable again) {
      e.addSuppressed(again); // no memory for a line of the log
    }
  }

  private boolean hasDelayedCloses() {
    return connections.stream().anyMatch(ControlConnection::mustStay);
  }

  private void end() {
    runTasks(); // a link that is to linger is closed here at the latest
    poller.remove(acceptor);
    acceptor.close();
    new ArrayList<>(connections).forEach(connection -> runSafely(connection::drop));
    poller.close();
    Memory.free(buffer);
  }

  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      runSafely(task);
    }
    long now = platform.nanoTime();
    List<Later> due = laters.stream().filter(later -> later.atNanos - now <= 0).toList();
    laters.removeAll(due);
    due.forEach(later -> runSafely(later.task));
  }

  private void handleReady() {
    List<Pollable> ready = new ArrayList<>(poller.ready);
    poller.ready.clear();
    for (Pollable pollable : ready) {
      pollable.listed = false;
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

  /** Takes what waits at a port of its own; again after a pause if that fails. */
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
      cannotAccept(e);
      laters.add(new Later(platform.nanoTime() + ACCEPT_PAUSE_NANOS, () -> open(port)));
    }
  }

  /** Epoll does not report again what waits to be accepted, so the caller tries again. */
  private void cannotAccept(Throwable e) {
    boolean first = cannotAccept == null;
    cannotAccept = asIo(e);
    if (first) {
      LOG.log(level(Level.WARNING), "{0} cannot accept a connection: {1}", device, e.getMessage());
    }
  }

  private static IOException asIo(Throwable e) {
    return e instanceof IOException io ? io : new IOException(e.toString(), e);
  }

  /**
   * Gives what comes to a listening socket to a reception.
   *
   * @param mesh that cannot be connected without
   */
  void attend(Acceptor own, TcpMesh mesh, Predicate<Link> handler) {
    own.owner = new ListeningPort(own, handler);
    try {
      poller.add(own);
    } catch (IOException e) {
      mesh.tasks().broke(e);
    }
  }

  /** Closes a listening socket that is attended to. */
  void dismiss(Acceptor own) {
    poller.remove(own);
    own.owner = null;
    own.close();
  }

  /** There are new pairs: one of those who came too early may be meant for them. */
  void retryIncoming() {
    for (ControlConnection incoming : List.copyOf(unidentified)) {
      if (incoming instanceof GlooIncomingConnection) {
        serve(incoming); // it has said its number
      }
    }
  }

  private boolean mayAccept() {
    return acceptor.readable && !closing && platform.nanoTime() - acceptAfterNanos >= 0;
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
  void later(Runnable task) {
    later(BUSY_TICK_NANOS, task);
  }

  /** Takes a mesh's lock for a visitor, or serves it a moment later. */
  boolean enter(TcpMesh mesh, ControlConnection connection) {
    boolean entered = lockQueue.enter(mesh, connection);
    if (!entered) {
      serveLater(BUSY_TICK_NANOS, connection);
    }
    return entered;
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
  void later(long pauseNanos, Runnable task) {
    laters.add(new Later(platform.nanoTime() + pauseNanos, task));
  }

  private void dismiss(ControlConnection connection, IOException cause) {
    if (!connection.isGone()) {
      try {
        connection.failed(cause);
      } finally {
        connection.drop();
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
                ? new GlooIncomingConnection(this, link, deadline)
                : new IncomingConnection(this, link, deadline);
        admit(incoming);
        unidentified.add(incoming);
        if (unidentified.size() > MAX_INCOMING) {
          makeRoom(unidentified.peek());
        }
      }
    } catch (Throwable e) {
      // Out of descriptors, or a connection that died in the queue: others may still succeed.
      acceptAfterNanos = platform.nanoTime() + ACCEPT_PAUSE_NANOS;
      cannotAccept(e);
    }
  }

  /** Lets the oldest guest go, unless its hello has come and only was not read yet. */
  private void makeRoom(ControlConnection oldest) {
    oldest.link.readable = true;
    serve(oldest);
    if (unidentified.peek() == oldest) {
      dismiss(oldest, new IOException("too many connections have not said hello"));
    }
  }

  /** Has a connection served until it is given away or dropped. */
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
   * Dismisses who is late.
   *
   * @param now from before the last look at the connections: whoever has not been seen by then is
   *     late, however long this thread has not run since
   */
  private void expire(long now) {
    for (ControlConnection connection : List.copyOf(connections)) {
      boolean cancelled = closing && !connection.mustStay();
      if (cancelled || connection.isLate(now)) {
        dismiss(connection, new IOException("timed out"));
      }
    }
  }

  void forget(ControlConnection connection) {
    connections.remove(connection);
    unidentified.remove(connection);
    lockQueue.leave(connection);
    poller.remove(connection.link.descriptor());
  }

  /** It is one of ours: it need not make room for others. */
  void identified(IncomingConnection incoming) {
    unidentified.remove(incoming);
  }

  /** A guest that is not one of ours: counted, and logged now and then. */
  void countRefused(Link link, IOException cause) {
    refused++;
    if (Long.bitCount(refused) == 1) {
      LOG.log(
          level(Level.INFO),
          "{0} has turned away {1} connections that did not say hello; the last, from {2}: {3}",
          device,
          refused,
          link.remoteAddress(),
          cause.getMessage());
    }
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
  void dial(Dial dial) {
    try {
      begin(dial);
    } catch (Throwable e) {
      dial.mesh().tasks().broke(e);
    }
  }

  private void begin(Dial dial) {
    if (dial.isCancelled()) {
      dial.pendingLinks().drop();
      return;
    }
    Link link;
    try {
      String congestion = dial.sameHost() ? dial.mesh().settings().congestion() : null;
      link = device.sockets().dial(dial.endpoint().listener(), congestion);
    } catch (IOException e) {
      dial.mesh()
          .connectionTable()
          .failed(dial, ConnectAttempt.unreachable(dial, e), ConnectOutcome.MAY_PASS);
      redial(dial);
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
  void call(InetSocketAddress listener, byte[] request, long deadlineNanos, SideCall.Reply reply) {
    try {
      Link link = device.sockets().dial(listener, null);
      admit(new SideCall(this, link, request, deadlineNanos, reply));
    } catch (IOException e) {
      reply.failed(e);
    }
  }

  /** Looks at the deadline whether a dial that nobody waits for has succeeded. */
  void watch(Dial dial) {
    laters.add(new Later(dial.deadlineNanos(), dial::expired));
  }

  /** Tries again after a pause. */
  void redial(Dial dial) {
    laters.add(new Later(platform.nanoTime() + dial.nextPauseNanos(), () -> dial(dial)));
  }

  /** Takes over the connection of a closed pair. */
  void closeDelayed(Link link, byte[] left, long openNanos) {
    try {
      long now = platform.nanoTime();
      DelayedClose delayedClose =
          new DelayedClose(this, link, left, now + openNanos, now + DELAYED_CLOSE_NANOS);
      link.readable = true;
      link.writable = true;
      admit(delayedClose);
      serve(delayedClose);
      serveLater(openNanos, delayedClose);
    } catch (IOException | RuntimeException | Error e) {
      link.close();
      LOG.log(Level.DEBUG, "a connection was closed without lingering", e);
    }
  }
}
