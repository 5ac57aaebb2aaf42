package io.jgloo.ps;

import io.jgloo.rpc.message.AgentId;
import io.jgloo.rpc.message.Message;
import io.jgloo.rpc.message.PendingCall;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * What a customer of a worker has under way to one server: numbers its requests, and bounds them.
 *
 * <p><i>Threads</i>: any.
 */
final class ServerLink {

  private final PsNode node;
  private final NodeId server;
  private final int app;
  private final int customer;
  private final IntSupplier floor;
  private final AtomicLong underWay;
  private final long window;
  private final Object lock = new Object();
  private final List<Set<Piece<?>>> outstanding = new ArrayList<>();
  private final long[] next = new long[KvProtocol.STREAMS];
  private AgentId life;
  private volatile long state = KvProtocol.ORIGINAL;

  /**
   * @param floor gives the lowest timestamp that may be repeated
   */
  ServerLink(PsNode node, int rank, int app, int customer, IntSupplier floor) {
    this.node = node;
    this.server = NodeId.server(rank);
    this.app = app;
    this.customer = customer;
    this.floor = floor;
    underWay = node.underWay(rank);
    window = node.options().windowBytes();
    for (int stream = 0; stream < KvProtocol.STREAMS; stream++) {
      outstanding.add(new LinkedHashSet<>());
    }
  }

  NodeId server() {
    return server;
  }

  boolean isUp(AgentId agent) {
    return agent.equals(node.agent(server));
  }

  /** Lets calls go to a server that does not have the values of the one before. */
  void acceptState() {
    AgentId present = node.agent(server);
    if (present != null) {
      state = present.incarnation();
    }
  }

  /** Sends a piece, when the window has room; its outcome may be known before this returns. */
  void send(Piece<?> piece, Call<?> call) {
    long bytes = piece.bytes();
    while (!reserve(bytes)) {
      boolean hasRoom =
          node.messenger().isHandling()
              || node.await(() -> fits(bytes) || node.agent(server) == null, call.deadlineNanos());
      if (!hasRoom || node.agent(server) == null) {
        String text = "call " + call.timestamp() + ": no room in the window of " + server;
        call.ended(
            node.agent(server) == null
                ? node.lost(server)
                : new CallTimeoutException(text + ", which is slow", null));
        return;
      }
      if (node.messenger().isHandling()) {
        underWay.addAndGet(bytes); // a handler cannot wait
        break;
      }
    }
    AgentId to = node.agent(server);
    if (to == null) {
      underWay.addAndGet(-bytes);
      call.ended(node.lost(server));
      return;
    }
    Message message;
    try {
      message = number(piece, to, bytes);
    } catch (OutOfMemoryError e) { // off-heap memory for a copy; the server must not wait for it
      ended(piece, true);
      call.ended(new CallTimeoutException("call " + call.timestamp() + ": no memory", e));
      return;
    }
    PendingCall unused =
        node.messenger()
            .request(
                to,
                KvProtocol.SERVICE,
                message,
                KvProtocol.STREAM_PRIORITIES.get(piece.stream()),
                call.deadlineNanos(),
                piece);
  }

  private boolean fits(long bytes) {
    long now = underWay.get();
    return now == 0 || now + bytes <= window;
  }

  private boolean reserve(long bytes) {
    long now = underWay.get();
    return (now == 0 || now + bytes <= window) && underWay.compareAndSet(now, now + bytes);
  }

  private Message number(Piece<?> piece, AgentId to, long bytes) {
    long[] after = new long[KvProtocol.STREAMS];
    synchronized (lock) {
      if (!to.equals(life)) {
        life = to;
        for (int stream = 0; stream < KvProtocol.STREAMS; stream++) {
          next[stream] = 1;
          outstanding.get(stream).clear();
        }
      }
      for (int stream = 0; stream < KvProtocol.STREAMS; stream++) {
        for (Piece<?> other : outstanding.get(stream)) {
          if (stream != piece.stream() && other.overlaps(piece)) {
            after[stream] = Math.max(after[stream], other.number());
          }
        }
      }
      piece.numbered(to, next[piece.stream()]++, bytes);
      outstanding.get(piece.stream()).add(piece);
    }
    return piece.message(app, customer, after, state, floor.getAsInt());
  }

  /**
   * A piece has an outcome.
   *
   * @param isSkipped whether the server does not get it
   */
  void ended(Piece<?> piece, boolean isSkipped) {
    underWay.addAndGet(-piece.cost());
    synchronized (lock) {
      outstanding.get(piece.stream()).remove(piece);
    }
    if (isSkipped && isUp(piece.server())) {
      byte[] skip = KvProtocol.skip(app, customer, piece.stream(), piece.number());
      CompletableFuture<Void> unused =
          node.messenger().send(piece.server(), KvProtocol.SKIP_KIND, skip);
    }
  }
}
