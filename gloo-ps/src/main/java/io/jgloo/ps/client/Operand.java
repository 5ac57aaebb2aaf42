package io.jgloo.ps.client;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.rpc.codec.Block;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;

/**
 * The keys of a call, and the values that it pushes.
 *
 * @param <A> type of arrays of values
 */
public abstract class Operand<A> {

  /** Number of keys. */
  public abstract int size();

  abstract long key(int index);

  abstract boolean hasValues();

  /** Number of values. */
  abstract int valueCount();

  /** Writes keys to the position of a buffer on the heap, which moves on. */
  abstract void putKeys(int from, int count, ByteBuffer out);

  /** Writes values to the position of a buffer on the heap, which moves on. */
  abstract void putValues(int from, int count, ByteBuffer out);

  abstract Block keys(int from, int count);

  abstract Block values(int from, int count);

  /**
   * @throws IllegalArgumentException if a key is not greater than the one before
   */
  void requireAscending() {
    for (int i = 1; i < size(); i++) {
      if (Long.compareUnsigned(key(i - 1), key(i)) >= 0) {
        throw new IllegalArgumentException(
            ("keys must be unsigned, ascending and unique, but key " + i + " is ")
                + (Long.toUnsignedString(key(i)) + " after " + Long.toUnsignedString(key(i - 1))));
      }
    }
  }

  /**
   * The digest of a range of keys: 64 bits that spread well, of which a worker has one space of its
   * own.
   */
  final long digest(int from, int count) {
    long digest = count * 0x9e3779b97f4a7c15L;
    for (int i = from; i < from + count; i++) {
      long key = Long.rotateLeft(key(i) * 0xc2b2ae3d27d4eb4fL, 31) * 0x9e3779b185ebca87L;
      digest = Long.rotateLeft(digest ^ key, 27) * 0x9e3779b185ebca87L + 0x85ebca77c2b2ae63L;
    }
    digest = (digest ^ digest >>> 33) * 0xc2b2ae3d27d4eb4fL;
    return digest ^ digest >>> 29;
  }

  /** Keys and values in arrays, which are copied when a request is made. */
  public static final class OfArrays<A> extends Operand<A> {
    private final ValueType<A> type;
    private final long[] keys;
    private final A values;

    /**
     * @param values null if none are pushed
     */
    public OfArrays(ValueType<A> type, long[] keys, A values) {
      this.type = type;
      this.keys = keys;
      this.values = values;
    }

    /** The values, or null. */
    A values() {
      return values;
    }

    @Override
    public int size() {
      return keys.length;
    }

    @Override
    long key(int index) {
      return keys[index];
    }

    @Override
    boolean hasValues() {
      return values != null;
    }

    @Override
    int valueCount() {
      return values == null ? 0 : type.length(values);
    }

    @Override
    void putKeys(int from, int count, ByteBuffer out) {
      out.asLongBuffer().put(keys, from, count);
      out.position(out.position() + 8 * count);
    }

    @Override
    void putValues(int from, int count, ByteBuffer out) {
      int bytes = type.bytes() * count;
      try (Block copy = values(from, count)) {
        Memory.copy(copy.address(), out.array(), out.arrayOffset() + out.position(), bytes);
      }
      out.position(out.position() + bytes);
    }

    @Override
    Block keys(int from, int count) {
      Block block = Block.allocate(8L * count);
      Memory.copy(keys, from, block.address(), count);
      return block;
    }

    @Override
    Block values(int from, int count) {
      Block block = Block.allocate((long) type.bytes() * count);
      type.put(values, from, count, block.address());
      return block;
    }
  }

  /** Keys and values in direct buffers, which are sent as they are. */
  static final class OfBuffers<A> extends Operand<A> {
    private final ValueType<A> type;
    private final ByteBuffer keys;
    private final ByteBuffer values;

    /**
     * @param values null if none are pushed
     */
    OfBuffers(ValueType<A> type, ByteBuffer keys, ByteBuffer values) {
      this.type = type;
      this.keys = keys;
      this.values = values;
    }

    private static long address(ByteBuffer buffer) {
      return Memory.addressOf(buffer) + buffer.position();
    }

    @Override
    public int size() {
      return keys.remaining() / 8;
    }

    @Override
    long key(int index) {
      return Memory.getLong(address(keys) + 8L * index);
    }

    @Override
    boolean hasValues() {
      return values != null;
    }

    @Override
    int valueCount() {
      return values == null ? 0 : values.remaining() / type.bytes();
    }

    @Override
    void putKeys(int from, int count, ByteBuffer out) {
      put(keys, 8 * from, 8 * count, out);
    }

    @Override
    void putValues(int from, int count, ByteBuffer out) {
      put(values, type.bytes() * from, type.bytes() * count, out);
    }

    private static void put(ByteBuffer source, int from, int bytes, ByteBuffer out) {
      Memory.copy(address(source) + from, out.array(), out.arrayOffset() + out.position(), bytes);
      out.position(out.position() + bytes);
    }

    @Override
    Block keys(int from, int count) {
      return Block.of(part(keys, 8 * from, 8 * count));
    }

    @Override
    Block values(int from, int count) {
      return Block.of(part(values, type.bytes() * from, type.bytes() * count));
    }

    private static ByteBuffer part(ByteBuffer source, int from, int bytes) {
      return source
          .duplicate()
          .position(source.position() + from)
          .limit(source.position() + from + bytes);
    }
  }
}
