package io.jgloo.ps.client;

import io.jgloo.ps.kv.CallRejectedException;
import io.jgloo.ps.kv.CallTimeoutException;
import io.jgloo.ps.kv.KvFilters;
import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.kv.StateLostException;
import io.jgloo.ps.node.NodeLostException;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.ps.wire.Part;
import io.jgloo.ps.wire.ValueCodec;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.transport.JGlooException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A request to one server: what of a call goes there, or a part of that.
 *
 * <p><i>Threads</i>: made by the caller; then the one that runs the messenger's events.
 */
final class Piece<A> implements ReplyHandler {

  /**
   * What of a call goes to a server, or a part of that.
   *
   * @param operand of the call, or its keys and values for the server
   * @param from first key
   * @param valueFrom first value
   * @param positions index in the call of each key of the operand; null if they are the same
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Slice<A>(
      Operand<A> operand, int from, int count, int valueFrom, int valueCount, int[] positions) {}

  private final Call<A> call;
  private final ServerLink link;
  private final Slice<A> slice;
  private final int stream;
  private AgentId server;
  private long number;
  private long cost;
  private long digest;
  private boolean hasDigest;

  /** The server waits for its number if it does not have the keys. */
  private volatile boolean usesDigest;

  Piece(Call<A> call, ServerLink link, Slice<A> slice) {
    this.call = call;
    this.link = link;
    this.slice = slice;
    stream = KvProtocol.STREAM_PRIORITIES.indexOf(call.options.priority());
  }

  int stream() {
    return stream;
  }

  int count() {
    return slice.count();
  }

  long round() {
    return call.round;
  }

  boolean isTick() {
    return call.has(KvProtocol.TICK) && !call.has(KvProtocol.EVICT);
  }

  boolean isChange() {
    return call.has(KvProtocol.PUSH) || isTick();
  }

  /** Index in the call of a key of this piece. */
  int position(int index) {
    return slice.positions() == null
        ? slice.from() + index
        : slice.positions()[slice.from() + index];
  }

  boolean isContiguous() {
    return slice.positions() == null;
  }

  /** Whether the ranges of keys of two pieces overlap. */
  boolean overlaps(Piece<?> other) {
    return slice.count() > 0
        && other.slice.count() > 0
        && Long.compareUnsigned(first(), other.last()) <= 0
        && Long.compareUnsigned(other.first(), last()) <= 0;
  }

  private long first() {
    return slice.operand().key(slice.from());
  }

  private long last() {
    return slice.operand().key(slice.from() + slice.count() - 1);
  }

  /** Its keys are sent as a digest, or were. */
  void usesDigest() {
    usesDigest = true;
  }

  /** Bytes that it counts against the window. */
  long bytes() {
    long values =
        Math.max(
            slice.valueCount(), call.has(KvProtocol.PULL) ? call.sink.expected(slice.count()) : 0);
    return KvProtocol.REQUEST_BYTES + 8L * slice.count() + values * call.type.bytes();
  }

  /** Sets what it is on the way to its server. */
  void numbered(AgentId to, long number, long cost) {
    server = to;
    this.number = number;
    this.cost = cost;
  }

  long number() {
    return number;
  }

  AgentId server() {
    return server;
  }

  long cost() {
    return cost;
  }

  // The request.

  /** The digest of its keys. */
  long digest() {
    if (!hasDigest) {
      digest = slice.operand().digest(slice.from(), slice.count());
      hasDigest = true;
    }
    return digest;
  }

  /**
   * Encodes the request.
   *
   * @param after numbers in other streams that it follows
   * @param keys {@link KvProtocol#KEEP}, {@link KvProtocol#DIGEST}, or 0 for keys only
   */
  Message message(long[] after, int keys) {
    KvFilters filters = link.filters();
    int pushed = ValueCodec.code(filters.pushed());
    int pulled = ValueCodec.code(filters.pulled());
    int[] lens = slice.operand().hasValues() ? call.lensOf(slice.positions()) : null;
    int flags = call.flags | keys | (lens == null ? 0 : KvProtocol.LENS);
    KvProtocol.Head head =
        new KvProtocol.Head(
            flags,
            new KvProtocol.Origin(
                link.app(),
                link.customer(),
                call.options.command(),
                call.timestamp(),
                call.identity,
                link.floor(),
                call.round),
            new KvProtocol.Order(stream, number, after[0], after[1], after[2]),
            new KvProtocol.Content(
                call.type.code(),
                pushed,
                pulled,
                slice.count(),
                slice.valueCount(),
                keys == 0 ? 0 : digest()),
            link.state());
    ByteBuffer out = KvProtocol.allocate(KvProtocol.REQUEST_BYTES + KvProtocol.SHORT_BYTES);
    head.write(out);
    return KvProtocol.message(
        out,
        0,
        keys == KvProtocol.DIGEST ? Part.NONE : slice.operand().keys(slice.from(), slice.count()),
        KvProtocol.lens(lens, slice.from(), slice.count()),
        slice.valueCount() == 0 ? Part.NONE : values(pushed));
  }

  private Part values(int encoding) {
    Part exact = slice.operand().values(slice.valueFrom(), slice.valueCount());
    if (encoding == ValueCodec.EXACT) {
      return exact;
    }
    try (Block block = exact.block().get()) {
      int count = slice.valueCount();
      return Part.of(ValueCodec.encode(encoding, call.type, block.address(), count));
    }
  }

  // The outcome.

  @Override
  public Block memory(int status, Message head, int index, long length) {
    boolean isExact = status == KvProtocol.OK && PulledValues.isExact(head);
    Block given = isExact && call.has(KvProtocol.PULL) ? call.sink.memory(this) : null;
    return given != null && given.length() == length ? given : null;
  }

  @Override
  public void replied(int status, Message reply) {
    if (status == KvProtocol.KEYS_MISSING) {
      reply.close();
      link.repeat(this, call);
      return;
    }
    link.ended(this, false);
    try (reply) {
      ByteBuffer in = KvProtocol.buffer(reply);
      if (status == KvProtocol.OK) {
        if (call.has(KvProtocol.PULL)) {
          try (PulledValues<A> values = PulledValues.read(reply, call.type)) {
            call.sink.accept(this, values);
          }
        }
        call.ended(null);
      } else if (status == KvProtocol.UNKNOWN) {
        String text = "application " + link.app() + " is not registered at " + link.server();
        call.ended(new CallRejectedException(link.server(), text, null));
      } else if (status == KvProtocol.STATE_LOST) {
        long actual = in.getLong();
        call.ended(
            new StateLostException(
                link.server(), link.server() + " was replaced without its values, by #" + actual));
      } else {
        int code = in.getInt();
        byte[] text = new byte[in.remaining()];
        in.get(text);
        String what = new String(text, StandardCharsets.UTF_8);
        call.ended(
            new ServerErrorException(
                link.server(), code, link.server() + " answered error " + code + ": " + what));
      }
    } catch (RuntimeException e) { // the room of the call, or a malformed reply
      String text = "call " + call.timestamp() + ": the reply of " + link.server();
      call.ended(
          new CallRejectedException(
              link.server(), text + " does not fit the call: " + e.getMessage(), e));
    }
  }

  @Override
  public void failed(JGlooException cause) {
    boolean isSkipped = cause instanceof NotExecutedException || usesDigest;
    boolean isDown = !link.isUp(server);
    link.ended(this, isSkipped);
    String text = "call " + call.timestamp() + ", " + link.server() + ": " + cause.getMessage();
    call.ended(isDown ? new NodeLostException(text, cause) : new CallTimeoutException(text, cause));
  }
}
