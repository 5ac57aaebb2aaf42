package io.jgloo.ps.kv;

import io.jgloo.transport.memory.Memory;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keys in ascending unsigned order, and for each the values that are pushed, off the heap.
 *
 * <p>Valid until the request is answered. <i>Threads</i>: any, one at a time.
 */
public final class KvPairs<A> {

  private final ValueType<A> type;
  private final long keys;
  private final long values;
  private final int @Nullable [] offsets;
  private final int each;
  private final int first;
  private final int size;

  /**
   * @param keys address of the first key
   * @param values address of the first value of the first key; unused without values
   * @param offsets where the values of each key begin and the last ones end; null if each key has
   *     the same number
   * @param each number of values of a key, if offsets is null
   */
  public KvPairs(
      ValueType<A> type,
      long keys,
      long values,
      int @Nullable [] offsets,
      int each,
      int first,
      int size) {
    this.type = type;
    this.keys = keys;
    this.values = values;
    this.offsets = offsets;
    this.each = each;
    this.first = first;
    this.size = size;
  }

  /** The pairs of an index range. */
  public KvPairs<A> range(int from, int to) {
    return from == 0 && to == size
        ? this
        : new KvPairs<>(type, keys, values, offsets, each, first + from, to - from);
  }

  /** Number of keys. */
  public int size() {
    return size;
  }

  /** Type of the values. */
  public ValueType<A> type() {
    return type;
  }

  /** A key, unsigned. */
  public long key(int index) {
    return Memory.getLong(keys + 8L * (first + Objects.checkIndex(index, size)));
  }

  /** Address of the first key; the others follow. */
  public long keyAddress() {
    return keys + 8L * first;
  }

  /** Number of values of a key. */
  public int length(int index) {
    Objects.checkIndex(index, size);
    return offsets == null ? each : offsets[first + index + 1] - offsets[first + index];
  }

  /** Address of the first value of a key; the others, and those of the next keys, follow. */
  public long valueAddress(int index) {
    return values + type.bytes() * begin(Objects.checkIndex(index, size));
  }

  private long begin(int index) {
    return offsets == null ? (long) each * (first + index) : offsets[first + index];
  }

  /** Number of values of all keys. */
  public int valueCount() {
    return (int) (begin(size) - begin(0));
  }

  /** A copy of the keys. */
  public long[] keys() {
    long[] copy = new long[size];
    Memory.copy(keyAddress(), copy, 0, size);
    return copy;
  }

  /** A copy of the values. */
  public A values() {
    A copy = type.newArray(valueCount());
    if (valueCount() > 0) {
      type.get(valueAddress(0), copy, 0, valueCount());
    }
    return copy;
  }

  /** The index of the first key that is not below a bound. */
  public int lowerBound(long bound) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(key(middle), bound) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
