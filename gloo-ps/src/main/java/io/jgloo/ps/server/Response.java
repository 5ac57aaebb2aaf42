package io.jgloo.ps.server;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.ps.wire.ValueCodec;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
  private final Block[] values;
  private final int[][] lens;
  private final AtomicInteger left;
  private volatile Message error;

  /**
   * @param release gives the memory of the request back
   */
  public Response(
      Reply reply,
      Runnable release,
      KvProtocol.Head head,
      ValueType<?> type,
      long state,
      int parts) {
    this.reply = reply;
    this.release = release;
    this.head = head;
    this.type = type;
    this.state = state;
    values = new Block[parts];
    lens = new int[parts][];
    left = new AtomicInteger(parts);
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
    if (!head.has(KvProtocol.PULL)) {
      closeValues();
      return KvProtocol.message(head(0, 0, 0, 0), List.of());
    }
    long bytes = 0;
    int lensCount = 0;
    boolean hasLens = false;
    for (int part = 0; part < values.length; part++) {
      bytes += values[part] == null ? 0 : values[part].length();
      hasLens |= lens[part] != null;
      lensCount += lens[part] == null ? 0 : lens[part].length;
    }
    long count = bytes / type.bytes();
    int flags = hasLens ? KvProtocol.LENS : 0;
    int encoding = head.content().pulled();
    if (encoding != ValueCodec.EXACT && bytes > 0) {
      flags |= encoding << KvProtocol.ENCODING_SHIFT;
      bytes = encode(encoding, bytes);
    }
    if (bytes + 4L * lensCount > KvProtocol.INLINE_BYTES) {
      return withBlocks(flags | KvProtocol.BLOCKS, bytes, lensCount, count);
    }
    ByteBuffer out = head((int) (bytes + 4L * lensCount), flags, lensCount, count);
    for (int[] some : lens) {
      for (int i = 0; some != null && i < some.length; i++) {
        out.putInt(some[i]);
      }
    }
    for (Block block : values) {
      if (block != null) {
        Memory.copy(
            block.address(), out.array(), out.arrayOffset() + out.position(), (int) block.length());
        out.position(out.position() + (int) block.length());
      }
    }
    closeValues();
    return KvProtocol.message(out, List.of());
  }

  /** Replaces the values by encoded ones; returns their number of bytes. */
  private long encode(int encoding, long bytes) {
    try (Block all = joined(bytes)) {
      Block encoded =
          ValueCodec.encode(encoding, type, all.address(), (int) (bytes / type.bytes()));
      Arrays.fill(values, null);
      values[0] = encoded;
      return encoded.length();
    }
  }

  private Message withBlocks(int flags, long bytes, int lensCount, long count) {
    List<Block> blocks = new ArrayList<>();
    if (lensCount > 0) {
      Block block = Block.allocate(4L * lensCount);
      long at = block.address();
      for (int[] some : lens) {
        if (some != null) {
          Memory.copy(some, 0, at, some.length);
          at += 4L * some.length;
        }
      }
      blocks.add(block);
    }
    blocks.add(joined(bytes));
    return KvProtocol.message(head(0, flags, lensCount, count), blocks);
  }

  private Block joined(long bytes) {
    if (values[0] != null
        && Arrays.stream(values).allMatch(each -> each == null || each == values[0])) {
      return values[0];
    }
    Block all = Block.allocate(bytes);
    long at = all.address();
    for (Block block : values) {
      if (block != null) {
        Memory.copy(block.address(), at, block.length());
        at += block.length();
      }
    }
    closeValues();
    return all;
  }

  /** A buffer with the head written, and room for more bytes. */
  private ByteBuffer head(int room, int flags, int lensCount, long count) {
    return KvProtocol.allocate(KvProtocol.REPLY_BYTES + room)
        .putLong(state)
        .putInt(flags)
        .putInt(lensCount)
        .putLong(count);
  }
}
