package io.jgloo.ps.server;

import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.IncomingRequest;

/**
 * The replica of the keys of the server that is some ranks before this one: executes what that
 * server forwards, in its order.
 *
 * <p>A push is acknowledged when it is in its turn, before it is executed: what the shards do later
 * is done before anything is read from them.
 *
 * <p><i>Threads</i>: under the lock of its server.
 */
final class Replica<A> {

  final int distance;

  /** Whether it is getting its values. */
  boolean isFilling;

  private KeyRange<A> range;
  private RequestOrder order = new RequestOrder();
  private boolean isReady;

  /** Whether pushes are kept until it is ready. */
  private boolean isExpected = true;

  private long state = KvProtocol.ORIGINAL;

  /** The server whose pushes come next; null before the first. */
  private AgentId primary;

  Replica(int distance) {
    this.distance = distance;
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
  void begin(KeyRange<A> values, long state) {
    range = values;
    this.state = state;
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
    Message forwarded = KvProtocol.forwarded(message);
    KvProtocol.Head head = forwarded == null ? null : KvProtocol.Head.read(forwarded);
    boolean isWanted = isExpected && request.from().equals(primary);
    if (head == null || !isWanted || !order.add(head, request)) {
      request.refuse("malformed, repeated, or from another server");
      message.close();
    }
    advance();
  }

  private void advance() {
    RequestOrder.Entry next = isReady ? order.poll() : null;
    for (; next != null; next = order.poll()) {
      IncomingRequest request = next.request();
      if (request.begin()) {
        range.execute(next.head(), request.message(), state);
        request.reply(KvProtocol.OK, KvProtocol.EMPTY);
      } else {
        request.message().close();
      }
    }
  }
}
