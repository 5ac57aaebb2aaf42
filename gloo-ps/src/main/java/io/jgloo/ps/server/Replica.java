package io.jgloo.ps.server;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.IncomingRequest;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The replica of the keys of another server: executes what that server forwards, in its order.
 *
 * <p>A push is acknowledged when it is in its turn, before it is executed: what the shards do later
 * is done before anything is read from them.
 *
 * <p><i>Threads</i>: under the lock of its server.
 */
final class Replica<A> {

  private final ValueType<A> type;
  private KeyRange<A> range;
  private RequestOrder order = new RequestOrder();
  private boolean isReady;

  /** Whether pushes are kept until it is ready. */
  private boolean isExpected = true;

  private long state = KvProtocol.ORIGINAL;

  /** The server whose pushes come next; null before the first. */
  private AgentId primary;

  Replica(ValueType<A> type) {
    this.type = type;
  }

  /** Whether pushes of this server come next. */
  boolean follows(AgentId server) {
    return server.equals(primary);
  }

  /** Whether it has all that the server has acknowledged. */
  boolean isReady() {
    return isReady;
  }

  /** The state of the server whose values it has. */
  long state() {
    return state;
  }

  KeyRange<A> range() {
    return range;
  }

  /** Begins with values. */
  void begin(KeyRange<A> values, long itsState) {
    range = values;
    state = itsState;
    isReady = true;
    advance();
  }

  /** Follows another life of the server, which has the values of this replica, or gives its own. */
  void follow(AgentId newPrimary) {
    end();
    primary = newPrimary;
    isExpected = true;
  }

  /**
   * Its values are out of date.
   *
   * @return what the caller closes, without the lock; null if there are none
   */
  KeyRange<A> drop() {
    KeyRange<A> values = range;
    end();
    isReady = false;
    isExpected = false;
    range = null;
    return values;
  }

  private void end() {
    order.end();
    order = new RequestOrder();
  }

  /** A worker or a server is lost. */
  void lost(AgentId peer) {
    if (range != null) {
      range.lost(peer);
    }
    if (peer.equals(primary)) {
      end();
    }
  }

  /** A push was forwarded. */
  void received(IncomingRequest request) {
    if (primary == null) {
      primary = request.from();
    }
    Message message = request.message();
    KvProtocol.Head head =
        message.length() < KvProtocol.WORKER_BYTES ? null : KvProtocol.Head.read(content(message));
    boolean isWanted = isExpected && request.from().equals(primary);
    if (head == null || !isWanted || !order.add(head, request)) {
      request.refuse("malformed, repeated, or from another server");
      message.close();
    }
    advance();
  }

  private static Message content(Message message) {
    int skipped = KvProtocol.WORKER_BYTES;
    return Message.of(
        message.bytes(), message.offset() + skipped, message.length() - skipped, message.blocks());
  }

  private void advance() {
    RequestOrder.Entry next = isReady ? order.poll() : null;
    for (; next != null; next = order.poll()) {
      IncomingRequest request = next.request();
      if (request.begin()) {
        execute(next.head(), request.message());
        request.reply(KvProtocol.OK, KvProtocol.message(KvProtocol.allocate(0), List.of()));
      } else {
        request.message().close();
      }
    }
  }

  private void execute(KvProtocol.Head head, Message message) {
    ByteBuffer in = KvProtocol.buffer(message);
    AgentId worker = new AgentId(in.getInt(), in.getLong());
    RequestContent content = RequestContent.read(head, content(message), type, null);
    if (content == null) {
      throw new IllegalStateException("a forwarded push is malformed"); // a mistake of ours
    }
    Runnable release =
        () -> {
          content.close();
          message.close();
        };
    range.execute(
        worker,
        head,
        content.pairs(type),
        0,
        parts -> new Response((status, reply) -> reply.close(), release, head, type, state, parts));
  }
}
