package io.jgloo.ps;

import io.jgloo.rpc.message.AgentId;
import io.jgloo.rpc.message.Block;
import io.jgloo.rpc.message.Message;
import io.jgloo.rpc.message.NotExecutedException;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.transport.GlooException;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A request to one server: what of a call goes there, or a part of that.
 *
 * <p><i>Threads</i>: made by the caller; then the one that runs the messenger's events.
 */
final class Piece<A> implements ReplyHandler {

  private final Call<A> call;
  private final ServerLink link;
  private final Operand<A> operand;
  private final int from;
  private final int count;
  private final int valueFrom;
  private final int valueCount;
  private final int[] positions;
  private final int stream;
  private AgentId server;
  private long number;
  private long cost;

  /**
   * @param operand of the call, or of what of it goes to the server
   * @param from first key
   * @param valueFrom first value
   * @param positions index in the call of each key of the operand; null if they are the same
   */
  Piece(
      Call<A> call,
      ServerLink link,
      Operand<A> operand,
      int from,
      int count,
      int valueFrom,
      int valueCount,
      int[] positions) {
    this.call = call;
    this.link = link;
    this.operand = operand;
    this.from = from;
    this.count = count;
    this.valueFrom = valueFrom;
    this.valueCount = valueCount;
    this.positions = positions;
    stream = KvProtocol.STREAM_PRIORITIES.indexOf(call.options().priority());
  }

  int stream() {
    return stream;
  }

  int count() {
    return count;
  }

  /** Index in the call of a key of this piece. */
  int position(int index) {
    return positions == null ? from + index : positions[from + index];
  }

  boolean isContiguous() {
    return positions == null;
  }

  /** Whether the ranges of keys of two pieces overlap. */
  boolean overlaps(Piece<?> other) {
    return count > 0
        && other.count > 0
        && Long.compareUnsigned(first(), other.last()) <= 0
        && Long.compareUnsigned(other.first(), last()) <= 0;
  }

  private long first() {
    return operand.key(from);
  }

  private long last() {
    return operand.key(from + count - 1);
  }

  /** Bytes that it counts against the window. */
  long bytes() {
    long values = Math.max(valueCount, call.has(KvProtocol.PULL) ? call.expected(count) : 0);
    return KvProtocol.REQUEST_BYTES + 8L * count + values * call.type().bytes();
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

  /** Encodes the request. */
  Message message(int app, int customer, long[] after, long state, int floor) {
    int[] lens = operand.hasValues() ? call.lensOf(positions) : null;
    int valueBytes = call.type().bytes() * valueCount;
    int lensBytes = lens == null ? 0 : 4 * count;
    long content = 8L * count + lensBytes + (long) call.type().bytes() * valueCount;
    boolean isInline = content <= KvProtocol.INLINE_BYTES;
    int flags = call.flags() | (lens == null ? 0 : KvProtocol.LENS);
    KvProtocol.Head head =
        new KvProtocol.Head(
            flags | (isInline ? 0 : KvProtocol.BLOCKS),
            call.type().code(),
            stream,
            app,
            customer,
            call.options().command(),
            number,
            after[0],
            after[1],
            after[2],
            call.timestamp(),
            call.identity(),
            floor,
            count,
            valueCount,
            state);
    ByteBuffer out = KvProtocol.allocate(KvProtocol.REQUEST_BYTES + (isInline ? (int) content : 0));
    head.write(out);
    if (!isInline) {
      return KvProtocol.message(out, blocks(lens));
    }
    operand.putKeys(from, count, out);
    for (int i = 0; lens != null && i < count; i++) {
      out.putInt(lens[from + i]);
    }
    if (valueBytes > 0) {
      operand.putValues(valueFrom, valueCount, out);
    }
    return KvProtocol.message(out, List.of());
  }

  private List<Block> blocks(int[] lens) {
    List<Block> blocks = new ArrayList<>();
    blocks.add(operand.keys(from, count));
    if (lens != null) {
      Block block = Block.allocate(4L * count);
      Memory.copy(lens, from, block.address(), count);
      blocks.add(block);
    }
    if (valueCount > 0) {
      blocks.add(operand.values(valueFrom, valueCount));
    }
    return blocks;
  }

  // The outcome.

  @Override
  public void replied(int status, Message reply) {
    link.ended(this, false);
    try (reply) {
      ByteBuffer in = KvProtocol.buffer(reply);
      if (status == KvProtocol.OK) {
        if (call.has(KvProtocol.PULL)) {
          call.sink().accept(this, PulledValues.read(reply, call.type()));
        }
        call.ended(null);
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
    } catch (RuntimeException e) { // a malformed reply
      call.ended(
          new CallTimeoutException("a reply of " + link.server() + ": " + e.getMessage(), e));
    }
  }

  @Override
  public void failed(GlooException cause) {
    boolean isSkipped = cause instanceof NotExecutedException;
    boolean isDown = !link.isUp(server);
    link.ended(this, isSkipped);
    String text = "call " + call.timestamp() + ", " + link.server() + ": " + cause.getMessage();
    call.ended(isDown ? new NodeLostException(text, cause) : new CallTimeoutException(text, cause));
  }
}
