package io.jgloo.transport.sim;

import io.jgloo.transport.tcp.socket.Link;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.NullUnmarked;

/**
 * One end of a simulated connection, with the errors, resets and readiness of a Linux socket.
 *
 * <p>In one file because connecting, bytes and the end change one state, as they do in the kernel.
 *
 * <p>Guarded by the world's lock.
 */
@NullUnmarked // its fields are set as the connection is made, see State
final class SimLink extends Link {

  private enum State {
    CONNECTING,
    REFUSED,
    CONNECTED,
    BROKEN,
    CLOSED
  }

  /** How long an attempt to connect waits for an answer before it is made again. */
  private static final long RETRY_NANOS = 1_000_000_000L;

  private static final int LEAST_BUFFER_BYTES = 4 << 10;
  private static final int BUFFER_DOUBLINGS = 5;

  /** A write in this many takes less than there is room for, as a kernel short of memory does. */
  private static final int SHORT_ONE_IN = 16;

  /** What a fresh connection takes in any case. */
  private static final int FRESH_BYTES = 256;

  private static final long SHORTAGE_NANOS = 20_000;

  private final SimSockets sockets;
  private final Scheduler scheduler;
  private final Timeline timeline;
  private final InetSocketAddress local;
  private InetSocketAddress remote;
  private State state = State.CONNECTING;
  private SimLink peer;
  private Stream in;
  private Stream out;
  private Key key;
  private boolean watchesRoom;
  private boolean connectAsked;
  private boolean inShut;
  private boolean wantsRoom;
  private boolean shortage;
  private boolean errorReported;

  SimLink(SimSockets sockets, InetSocketAddress local) {
    this.sockets = sockets;
    this.local = local;
    scheduler = sockets.scheduler();
    timeline = scheduler.timeline;
  }

  Node node() {
    return sockets.node();
  }

  SimLink peer() {
    return peer;
  }

  // How it is made.

  void connect(InetSocketAddress address) {
    remote = address;
    watchesRoom = true; // a connect ends when there is room
    connectAsked = true;
    knock();
  }

  /** Sends the first segment: it is answered, refused, or lost. */
  private void knock() {
    SimAcceptor acceptor = sockets.network().acceptor(remote);
    if (acceptor == null) {
      timeline.at(timeline.now(), "unknown", this::refused);
      return;
    }
    NetworkPath path = sockets.network().path(node(), acceptor.sockets().node());
    timeline.at(timeline.now() + path.delay(), "connect", () -> knocked(path, acceptor));
  }

  private void knocked(NetworkPath path, SimAcceptor acceptor) {
    Node there = acceptor.sockets().node();
    NetworkPath back = sockets.network().path(there, node());
    boolean lost = path.isCut() || back.isCut() || there.isSilent() || acceptor.isFull();
    if (state != State.CONNECTING || node().hasCrashed()) {
      return;
    }
    if (lost) {
      timeline.at(timeline.now() + RETRY_NANOS, "connect again", this::knockAgain);
    } else if (acceptor.isClosed() || there.hasCrashed()) {
      timeline.at(timeline.now() + back.delay(), "refused", this::refused);
    } else {
      SimLink other = new SimLink(acceptor.sockets(), remote);
      other.remote = local;
      join(other, path, back);
      there.links().add(other);
      timeline.at(timeline.now() + back.delay(), "connected", this::connected);
      long enters = timeline.now() + path.delay() + there.acceptDelayNanos();
      timeline.at(enters, "accept", () -> other.enter(acceptor));
    }
  }

  private void knockAgain() {
    if (state == State.CONNECTING) {
      knock();
    }
  }

  private void join(SimLink other, NetworkPath path, NetworkPath back) {
    peer = other;
    other.peer = this;
    out = new Stream(timeline, path, this, other, buffer(), buffer());
    in = new Stream(timeline, back, other, this, buffer(), buffer());
    other.in = out;
    other.out = in;
    other.state = State.CONNECTED;
  }

