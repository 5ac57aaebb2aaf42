package io.jgloo.transport.tcp;

import io.jgloo.transport.Memory;
import io.jgloo.transport.engine.Platform;
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
import java.util.function.Consumer;

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
  private static final long LINGER_NANOS = 2_000_000_000L;
  private static final long ACCEPT_PAUSE_NANOS = 50_000_000L;

  /** Connections that have not said hello; beyond this the oldest goes. */
  private static final int MAX_GUESTS = 512;

  /** Connections accepted at a time, so that a flood of them does not keep us from the others. */
  private static final int ACCEPT_AT_A_TIME = 64;

  private final TcpDevice device;
  private final Platform platform;
  private final Poller poller;
  private final Acceptor acceptor;
  private final long helloNanos;
  private final long buffer = Visitor.newBuffer();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final List<Visitor> visitors = new ArrayList<>();
  private final ArrayDeque<Visitor> guests = new ArrayDeque<>();
  private final List<Later> laters = new ArrayList<>();
  private long acceptAfterNanos;
  private long refused;
  private volatile boolean closing;

  private record Later(long atNanos, Runnable task) {}

  /** A port of its own for something, besides the device's. */
  private record Door(Acceptor acceptor, Consumer<Link> reception) {}

  /**
   * @param helloNanos how long a new connection may take to say hello, or to answer ours
   */
  ControlLoop(TcpDevice device, Poller poller, Acceptor acceptor, long helloNanos) {
    this.device = device;
    platform = device.platform();
    acceptAfterNanos = platform.nanoTime(); // clocks may begin below zero
    this.poller = poller;
    this.acceptor = acceptor;
    this.helloNanos = helloNanos;
    acceptor.owner = acceptor;
  }

  TcpDevice device() {
    return device;
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
      poller.add(acceptor);
      boolean busy = false;
      while (!closing || hasLingerers() || !tasks.isEmpty()) {
        long before = platform.nanoTime();
        poller.poll(mayAccept() ? 0 : busy ? BUSY_TICK_NANOS : TICK_NANOS);
        runTasks();
        handleReady();
        expire(before);
        busy = device.patrol();
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.ERROR, "the thread of " + device + " has failed", e);
    } finally {
      end();
    }
  }

  private boolean hasLingerers() {
    return visitors.stream().anyMatch(Visitor::mustStay);
  }

  private void end() {
    runTasks(); // a link that is to linger is closed here at the latest
    poller.remove(acceptor);
    acceptor.close();
    new ArrayList<>(visitors).forEach(Visitor::drop);
    poller.close();
    Memory.free(buffer);
  }

  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
    long now = platform.nanoTime();
    List<Later> due = laters.stream().filter(later -> later.atNanos - now <= 0).toList();
    laters.removeAll(due);
    due.forEach(later -> later.task.run());
  }

  private void handleReady() {
    List<Pollable> ready = new ArrayList<>(poller.ready);
    poller.ready.clear();
    for (Pollable pollable : ready) {
      pollable.listed = false;
      pollable.absorb();
      if (pollable.owner instanceof Visitor visitor && !visitor.isGone()) {
        serve(visitor);
      } else if (pollable.owner instanceof Door door && !closing) {
        open(door);
      }
    }
    if (mayAccept()) {
      acceptSome();
    }
  }

  private void open(Door door) {
    try {
      Link link = door.acceptor.accept();
      if (link != null) {
        settle(link);
        door.reception.accept(link);
      }
    } catch (IOException e) {
      LOG.log(level(Level.WARNING), "{0} cannot accept a connection: {1}", device, e.getMessage());
    }
  }

  /** Gives the first connection that comes to a listening socket to a reception. */
  void attend(Acceptor own, Consumer<Link> reception) {
    own.owner = new Door(own, reception);
    try {
      poller.add(own);
    } catch (IOException e) {
      LOG.log(Level.ERROR, device + " cannot poll a listening socket", e);
    }
  }

  /** Closes a listening socket that is attended to. */
  void dismiss(Acceptor own) {
    poller.remove(own);
    own.owner = null;
    own.close();
  }

  /** There are new pairs: one of those who came too early may be meant for them. */
  void seatGuests() {
    for (Visitor guest : List.copyOf(guests)) {
      if (guest instanceof GlooGuest early) {
        early.join();
      }
    }
  }

  private boolean mayAccept() {
    return acceptor.readable && !closing && platform.nanoTime() - acceptAfterNanos >= 0;
  }

  private void serve(Visitor visitor) {
    try {
      visitor.ready();
    } catch (IOException e) {
      dismiss(visitor, e);
    } catch (RuntimeException e) {
      dismiss(visitor, new IOException(e.getMessage(), e));
    }
  }

  /** Serves a visitor once more when all others have had their turn. */
  void serveAgain(Visitor visitor) {
    Runnable turn =
        () -> {
          if (!visitor.isGone()) {
            serve(visitor);
          }
        };
    laters.add(new Later(platform.nanoTime(), turn));
    poller.wakeup();
  }

  private void dismiss(Visitor visitor, IOException cause) {
    if (!visitor.isGone()) {
      visitor.failed(cause);
      visitor.drop();
    }
  }

  private void acceptSome() {
    try {
      for (int i = 0; i < ACCEPT_AT_A_TIME; i++) {
        Link link = acceptor.accept();
        if (link == null) {
          acceptor.readable = false;
          return;
        }
        long deadline = platform.nanoTime() + helloNanos;
        Visitor guest =
            device.wire().isGloo()
                ? new GlooGuest(this, link, deadline)
                : new Guest(this, link, deadline);
        admit(guest);
        guests.add(guest);
        if (guests.size() > MAX_GUESTS) {
          makeRoom(guests.peek());
        }
      }
    } catch (IOException e) {
      // Out of descriptors, or a connection that died in the queue: others may still succeed.
      acceptAfterNanos = platform.nanoTime() + ACCEPT_PAUSE_NANOS;
      LOG.log(level(Level.WARNING), "{0} cannot accept a connection: {1}", device, e.getMessage());
    }
  }

  /** Lets the oldest guest go, unless its hello has come and only was not read yet. */
  private void makeRoom(Visitor oldest) {
    oldest.link.readable = true;
    serve(oldest);
    if (guests.peek() == oldest) {
      dismiss(oldest, new IOException("too many connections have not said hello"));
    }
  }

  private void admit(Visitor visitor) throws IOException {
    visitors.add(visitor);
    try {
      poller.add(visitor.link);
    } catch (IOException e) {
      visitor.drop();
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
    for (Visitor visitor : List.copyOf(visitors)) {
      boolean cancelled = closing && !visitor.mustStay();
      if (cancelled || visitor.isLate(now)) {
        dismiss(visitor, new IOException("timed out"));
      }
    }
  }

  void forget(Visitor visitor) {
    visitors.remove(visitor);
    guests.remove(visitor);
    poller.remove(visitor.link);
  }

  /** It is one of ours: it need not make room for others. */
  void acquainted(Guest guest) {
    guests.remove(guest);
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
    if (dial.isCancelled()) {
      dial.gathering().drop();
      return;
    }
    Link link;
    try {
      String congestion = dial.sameHost() ? dial.mesh().settings().congestion() : null;
      link = device.sockets().dial(dial.endpoint().listener(), congestion);
    } catch (IOException e) {
      dial.mesh().roster().failed(dial, Approach.unreachable(dial, e), Attempt.MAY_PASS);
      redial(dial);
      return;
    }
    long deadline = Math.min(dial.deadlineNanos(), platform.nanoTime() + helloNanos);
    Visitor approach = dial.mesh().meeting().approach(this, link, dial, deadline);
    try {
      admit(approach);
    } catch (IOException e) {
      approach.failed(e);
    }
  }

  /** Makes a call on a connection of its own. */
  void call(
      InetSocketAddress listener,
      byte[] request,
      long deadlineNanos,
      Consumer<Welcome> answered,
      Consumer<IOException> failed) {
    try {
      Link link = device.sockets().dial(listener, null);
      admit(new SideCall(this, link, request, deadlineNanos, answered, failed));
    } catch (IOException e) {
      failed.accept(e);
    }
  }

  /** Looks at the deadline whether a dial that nobody waits for has succeeded. */
  void watch(Dial dial) {
    laters.add(new Later(dial.deadlineNanos(), () -> dial.mesh().roster().expired(dial)));
  }

  /** Tries again after a pause. */
  void redial(Dial dial) {
    laters.add(new Later(platform.nanoTime() + dial.nextPauseNanos(), () -> dial(dial)));
  }

  /** Takes over the connection of a closed pair. */
  void linger(Link link, byte[] left) {
    try {
      InetSocketAddress remote = link.remoteAddress();
      boolean local = remote == null || device.isOwn(remote.getAddress());
      Lingerer lingerer = new Lingerer(this, link, local, left, platform.nanoTime() + LINGER_NANOS);
      link.readable = true;
      link.writable = true;
      admit(lingerer);
      serve(lingerer);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a connection was closed without lingering", e);
    }
  }
}
