package io.jgloo.ps.client;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.ps.wire.ValueCodec;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.util.List;

/** The values of a reply, in its bytes or in a block. */
final class PulledValues<A> implements AutoCloseable {

  private final ValueType<A> type;
  private final int count;
  private final int[] lens;
  private final ByteBuffer inline;
  private final Block block;

  /** Memory of the block that is not the reply's, or null. */
  private final Block decoded;

  private PulledValues(
      ValueType<A> type, int count, int[] lens, ByteBuffer inline, Block block, Block decoded) {
    this.type = type;
    this.count = count;
    this.lens = lens;
    this.inline = inline;
    this.block = block;
    this.decoded = decoded;
  }

  /**
   * Reads a reply.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static <A> PulledValues<A> read(Message reply, ValueType<A> type) {
    ByteBuffer in = KvProtocol.buffer(reply);
    in.getLong();
    int flags = in.getInt();
    int lensCount = in.getInt();
    long count = in.getLong();
    if (count < 0 || count > Integer.MAX_VALUE || lensCount < 0) {
      throw new IllegalArgumentException("a reply of " + count + " values");
    }
    boolean hasBlocks = (flags & KvProtocol.BLOCKS) != 0;
    int encoding = flags >>> KvProtocol.ENCODING_SHIFT;
    require(ValueCodec.isValid(encoding, type));
    long bytes = ValueCodec.bytes(encoding, type, count);
    List<Block> blocks = reply.blocks();
    int[] lens = null;
    Block block = null;
    if (hasBlocks) {
      block = blocks.get(blocks.size() - 1);
      if ((flags & KvProtocol.LENS) != 0) {
        Block first = blocks.get(0);
        require(blocks.size() == 2 && first.length() == 4L * lensCount);
        lens = new int[lensCount];
        Memory.copy(first.address(), lens, 0, lensCount);
      }
      require(block.length() == bytes);
    } else {
      require(in.remaining() == 4L * lensCount + bytes);
      if ((flags & KvProtocol.LENS) != 0) {
        lens = new int[lensCount];
        in.asIntBuffer().get(lens);
        in.position(in.position() + 4 * lensCount);
      }
    }
    if (encoding == ValueCodec.EXACT) {
      return new PulledValues<>(type, (int) count, lens, in, block, null);
    }
    if (block != null) {
      Block exact = ValueCodec.decode(encoding, type, block.address(), (int) count);
      return new PulledValues<>(type, (int) count, lens, null, exact, exact);
    }
    try (Block copy = Block.allocate(bytes)) {
      Memory.copy(in.array(), in.arrayOffset() + in.position(), copy.address(), (int) bytes);
      Block exact = ValueCodec.decode(encoding, type, copy.address(), (int) count);
      return new PulledValues<>(type, (int) count, lens, null, exact, exact);
    }
  }

  /** Whether a block of a reply is its values, as they are. */
  static boolean isExact(Message head) {
    return head.length() == KvProtocol.REPLY_BYTES
        && KvProtocol.buffer(head).getInt(Long.BYTES) == KvProtocol.BLOCKS;
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new IllegalArgumentException("its parts do not have the lengths it says");
    }
  }

  @Override
  public void close() {
    if (decoded != null) {
      decoded.close();
    }
  }

  int count() {
    return count;
  }

  /** Number of values of each key, or null if all have the same. */
  int[] lens() {
    return lens;
  }

  /** Copies values to an array. */
  void copy(int from, int length, A target, int at) {
    if (block != null) {
      type.get(block.address() + (long) from * type.bytes(), target, at, length);
    } else {
      int bytes = length * type.bytes();
      int begin = inline.arrayOffset() + inline.position() + from * type.bytes();
      try (Block copy = Block.allocate(bytes)) {
        Memory.copy(inline.array(), begin, copy.address(), bytes);
        type.get(copy.address(), target, at, length);
      }
    }
  }

  /** Copies all values to memory, unless they are there. */
  void copy(long address) {
    if (block != null && block.address() != address) {
      Memory.copy(block.address(), address, block.length());
    } else if (block == null) {
      Memory.copy(
          inline.array(), inline.arrayOffset() + inline.position(), address, count * type.bytes());
    }
  }
}