  private int buffer() {
    return LEAST_BUFFER_BYTES << timeline.random(BUFFER_DOUBLINGS);
  }

  private void enter(SimAcceptor acceptor) {
    if (state == State.CLOSED) {
      return;
    }
    if (acceptor.isClosed()) {
      abort();
    } else {
      acceptor.arrived(this);
    }
  }

  private void connected() {
    if (state == State.CONNECTING) {
      state = State.CONNECTED;
      happened(Key.OUT);
    }
  }

  private void refused() {
    if (state == State.CONNECTING) {
      state = State.REFUSED;
      happened(Key.ALL);
    }
  }

  /** Taken from the queue of a listening socket. */
  void accepted() {
    writable = sockets.isEdgeTriggered(); // a selector reports it
  }

  @Override
  public boolean finishConnect() throws IOException {
    scheduler.lock.lock();
    try {
      if (node().hasCrashed()) {
        return false;
      }
      if (state == State.REFUSED) {
        throw new ConnectException("Connection refused");
      }
      checkOpen();
      return state == State.CONNECTED;
    } finally {
      scheduler.lock.unlock();
    }
  }

  // What a poller sees.

  Key register(SimPoller poller) {
    boolean room = sockets.isEdgeTriggered() ? watchesRoom : true;
    key = new Key(poller, this, this::readiness, Key.IN | Key.END | (room ? Key.OUT : 0));
    return key;
  }

  /** Whether a selector waits for the end of connecting only. */
  boolean isConnecting(Key asked) {
    return connectAsked && asked == key;
  }

  void connectReported(Key asked) {
    connectAsked = false;
    asked.interest(Key.IN | Key.END);
  }

  private int readiness() {
    if (node().hasCrashed()) {
      return 0; // its threads read nothing any more, and would be told again and again
    }
    return switch (state) {
      case CONNECTING, CLOSED -> 0;
      case REFUSED, BROKEN -> Key.ALL;
      case CONNECTED -> {
        boolean ended = in.hasEnded() || inShut;
        boolean room = out.isShut() || (out.isWritable() && !shortage);
        yield (ended || in.available() > 0 ? Key.IN : 0)
            | (ended ? Key.END : 0)
            | (room ? Key.OUT : 0)
            | (ended && out.isShut() ? Key.BROKEN : 0);
      }
    };
  }

  private void happened(int what) {
    if (key != null) {
      key.happened(what);
    }
  }

  @Override
  public void lookAgain() {
    readable = true;
    scheduler.scheduled(
        () -> {
          if (sockets.isEdgeTriggered() && key != null && key.isValid()) {
            key.interest(key.interest());
          }
        });
  }

  @Override
  protected void roomFound() {
    scheduler.scheduled(
        () -> {
          watchesRoom = false;
          if (key != null && key.isValid()) {
            key.interest(Key.IN | Key.END);
          }
        });
  }

  /** A short write: the next room is to be reported. */
  private void askForRoom() {
    wantsRoom = true;
    if (!watchesRoom || !sockets.isEdgeTriggered()) {
      watchesRoom = true;
      if (key != null && key.isValid()) {
        key.interest(key.interest() | Key.OUT);
        key.poller.wakeup();
      }
    }
  }

  // What streams report.

  void arrived() {
    happened(in.hasEnded() ? Key.IN | Key.END : Key.IN);
  }

  void roomMayBeFound() {
    if (wantsRoom && out.isWritable() && !shortage) {
      wantsRoom = false;
      happened(Key.OUT);
    }
  }

  /** Bytes have come for a connection that is closed. */
  void refuseBytes() {
    out.reset(0);
  }

  /** The other end, or the network, has broken the connection. */
  void broken() {
    if (state == State.CONNECTED || state == State.CONNECTING) {
      boolean connecting = state == State.CONNECTING;
      state = connecting ? State.REFUSED : State.BROKEN;
      if (!connecting) {
        out.drop();
      }
      happened(Key.ALL);
    }
  }

