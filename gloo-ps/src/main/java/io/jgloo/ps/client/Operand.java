package io.jgloo.ps.client;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.wire.Part;
import io.jgloo.rpc.codec.Block;
import io.jgloo.transport.memory.Memory;
import java.nio.ByteBuffer;

/**
 * The keys of a call, and the values that it pushes: in arrays, which are copied when a request is
 * made, or in direct buffers, which are sent as they are.
 *
 * @param <A> type of arrays of values
 */
public final class Operand<A> {

  private final ValueType<A> type;
  private final long[] keys;
  private final A values;
  private final ByteBuffer keyBuffer;
  private final ByteBuffer valueBuffer;

  private Operand(
      ValueType<A> type, long[] keys, A values, ByteBuffer keyBuffer, ByteBuffer valueBuffer) {
    this.type = type;
    this.keys = keys;
    this.values = values;
    this.keyBuffer = keyBuffer;
    this.valueBuffer = valueBuffer;
  }

  /** Keys, with values unless they are null. */
  static <A> Operand<A> of(ValueType<A> type, long[] keys, A values) {
    return new Operand<>(type, keys, values, null, null);
  }

  /** Keys in a direct buffer, with values unless they are null. */
  static <A> Operand<A> of(ValueType<A> type, ByteBuffer keys, ByteBuffer values) {
    return new Operand<>(type, null, null, keys, values);
  }

  /** Number of keys. */
  public int size() {
    return keys != null ? keys.length : keyBuffer.remaining() / 8;
  }

  long key(int index) {
    return keys != null
        ? keys[index]
        : Memory.getLong(Memory.addressOf(keyBuffer) + keyBuffer.position() + 8L * index);
  }

  boolean hasValues() {
    return values != null || valueBuffer != null;
  }

  /** Number of values. */
  int valueCount() {
    return values != null
        ? type.length(values)
        : valueBuffer != null ? valueBuffer.remaining() / type.bytes() : 0;
  }

  Part keys(int from, int count) {
    return keys != null ? Part.of(keys, from, count) : part(keyBuffer, 8, from, count);
  }

  Part values(int from, int count) {
    if (values == null) {
      return part(valueBuffer, type.bytes(), from, count);
    }
    Block block = Block.allocate((long) type.bytes() * count);
    type.put(values, from, count, block.address());
    return Part.of(block);
  }

  private static Part part(ByteBuffer source, int bytes, int from, int count) {
    return Part.of(Block.of(source.slice(source.position() + bytes * from, bytes * count)));
  }

  /**
   * Chooses keys that are in arrays, with their values.
   *
   * @param begins where the values of each key begin and the last ones end
   */
  Operand<A> gather(int[] begins, int[] positions) {
    long[] some = new long[positions.length];
    int total = 0;
    for (int i = 0; i < some.length; i++) {
      some[i] = keys[positions[i]];
      total += begins[positions[i] + 1] - begins[positions[i]];
    }
    if (values == null) {
      return of(type, some, null);
    }
    A its = type.newArray(total);
    int at = 0;
    for (int position : positions) {
      int length = begins[position + 1] - begins[position];
      System.arraycopy(values, begins[position], its, at, length);
      at += length;
    }
    return of(type, some, its);
  }

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
  long digest(int from, int count) {
    long digest = count * 0x9e3779b97f4a7c15L;
    for (int i = from; i < from + count; i++) {
      long key = Long.rotateLeft(key(i) * 0xc2b2ae3d27d4eb4fL, 31) * 0x9e3779b185ebca87L;
      digest = Long.rotateLeft(digest ^ key, 27) * 0x9e3779b185ebca87L + 0x85ebca77c2b2ae63L;
    }
    digest = (digest ^ digest >>> 33) * 0xc2b2ae3d27d4eb4fL;
    return digest ^ digest >>> 29;
  }
}
