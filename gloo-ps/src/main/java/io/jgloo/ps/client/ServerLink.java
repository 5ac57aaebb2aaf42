package io.jgloo.ps.client;

import io.jgloo.ps.kv.CallTimeoutException;
import io.jgloo.ps.kv.KvFilters;
import io.jgloo.ps.membership.Members;
import io.jgloo.ps.node.NodeId;
import io.jgloo.ps.wire.FilterBits;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.PendingCall;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The requests of a customer of a worker to one server: numbers and bounds them.
 *
 * <p><i>Threads</i>: any.
 */
public final class ServerLink {

  /** Shorter lists of keys are not worth a digest. */
  private static final int FEWEST_KEYS = 32;

  private static final int MOST_KNOWN = 4096;
  private static final int NOT_SENT = -1;
  public static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Members members;
  private final NodeId server;
  private final int app;
  private final int customer;
  private final LongSupplier floor;
  private final KvFilters wanted;
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

  /** What the present server accepts, and whether it has answered. */
  private volatile KvFilters filters = KvFilters.NONE;

  private volatile boolean isNegotiated;

  /** Digests of the lists of keys that the present server was sent. */
  private final Map<Long, Integer> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
          return size() > MOST_KNOWN;
        }
      };

  /**
   * @param floor gives the lowest timestamp that may be repeated
   */
  public ServerLink(
      Members members,
      int rank,
      int app,
      int customer,
      KvFilters wanted,
      Window window,
      LongSupplier floor) {
    this.members = members;
    this.server = NodeId.server(rank);
    this.app = app;
    this.customer = customer;
    this.wanted = wanted;
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

  // Filters.

  /** The filters that the server has accepted. */
  public KvFilters filters() {
    return filters;
  }

  /** Whether the server has said what it accepts, or will not. */
  public boolean isNegotiated() {
    return isNegotiated || wanted.equals(KvFilters.NONE) || members.agent(server) == null;
  }

  /** Begins with the present server of the rank, if there is one. */
  public void negotiate() {
    AgentId to = members.agent(server);
    if (to != null && begin(to)) {
      ask(to);
    }
  }

  /** Begins with a server; false if that was done. */
  private boolean begin(AgentId to) {
    synchronized (lock) {
      if (life != null && to.incarnation() <= life.incarnation()) {
        return false;
      }
      life = to;
      outstanding.forEach(pieces -> pieces.forEach(this::lost));
      for (int stream = 0; stream < KvProtocol.STREAMS; stream++) {
        next[stream] = 1;
        outstanding.get(stream).clear();
      }
      known.clear();
      filters = KvFilters.NONE;
      isNegotiated = false;
      return true;
    }
  }

  /** A piece did not reach its server: if it is a push, the tick of its round is not sent. */
  private void lost(Piece<?> piece) {
    if (!piece.isTick() && piece.isChange()) {
      lostRound = piece.round();
    }
  }

  /** Asks a server for filters; until it answers there are none. */
  private void ask(AgentId to) {
    if (wanted.equals(KvFilters.NONE)) {
      return;
    }
    ByteBuffer out = KvProtocol.allocate(8).putInt(app).putInt(FilterBits.of(wanted));
    Message question = KvProtocol.message(out, List.of());
    long deadline = members.now() + PATIENCE_NANOS;
    CompletableFuture<Void> unused =
        members
            .request(to, KvProtocol.FILTERS_SERVICE, question, Priority.HIGH, deadline)
            .handle(
                (reply, failure) -> {
                  boolean isAnswer = failure == null && reply.status() == KvProtocol.OK;
                  ByteBuffer bits = ByteBuffer.wrap(isAnswer ? reply.bytes() : new byte[0]);
                  agreed(
                      to, bits.remaining() == 4 ? bits.order(ByteOrder.LITTLE_ENDIAN).getInt() : 0);
                  return null;
                });
  }

  private void agreed(AgentId with, int bits) {
    synchronized (lock) {
      if (with.equals(life)) {
        filters = FilterBits.accepted(wanted, bits);
        isNegotiated = true;
      }
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
      call.ended(new CallTimeoutException(text + ", which is slow", null));
      return;
    }
    long[] after = new long[KvProtocol.STREAMS];
    int keys = to == null ? NOT_SENT : number(piece, to, bytes, after);
    if (keys != NOT_SENT) {
      request(piece, after, keys, call);
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
   * @return how its keys are sent: {@link KvProtocol#KEEP}, {@link KvProtocol#DIGEST} or 0; or
   *     NOT_SENT if a later server of the rank has begun
   */
  private int number(Piece<?> piece, AgentId to, long bytes, long[] after) {
    boolean isCached = filters.keyCache() && piece.count() >= FEWEST_KEYS;
    long digest = isCached ? piece.digest() : 0;
    int keys = 0;
    boolean isNew;
    synchronized (lock) {
      isNew = begin(to);
      if (!to.equals(life)) {
        return NOT_SENT;
      }
      if (piece.isChange() && piece.round() == lostRound) {
        lostRound = 0;
        if (piece.isTick()) { // the server would end the round without a push of it
          return NOT_SENT;
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
      outstanding.get(piece.stream()).add(piece);
      if (isCached && !isNew) {
        Integer before = known.put(digest, piece.count());
        keys = before != null && before == piece.count() ? KvProtocol.DIGEST : KvProtocol.KEEP;
      }
    }
    if (isNew) {
      ask(to);
    }
    if (keys == KvProtocol.DIGEST) {
      piece.usesDigest();
    }
    return keys;
  }

  /** Sends a piece again, with the keys that the server does not have. */
  void repeat(Piece<?> piece, Call<?> call) {
    request(piece, new long[KvProtocol.STREAMS], KvProtocol.KEEP, call);
  }

  private void request(Piece<?> piece, long[] after, int keys, Call<?> call) {
    Message message;
    try {
      message = piece.message(after, keys);
    } catch (OutOfMemoryError e) { // off-heap memory for a copy; the server must not wait for it
      ended(piece, true);
      call.ended(new CallTimeoutException("call " + call.timestamp() + ": no memory", e));
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
}
