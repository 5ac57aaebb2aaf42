package io.jgloo.ps.client;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.ps.wire.ValueCodec;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.util.List;

/** The values of a reply, as they are at an address. */
final class PulledValues<A> implements AutoCloseable {

  private final ValueType<A> type;
  private final int count;
  private final int[] lens;
  private final long address;

  /** Memory of the values that is not the reply's, or null. */
  private final Block own;

  private PulledValues(ValueType<A> type, int count, int[] lens, long address, Block own) {
    this.type = type;
    this.count = count;
    this.lens = lens;
    this.address = address;
    this.own = own;
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
    int encoding = flags >>> KvProtocol.ENCODING_SHIFT;
    require(ValueCodec.isValid(encoding, type));
    long bytes = ValueCodec.bytes(encoding, type, count);
    int[] lens = (flags & KvProtocol.LENS) == 0 ? null : new int[lensCount];
    Block own = null;
    long address;
    if ((flags & KvProtocol.BLOCKS) != 0) {
      List<Block> blocks = reply.blocks();
      require(blocks.size() == (lens == null ? 1 : 2));
      Block values = blocks.get(blocks.size() - 1);
      require(values.length() == bytes);
      address = values.address();
      if (lens != null) {
        require(blocks.get(0).length() == 4L * lensCount);
        Memory.copy(blocks.get(0).address(), lens, 0, lensCount);
      }
    } else {
      require(in.remaining() == 4L * lensCount + bytes);
      if (lens != null) {
        in.asIntBuffer().get(lens);
        in.position(in.position() + 4 * lensCount);
      }
      own = Block.allocate(bytes);
      address = own.address();
      Memory.copy(in.array(), in.arrayOffset() + in.position(), address, (int) bytes);
    }
    if (encoding != ValueCodec.EXACT) {
      Block encoded = own;
      own = ValueCodec.decode(encoding, type, address, (int) count);
      address = own.address();
      if (encoded != null) {
        encoded.close();
      }
    }
    return new PulledValues<>(type, (int) count, lens, address, own);
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
    if (own != null) {
      own.close();
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
    type.get(address + (long) from * type.bytes(), target, at, length);
  }

  /** Copies all values to memory, unless they are there. */
  void copy(long target) {
    if (target != address) {
      Memory.copy(address, target, (long) count * type.bytes());
    }
  }
}
