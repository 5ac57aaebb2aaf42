package io.jgloo.ps.server;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.ps.wire.Part;
import io.jgloo.ps.wire.ValueCodec;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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

  void end(int part, Block block, int[] blockLens) {
    values[part] = block;
    lens[part] = blockLens;
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
}