  boolean isBroken() {
    return state == State.BROKEN;
  }

  boolean isClosed() {
    return state == State.CLOSED;
  }

  // Reading and writing.

  private void checkOpen() throws IOException {
    if (state == State.CLOSED) {
      throw new IOException("Bad file descriptor");
    }
  }

  @Override
  public int read(long address, int length) throws IOException {
    scheduler.lock.lock();
    try {
      if (node().hasCrashed()) {
        return 0; // nothing happens to a dead process any more
      }
      checkOpen();
      if (state == State.CONNECTING || state == State.REFUSED) {
        throw new IOException("Transport endpoint is not connected");
      }
      int count = Math.min(length, in.available());
      if (count > 0) {
        in.read(address, count);
        return count;
      }
      if (state == State.BROKEN && !errorReported) {
        errorReported = true;
        throw new IOException("Connection reset by peer");
      }
      return in.hasEnded() || inShut || state == State.BROKEN ? -1 : 0;
    } finally {
      scheduler.lock.unlock();
    }
  }

  @Override
  public int write(long address, int length) throws IOException {
    scheduler.lock.lock();
    try {
      if (node().hasCrashed()) {
        return 0;
      }
      checkOpen();
      if (state == State.BROKEN && !errorReported) {
        errorReported = true;
        throw new IOException("Connection reset by peer");
      }
      if (state != State.CONNECTED || out.isShut()) {
        throw new IOException("Broken pipe");
      }
      int count = shortage ? 0 : Math.min(length, out.room());
      if (count > 1 && out.written() > FRESH_BYTES && timeline.random(SHORT_ONE_IN) == 0) {
        count = 1 + timeline.random(count);
        if (count < length) {
          shortage = true;
          timeline.at(timeline.now() + SHORTAGE_NANOS, "room", this::shortageOver);
        }
      }
      if (count > 0) {
        out.write(address, count);
      }
      if (count < length) {
        askForRoom();
      }
      return count;
    } finally {
      scheduler.lock.unlock();
    }
  }

  private void shortageOver() {
    shortage = false;
    if (state == State.CONNECTED) {
      roomMayBeFound();
    }
  }

  @Override
  public long write(long first, int firstLength, long second, int secondLength) throws IOException {
    int head = write(first, firstLength);
    return head < firstLength ? head : head + (long) write(second, secondLength);
  }

  // How it ends.

  @Override
  public void shutdown() {
    scheduler.scheduled(
        () -> {
          if (state == State.CONNECTED) {
            inShut = true;
            out.shut();
            happened(Key.ALL);
          }
        });
  }

  @Override
  public void shutdownOutput() {
    scheduler.scheduled(
        () -> {
          if (state == State.CONNECTED) {
            out.shut();
          }
        });
  }

  @Override
  public void close() {
    scheduler.scheduled(
        () -> {
          if (state == State.CONNECTED && in.available() > 0) {
            abort();
          }
          if (state != State.CLOSED) {
            if (state == State.CONNECTED) {
              out.shut();
            } else if (peer != null && state == State.CONNECTING) {
              out.reset(0);
            }
            leave();
          }
        });
  }

  /** Closes it as a kernel does when nothing reads what has come: the other end is reset. */
  void abort() {
    abort(0);
  }

  /**
   * @param delayNanos how long until that is sent
   */
  void abort(long delayNanos) {
    if (state == State.CONNECTED) {
      out.reset(delayNanos);
    }
    leave();
  }

  private void leave() {
    state = State.CLOSED;
    node().links().remove(this);
    if (key != null) {
      key.poller.remove(this);
    }
  }

  /** The process ends without a packet to its peers. */
  void freeze() {
    if (out != null) {
      out.drop();
    }
  }

  @Override
  public void congestionControl(String name) {
    // The network does not depend on it.
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return state == State.BROKEN || state == State.CLOSED ? null : remote;
  }
}
