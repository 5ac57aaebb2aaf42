package io.jgloo.ps.client;

import io.jgloo.ps.kv.CallRejectedException;
import io.jgloo.ps.kv.CallTimeoutException;
import io.jgloo.ps.kv.KvFilters;
import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.kv.StateLostException;
import io.jgloo.ps.node.NodeLostException;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.ps.wire.ValueCodec;
import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.NotExecutedException;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.rpc.message.ReplyHandler;
import io.jgloo.transport.JGlooException;
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
  private long digest;
  private boolean hasDigest;

  /** The server waits for its number if it does not have the keys. */
  private volatile boolean usesDigest;

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

  long round() {
    return call.round();
  }

  boolean isTick() {
    return call.has(KvProtocol.TICK) && !call.has(KvProtocol.EVICT);
  }

  boolean isChange() {
    return call.has(KvProtocol.PUSH) || isTick();
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

  /** Its keys are sent as a digest, or were. */
  void usesDigest() {
    usesDigest = true;
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

  /** The digest of its keys. */
  long digest() {
    if (!hasDigest) {
      digest = operand.digest(from, count);
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
    int[] lens = operand.hasValues() ? call.lensOf(positions) : null;
    int keyCount = keys == KvProtocol.DIGEST ? 0 : count;
    long content =
        8L * keyCount
            + (lens == null ? 0 : 4L * count)
            + ValueCodec.bytes(pushed, call.type(), valueCount);
    boolean isInline = content <= KvProtocol.INLINE_BYTES;
    int flags = call.flags() | keys | (lens == null ? 0 : KvProtocol.LENS);
    KvProtocol.Head head =
        new KvProtocol.Head(
            flags | (isInline ? 0 : KvProtocol.BLOCKS),
            new KvProtocol.Origin(
                link.app(),
                link.customer(),
                call.options().command(),
                call.timestamp(),
                call.identity(),
                link.floor(),
                call.round()),
            new KvProtocol.Order(stream, number, after[0], after[1], after[2]),
            new KvProtocol.Content(
                call.type().code(), pushed, pulled, count, valueCount, keys == 0 ? 0 : digest()),
            link.state());
    ByteBuffer out = KvProtocol.allocate(KvProtocol.REQUEST_BYTES + (isInline ? (int) content : 0));
    head.write(out);
    if (!isInline) {
      return KvProtocol.message(out, blocks(keyCount, lens, pushed));
    }
    operand.putKeys(from, keyCount, out);
    for (int i = 0; lens != null && i < count; i++) {
      out.putInt(lens[from + i]);
    }
    if (valueCount > 0 && pushed == ValueCodec.EXACT) {
      operand.putValues(valueFrom, valueCount, out);
    } else if (valueCount > 0) {
      try (Block values = values(pushed)) {
        out.put(values.toArray());
      }
    }
    return KvProtocol.message(out, List.of());
  }

  private List<Block> blocks(int keyCount, int[] lens, int encoding) {
    List<Block> blocks = new ArrayList<>();
    if (keyCount > 0) {
      blocks.add(operand.keys(from, keyCount));
    }
    if (lens != null) {
      Block block = Block.allocate(4L * count);
      Memory.copy(lens, from, block.address(), count);
      blocks.add(block);
    }
    if (valueCount > 0) {
      blocks.add(values(encoding));
    }
    return blocks;
  }

  private Block values(int encoding) {
    Block exact = operand.values(valueFrom, valueCount);
    if (encoding == ValueCodec.EXACT) {
      return exact;
    }
    try (exact) {
      return ValueCodec.encode(encoding, call.type(), exact.address(), valueCount);
    }
  }

  // The outcome.

  @Override
  public Block memory(int status, Message head, int index, long length) {
    boolean isExact = status == KvProtocol.OK && PulledValues.isExact(head);
    Block given = isExact && call.has(KvProtocol.PULL) ? call.sink().memory(this) : null;
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
          try (PulledValues<A> values = PulledValues.read(reply, call.type())) {
            call.sink().accept(this, values);
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
