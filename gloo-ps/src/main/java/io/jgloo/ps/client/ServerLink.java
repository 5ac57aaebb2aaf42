package io.jgloo.ps.client;

import io.jgloo.ps.client.Calls.Call;
import io.jgloo.ps.kv.ValueEncoding;
import io.jgloo.ps.membership.Members;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.OutcomeUnknownException;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.PendingCall;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What a customer of a worker has under way to one server: numbers its requests, and bounds them.
 *
 * <p><i>Threads</i>: any.
 */
public final class ServerLink {

  private final Members members;
  private final NodeId server;
  private final int app;
  private final int customer;
  private final LongSupplier floor;
  final ValueEncoding pushed;
  final ValueEncoding pulled;
  private final Window window;
  private final Object lock = new Object();
  private final List<Set<Piece<?>>> outstanding = new ArrayList<>();
  private final long[] next = new long[KvProtocol.STREAMS];
  private AgentId life;

  /**
   * A round of which a push was lost with a server, until that is repeated or a tick has failed.
   */
  private long lostRound;

  private volatile long state = KvProtocol.ORIGINAL;

  /**
   * @param floor gives the lowest timestamp that may be repeated
   */
  public ServerLink(
      Members members,
      int rank,
      int app,
      int customer,
      ValueEncoding pushed,
      ValueEncoding pulled,
      Window window,
      LongSupplier floor) {
    this.members = members;
    this.server = NodeId.server(rank);
    this.app = app;
    this.customer = customer;
    this.pushed = pushed;
    this.pulled = pulled;
    this.floor = floor;
    this.window = window;
    for (int stream = 0; stream < KvProtocol.STREAMS; stream++) {
      outstanding.add(new LinkedHashSet<>());
    }
  }

  NodeId server() {
    return server;
  }

  int app() {
    return app;
  }

  int customer() {
    return customer;
  }

  long floor() {
    return floor.getAsLong();
  }

  long state() {
    return state;
  }

  /** Begins with a server, unless that was done. */
  private void begin(AgentId to) {
    if (life != null && to.incarnation() <= life.incarnation()) {
      return;
    }
    life = to;
    outstanding.forEach(pieces -> pieces.forEach(this::lost));
    for (int stream = 0; stream < KvProtocol.STREAMS; stream++) {
      next[stream] = 1;
      outstanding.get(stream).clear();
    }
  }

  /** A piece did not reach its server: if it is a push, the tick of its round is not sent. */
  private void lost(Piece<?> piece) {
    if (!piece.isTick() && piece.isChange()) {
      lostRound = piece.round();
    }
  }

  // Requests.

  boolean isUp(AgentId agent) {
    return agent.equals(members.agent(server));
  }

  /** Lets calls go to a server that does not have the values of the one before. */
  public void acceptState() {
    AgentId present = members.agent(server);
    if (present != null) {
      state = present.incarnation();
    }
  }

  /** Sends a piece, when the window has room; its outcome may be known before this returns. */
  void send(Piece<?> piece, Call<?> call) {
    long bytes = piece.bytes();
    boolean hasRoom = reserve(bytes, call.deadlineNanos);
    AgentId to = members.agent(server);
    if (!hasRoom && to != null) {
      String text = "call " + call.timestamp() + ": no room in the window of " + server;
      call.ended(new OutcomeUnknownException(text + ", which is slow", null));
      return;
    }
    long[] after = new long[KvProtocol.STREAMS];
    if (to != null && number(piece, to, bytes, after)) {
      request(piece, after, call);
      return;
    }
    window.release(hasRoom ? bytes : 0);
    synchronized (lock) {
      lost(piece);
    }
    call.ended(members.lost(server));
  }

  /** Takes room in the window; false if there is none at the deadline, or the server is lost. */
  private boolean reserve(long bytes, long deadlineNanos) {
    while (!window.reserve(bytes)) {
      if (members.messenger().isHandling()) { // a handler cannot wait
        window.exceed(bytes);
        return true;
      }
      boolean isMet =
          members.await(() -> window.fits(bytes) || members.agent(server) == null, deadlineNanos);
      if (!isMet || members.agent(server) == null) {
        return false;
      }
    }
    return true;
  }

  /**
   * Numbers a piece.
   *
   * @param after gets the numbers in other streams that it follows
   * @return false if it cannot be sent: a later server of the rank has begun, or a push of the
   *     round that it ends was lost
   */
  private boolean number(Piece<?> piece, AgentId to, long bytes, long[] after) {
    synchronized (lock) {
      begin(to);
      if (!to.equals(life)) {
        return false;
      }
      if (piece.isChange() && piece.round() == lostRound) {
        lostRound = 0;
        if (piece.isTick()) { // the server would end the round without a push of it
          return false;
        }
      }
      for (int stream = 0; stream < KvProtocol.STREAMS; stream++) {
        for (Piece<?> other : outstanding.get(stream)) {
          if (stream != piece.stream() && (piece.count() == 0 || other.overlaps(piece))) {
            after[stream] = Math.max(after[stream], other.number());
          }
        }
      }
      piece.numbered(to, next[piece.stream()]++, bytes);
      return outstanding.get(piece.stream()).add(piece);
    }
  }

  private void request(Piece<?> piece, long[] after, Call<?> call) {
    Message message;
    try {
      message = piece.message(after);
    } catch (OutOfMemoryError e) { // off-heap memory for a copy; the server must not wait for it
      ended(piece, true);
      call.ended(new OutcomeUnknownException("call " + call.timestamp() + ": no memory", e));
      return;
    }
    PendingCall unused =
        members
            .messenger()
            .request(
                piece.server(),
                KvProtocol.SERVICE,
                message,
                KvProtocol.STREAM_PRIORITIES.get(piece.stream()),
                call.deadlineNanos,
                piece);
  }

  /**
   * A piece has an outcome.
   *
   * @param isSkipped whether the server does not get it
   */
  void ended(Piece<?> piece, boolean isSkipped) {
    window.release(piece.cost());
    synchronized (lock) {
      boolean isPresent = outstanding.get(piece.stream()).remove(piece);
      if (isPresent && !isUp(piece.server())) {
        lost(piece);
      }
    }
    if (isSkipped && isUp(piece.server())) {
      byte[] skip = KvProtocol.skip(app, customer, piece.stream(), piece.number());
      CompletableFuture<Void> unused =
          members.messenger().send(piece.server(), KvProtocol.SKIP_KIND, skip);
    }
  }

  /**
   * Bounds the bytes that are under way to a server, in calls of all customers of a node.
   *
   * <p><i>Threads</i>: any.
   */
  public static final class Window {

    private final long most;
    private final AtomicLong underWay = new AtomicLong();

    /**
     * @param most bytes; a single request may have more
     */
    public Window(long most) {
      this.most = most;
    }

    /** Whether there is room. */
    boolean fits(long bytes) {
      return fits(underWay.get(), bytes);
    }

    private boolean fits(long now, long bytes) {
      return now == 0 || now + bytes <= most;
    }

    /** Takes room, if there is some. */
    boolean reserve(long bytes) {
      long now = underWay.get();
      return fits(now, bytes) && underWay.compareAndSet(now, now + bytes);
    }

    /** Takes room that is not there. */
    void exceed(long bytes) {
      underWay.addAndGet(bytes);
    }

    /** Gives room back. */
    void release(long bytes) {
      underWay.addAndGet(-bytes);
    }
  }
}
