package io.jgloo.ps.server;

import io.jgloo.ps.handle.Responder;
import io.jgloo.ps.kv.ServerErrorException;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.ps.wire.Part;
import io.jgloo.ps.wire.ValueCodec;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.memory.Memory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The reply to a request, made of the parts of the shards that execute it.
 *
 * <p><i>Threads</i>: each part by any. <i>Owns</i>: the memory of the request, until the last part
 * has ended.
 */
public final class Response {

  private static final int LONGEST_TEXT = 1024;

  /** Takes the reply. */
  public interface Reply {
    /**
     * @param message belongs to the taker
     */
    void reply(int status, Message message);
  }

  private final Reply reply;
  private final Runnable release;
  private final KvProtocol.Head head;
  private final ValueType<?> type;
  private final long state;
  private final AtomicInteger left = new AtomicInteger();
  private Block[] values = {};
  private int[][] lens = {};
  private volatile Message error;

  /**
   * @param release gives the memory of the request back
   */
  public Response(
      Reply reply, Runnable release, KvProtocol.Head head, ValueType<?> type, long state) {
    this.reply = reply;
    this.release = release;
    this.head = head;
    this.type = type;
    this.state = state;
  }

  /** Says how many parts it has, before the first one. */
  public Response expect(int parts) {
    values = new Block[parts];
    lens = new int[parts][];
    left.set(parts);
    return this;
  }

  public void fail(int part, int code, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, LONGEST_TEXT);
    ByteBuffer out = KvProtocol.allocate(Integer.BYTES + length);
    out.putInt(code).put(bytes, 0, length);
    error = KvProtocol.message(out, List.of());
    end(part, null, null);
  }

  /** The last part, which has no values, has ended. */
  public void end() {
    end(values.length - 1, null, null);
  }

  void end(int part, Block its, int[] itsLens) {
    values[part] = its;
    lens[part] = itsLens;
    if (left.decrementAndGet() == 0) {
      release.run();
      if (error == null) {
        reply.reply(KvProtocol.OK, message());
      } else {
        closeValues();
        reply.reply(KvProtocol.ERROR, error);
      }
    }
  }

  private void closeValues() {
    for (Block block : values) {
      if (block != null) {
        block.close();
      }
    }
  }

  private Message message() {
    ByteBuffer out =
        KvProtocol.allocate(KvProtocol.REPLY_BYTES + KvProtocol.SHORT_BYTES).putLong(state);
    if (!head.has(KvProtocol.PULL)) {
      closeValues();
      return KvProtocol.message(out.putInt(0).putInt(0).putLong(0), List.of());
    }
    int[] all = lens();
    Block its = joined();
    long count = its.length() / type.bytes();
    int flags = all == null ? 0 : KvProtocol.LENS;
    int encoding = head.content().pulled();
    if (encoding != ValueCodec.EXACT && count > 0) {
      flags |= encoding << KvProtocol.ENCODING_SHIFT;
      try (Block exact = its) {
        its = ValueCodec.encode(encoding, type, exact.address(), (int) count);
      }
    }
    int lensCount = all == null ? 0 : all.length;
    out.putInt(flags).putInt(lensCount).putLong(count);
    Part lensPart = KvProtocol.lens(all, 0, lensCount);
    return KvProtocol.message(out, KvProtocol.REPLY_FLAGS, lensPart, Part.of(its));
  }

  /** The lens of all parts; null if none has some. */
  private int[] lens() {
    if (lens.length == 1) {
      return lens[0];
    }
    List<int[]> some = Arrays.stream(lens).filter(Objects::nonNull).toList();
    return some.isEmpty() ? null : some.stream().flatMapToInt(Arrays::stream).toArray();
  }

  /** The values of all parts. */
  private Block joined() {
    if (values.length == 1 && values[0] != null) {
      return values[0];
    }
    List<Block> some = Arrays.stream(values).filter(Objects::nonNull).toList();
    Block all = Block.allocate(some.stream().mapToLong(Block::length).sum());
    long at = all.address();
    for (Block block : some) {
      Memory.copy(block.address(), at, block.length());
      at += block.length();
      block.close();
    }
    return all;
  }

  /** Answers what of a request belongs to one shard: adds a part to the response. */
  static final class ShardPart<A> implements Responder<A> {

    private static final Logger LOG = System.getLogger(Response.class.getName());

    private final Response response;
    private final int part;
    private final ValueType<A> type;
    private final AtomicBoolean done = new AtomicBoolean();

    /** Null, or where the change of the request is known. */
    private AppliedPushes applied;

    private AppliedPushes.Push push;

    ShardPart(Response response, int part, ValueType<A> type) {
      this.response = response;
      this.part = part;
      this.type = type;
    }

    /** The request makes a change, which ends with the answer. */
    void changes(AppliedPushes its, AppliedPushes.Push change) {
      applied = its;
      push = change;
    }

    private boolean isFirst(String error) {
      boolean isFirst = done.compareAndSet(false, true);
      if (isFirst && push != null) {
        applied.end(push, error);
      }
      return isFirst;
    }

    private void once(String error) {
      if (!isFirst(error)) {
        throw new IllegalStateException("the request is answered already");
      }
    }

    @Override
    public void ok() {
      once(null);
      response.end(part, null, null);
    }

    @Override
    public void ok(A values) {
      ok(values, null);
    }

    @Override
    public void ok(A values, int[] lens) {
      int count = type.length(values);
      Block block = Block.allocate((long) count * type.bytes());
      type.put(values, 0, count, block.address());
      ok(block, lens == null ? null : lens.clone());
    }

    @Override
    public void ok(Block values, int[] lens) {
      once(null);
      response.end(part, values, lens);
    }

    @Override
    public void error(int code, String message) {
      once(message);
      response.fail(part, code, message);
    }

    /** Answers with an error, unless it is answered. */
    void failed(Throwable cause, String application) {
      LOG.log(Level.WARNING, "the handle of " + application + " failed", cause);
      String text = "the handle failed: " + cause;
      if (isFirst(text)) {
        response.fail(part, ServerErrorException.HANDLE_FAILED, text);
      }
    }
  }
}
