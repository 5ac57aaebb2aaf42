package io.jgloo.ps.client;

import io.jgloo.ps.client.Calls.Call;
import io.jgloo.ps.client.Sink.PulledValues;
import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.kv.StateLostException;
import io.jgloo.ps.node.NodeLostException;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.ps.wire.Part;
import io.jgloo.ps.wire.ValueCodec;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.agent.OutcomeUnknownException;
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
    return call.has(KvProtocol.TICK);
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

  /** Bytes that it counts against the window. */
  long bytes() {
    long values =
        Math.max(
            slice.valueCount(), call.has(KvProtocol.PULL) ? call.sink.expected(slice.count()) : 0);
    return KvProtocol.REQUEST_BYTES + 8L * slice.count() + values * call.type.bytes();
  }

  /** Sets what it is on the way to its server. */
  void numbered(AgentId to, long itsNumber, long itsCost) {
    server = to;
    number = itsNumber;
    cost = itsCost;
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

  /**
   * Encodes the request.
   *
   * @param after numbers in other streams that it follows
   */
  Message message(long[] after) {
    int pushed = link.pushed.ordinal();
    int[] lens = slice.operand().hasValues() ? call.lensOf(slice.positions()) : null;
    int flags = call.flags | (lens == null ? 0 : KvProtocol.LENS);
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
                call.type.code(), pushed, link.pulled.ordinal(), slice.count(), slice.valueCount()),
            link.state());
    ByteBuffer out = KvProtocol.allocate(KvProtocol.REQUEST_BYTES + KvProtocol.SHORT_BYTES);
    head.write(out);
    return KvProtocol.message(
        out,
        0,
        slice.operand().keys(slice.from(), slice.count()),
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
        failed(
            ServerErrorException.UNKNOWN_APPLICATION,
            "application " + link.app() + " is not registered at " + link.server());
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
        failed(code, link.server() + " answered error " + code + ": " + what);
      }
    } catch (RuntimeException e) { // the room of the call, or a malformed reply
      failed(
          ServerErrorException.WRONG_LENGTH,
          ("call " + call.timestamp() + ": the reply of " + link.server())
              + (" does not fit the call: " + e.getMessage()));
    }
  }

  private void failed(int code, String text) {
    call.ended(new ServerErrorException(link.server(), code, text));
  }

  @Override
  public void failed(JGlooException cause) {
    boolean isSkipped = cause instanceof NotExecutedException;
    boolean isDown = !link.isUp(server);
    link.ended(this, isSkipped);
    String text = "call " + call.timestamp() + ", " + link.server() + ": " + cause.getMessage();
    call.ended(
        isDown ? new NodeLostException(text, cause) : new OutcomeUnknownException(text, cause));
  }
}
