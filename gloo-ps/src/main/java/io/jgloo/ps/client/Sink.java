package io.jgloo.ps.client;

import io.jgloo.ps.kv.KvResult;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.rpc.codec.Block;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Takes the values that a call pulls, piece by piece.
 *
 * <p><i>Threads</i>: the one that runs the messenger's events.
 */
public interface Sink<A> {

  /**
   * Takes the values of a piece.
   *
   * @throws IllegalArgumentException if there are more or fewer than expected
   */
  void accept(Piece<A> piece, PulledValues<A> values);

  /**
   * Memory for the values of a piece, into which they are received.
   *
   * @return null if there is none; then {@link #accept} copies them
   */
  default Block memory(Piece<A> piece) {
    return null;
  }

  /** Number of values that are expected for some keys. */
  long expected(int keys);

  /** Into an array or a direct buffer, as many for each key as it says. */
  final class ToRoom<A> implements Sink<A> {
    private final A array;
    private final ByteBuffer buffer;
    private final int valueBytes;
    private final int keys;

    /** Where the values of each key begin and the last ones end; null if all have as many. */
    private final int[] begins;

    private final int each;

    /**
     * @param array null if the room is a buffer
     * @param lens null if all keys have the same number
     * @param each that number
     */
    ToRoom(A array, ByteBuffer buffer, int valueBytes, int keys, int[] lens, int each) {
      this.array = array;
      this.buffer = buffer;
      this.valueBytes = valueBytes;
      this.keys = keys;
      this.begins = lens == null ? null : begins(lens);
      this.each = each;
    }

    private int begin(int key) {
      return begins == null ? each * key : begins[key];
    }

    @Override
    public void accept(Piece<A> piece, PulledValues<A> values) {
      int count = piece.count();
      int[] lens = values.lens();
      boolean isUniform = lens == null && begins == null && piece.isContiguous();
      int from = isUniform ? each * count : 0;
      for (int i = 0; i < count && !isUniform; i++) {
        int at = begin(piece.position(i));
        int room = begin(piece.position(i) + 1) - at;
        int length = lens == null ? values.count() / count : i < lens.length ? lens[i] : -1;
        if (length != room) {
          throw new IllegalArgumentException(
              ("key " + piece.position(i) + " of the call has " + length + " values, but there is")
                  + (" room for " + room));
        }
        if (!piece.isContiguous()) {
          values.copy(from, length, array, at);
        }
        from += length;
      }
      if (from != values.count()) {
        throw new IllegalArgumentException(
            count + " keys have " + values.count() + " values, but there is room for " + from);
      }
      if (piece.isContiguous() && from > 0) {
        if (buffer == null) {
          values.copy(0, from, array, begin(piece.position(0)));
        } else {
          values.copy(memory(piece).address());
        }
      }
    }

    @Override
    public Block memory(Piece<A> piece) {
      if (buffer == null) {
        return null;
      }
      int from = begin(piece.position(0));
      int count = begin(piece.position(0) + piece.count()) - from;
      return Block.of(buffer.slice(buffer.position() + from * valueBytes, count * valueBytes));
    }

    /** The same share for all keys, rounded up. */
    @Override
    public long expected(int some) {
      return keys == 0 ? 0 : ((long) begin(keys) * some + keys - 1) / keys;
    }
  }

  /** Where the values of each key begin, and the last ones end. */
  private static int[] begins(int[] lens) {
    int[] begins = new int[lens.length + 1];
    for (int i = 0; i < lens.length; i++) {
      begins[i + 1] = begins[i] + lens[i];
    }
    return begins;
  }

  /**
   * Into one array, any number for each key. All keys are expected to have as many values as those
   * of the first piece: a piece with other numbers has an array of its own until the end.
   */
  final class ToResult<A> implements Sink<A> {
    private final ValueType<A> type;
    private final int[] lens;
    private final Map<Piece<A>, A> others = new HashMap<>();
    private A all;
    private int each;

    public ToResult(ValueType<A> type, int keys) {
      this.type = type;
      lens = new int[keys];
    }

    @Override
    public void accept(Piece<A> piece, PulledValues<A> pulled) {
      int count = piece.count();
      int length = count == 0 ? 0 : pulled.count() / count;
      int[] its = pulled.lens();
      boolean isUniform = its == null;
      if (isUniform) {
        its = new int[count];
        Arrays.fill(its, length);
      }
      if (its.length != count || pulled.count() != Arrays.stream(its).asLongStream().sum()) {
        throw new IllegalArgumentException(
            ("its " + pulled.count() + " values and " + its.length + " lens do not fit " + count)
                + " keys");
      }
      for (int i = 0; i < count; i++) {
        lens[piece.position(i)] = its[i];
      }
      if (isUniform && all == null) {
        long total = (long) length * lens.length;
        if (total > Integer.MAX_VALUE) {
          throw new IllegalArgumentException(
              lens.length + " keys have " + total + " values, more than an array holds");
        }
        all = type.newArray((int) total);
        each = length;
      }
      if (isUniform && each == length) {
        new ToRoom<>(all, null, type.bytes(), lens.length, null, each).accept(piece, pulled);
      } else {
        A array = type.newArray(pulled.count());
        pulled.copy(0, pulled.count(), array, 0);
        others.put(piece, array);
      }
    }

    @Override
    public long expected(int keys) {
      return keys;
    }

    /** All values, when the call has ended. */
    public KvResult<A> result() {
      if (others.isEmpty()) {
        return new KvResult<>(all == null ? type.newArray(0) : all, lens);
      }
      int[] begins = begins(lens);
      A values = type.newArray(begins[lens.length]);
      for (int i = 0; i < lens.length && all != null; i++) { // those of others come after
        if (lens[i] == each) {
          System.arraycopy(all, i * each, values, begins[i], lens[i]);
        }
      }
      others.forEach(
          (piece, array) -> {
            int from = 0;
            for (int i = 0; i < piece.count(); i++) {
              int at = piece.position(i);
              System.arraycopy(array, from, values, begins[at], lens[at]);
              from += lens[at];
            }
          });
      return new KvResult<>(values, lens);
    }
  }
}
