package io.jgloo.ps.client;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.wire.KvProtocol;
import io.jgloo.ps.wire.ValueCodec;
import io.jgloo.rpc.codec.Block;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The values of a reply, as they are at an address. */
final class PulledValues<A> implements AutoCloseable {

  private final ValueType<A> type;
  private final int count;
  private final int[] lens;
  private final long address;

  /** Memory that is not the reply's. */
  private final List<Block> own;

  private PulledValues(ValueType<A> type, int count, int[] lens, long address, List<Block> own) {
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
    boolean hasLens = (flags & KvProtocol.LENS) != 0;
    List<Block> own = new ArrayList<>(1);
    long[] at = null;
    if (ValueCodec.isValid(encoding, type)) {
      at =
          KvProtocol.parts(
              reply,
              KvProtocol.REPLY_BYTES,
              (flags & KvProtocol.BLOCKS) != 0,
              own,
              hasLens ? 4L * lensCount : 0,
              ValueCodec.bytes(encoding, type, count));
    }
    if (at == null) {
      throw new IllegalArgumentException("its parts do not have the lengths it says");
    }
    int[] lens = hasLens ? new int[lensCount] : null;
    if (hasLens) {
      Memory.copy(at[0], lens, 0, lensCount);
    }
    if (encoding != ValueCodec.EXACT) {
      Block exact = ValueCodec.decode(encoding, type, at[1], (int) count);
      own.add(exact);
      at[1] = exact.address();
    }
    return new PulledValues<>(type, (int) count, lens, at[1], own);
  }

  /** Whether a block of a reply is its values, as they are. */
  static boolean isExact(Message head) {
    return head.length() == KvProtocol.REPLY_BYTES
        && KvProtocol.buffer(head).getInt(KvProtocol.REPLY_FLAGS) == KvProtocol.BLOCKS;
  }

  @Override
  public void close() {
    own.forEach(Block::close);
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
