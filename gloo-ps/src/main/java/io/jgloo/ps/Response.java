package io.jgloo.ps;

import io.jgloo.rpc.message.Block;
import io.jgloo.rpc.message.IncomingRequest;
import io.jgloo.rpc.message.Message;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The reply to a request, made of the parts of the shards that execute it.
 *
 * <p><i>Threads</i>: each part by any. <i>Owns</i>: the memory of the request, until the last part
 * has ended.
 */
final class Response {

  private static final int LONGEST_TEXT = 1024;

  private final IncomingRequest request;
  private final Block memory;
  private final KvProtocol.Head head;
  private final int valueBytes;
  private final long state;
  private final Runnable failed;
  private final Block[] values;
  private final int[][] lens;
  private final AtomicInteger left;
  private volatile Message error;

  /**
   * @param memory of the request; null if it is the message's
   * @param failed runs before an error is sent
   */
  Response(
      IncomingRequest request,
      Block memory,
      KvProtocol.Head head,
      int valueBytes,
      long state,
      int parts,
      Runnable failed) {
    this.request = request;
    this.memory = memory;
    this.head = head;
    this.valueBytes = valueBytes;
    this.state = state;
    this.failed = failed;
    values = new Block[parts];
    lens = new int[parts][];
    left = new AtomicInteger(parts);
  }

  void fail(int part, int code, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, LONGEST_TEXT);
    ByteBuffer out = KvProtocol.allocate(Integer.BYTES + length);
    out.putInt(code).put(bytes, 0, length);
    error = KvProtocol.message(out, List.of());
    end(part, null, null);
  }

  void end(int part, Block its, int[] itsLens) {
    values[part] = its;
    lens[part] = itsLens;
    if (left.decrementAndGet() == 0) {
      release();
      if (error == null) {
        request.reply(KvProtocol.OK, message());
      } else {
        closeValues();
        failed.run();
        request.reply(KvProtocol.ERROR, error);
      }
    }
  }

  private void release() {
    request.message().close();
    if (memory != null) {
      memory.close();
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
    int flags = hasLens ? KvProtocol.LENS : 0;
    if (bytes + 4L * lensCount > KvProtocol.INLINE_BYTES) {
      return withBlocks(flags | KvProtocol.BLOCKS, bytes, lensCount);
    }
    ByteBuffer out = head((int) (bytes + 4L * lensCount), flags, lensCount, bytes);
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

  private Message withBlocks(int flags, long bytes, int lensCount) {
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
    blocks.add(values.length == 1 ? values[0] : joined(bytes));
    return KvProtocol.message(head(0, flags, lensCount, bytes), blocks);
  }

  private Block joined(long bytes) {
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
  private ByteBuffer head(int room, int flags, int lensCount, long bytes) {
    return KvProtocol.allocate(KvProtocol.REPLY_BYTES + room)
        .putLong(state)
        .putInt(flags)
        .putInt(lensCount)
        .putLong(bytes / valueBytes);
  }
}
