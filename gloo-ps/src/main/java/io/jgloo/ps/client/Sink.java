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

  private static void require(int count, int actual, long expected) {
    if (actual != expected) {
      throw new IllegalArgumentException(
          count + " keys have " + actual + " values, but there is room for " + expected);
    }
  }

  /** Into an array, the same number for each key. */
  record ToArray<A>(A target, int each) implements Sink<A> {
    @Override
    public void accept(Piece<A> piece, PulledValues<A> values) {
      require(piece.count(), values.count(), expected(piece.count()));
      if (piece.isContiguous()) {
        values.copy(0, values.count(), target, piece.position(0) * each);
      } else {
        for (int i = 0; i < piece.count(); i++) {
          values.copy(i * each, each, target, piece.position(i) * each);
        }
      }
    }

    @Override
    public long expected(int keys) {
      return (long) each * keys;
    }
  }

  /** Into an array, as many for each key as it says. */
  final class ToLens<A> implements Sink<A> {
    private final A target;
    private final int[] lens;

    /** Where the values of each key begin and the last ones end. */
    private final int[] begins;

    ToLens(A target, int[] lens) {
      this.target = target;
      this.lens = lens;
      begins = begins(lens);
    }

    @Override
    public void accept(Piece<A> piece, PulledValues<A> values) {
      int[] its = values.lens();
      int from = 0;
      for (int i = 0; i < piece.count(); i++) {
        int length = lens[piece.position(i)];
        if (its == null ? values.count() != (long) length * piece.count() : its[i] != length) {
          throw new IllegalArgumentException(
              ("key " + piece.position(i) + " of the call has " + (its == null ? "" : its[i] + " "))
                  + ("values, but there is room for " + length));
        }
        if (!piece.isContiguous()) {
          values.copy(from, length, target, begins[piece.position(i)]);
        }
        from += length;
      }
      if (piece.isContiguous() && from > 0) {
        values.copy(0, from, target, begins[piece.position(0)]);
      }
    }

    @Override
    public long expected(int keys) {
      return average(begins, keys);
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

  /** Number of values of some keys if all have as many, rounded up. */
  private static long average(int[] begins, int keys) {
    int all = begins.length - 1;
    return all == 0 ? 0 : ((long) begins[all] * keys + all - 1) / all;
  }

  /** Into a direct buffer, as many for each key as it says. */
  final class ToBuffer<A> implements Sink<A> {
    private final ByteBuffer target;
    private final int[] begins;
    private final int valueBytes;

    ToBuffer(ByteBuffer target, int[] lens, int valueBytes) {
      this.target = target;
      this.valueBytes = valueBytes;
      begins = begins(lens);
    }

    private int values(Piece<A> piece) {
      return begins[piece.position(0) + piece.count()] - begins[piece.position(0)];
    }

    @Override
    public void accept(Piece<A> piece, PulledValues<A> values) {
      if (piece.count() > 0) {
        require(piece.count(), values.count(), values(piece));
        int[] lens = values.lens();
        for (int i = 0; lens != null && i < lens.length; i++) {
          int at = piece.position(i);
          require(1, lens[i], begins[at + 1] - begins[at]);
        }
        values.copy(memory(piece).address());
      }
    }

    @Override
    public Block memory(Piece<A> piece) {
      int from = begins[piece.position(0)] * valueBytes;
      return Block.of(target.slice(target.position() + from, values(piece) * valueBytes));
    }

    @Override
    public long expected(int keys) {
      return average(begins, keys);
    }
  }

  /**
   * Into one array, any number for each key. All keys are expected to have as many values as those
   * of the first piece: a piece with other numbers has an array of its own until the end.
   */
  final class ToResult<A> implements Sink<A> {
    private final ValueType<A> type;
    private final int[] lens;
    private final Map<Piece<A>, A> others = new HashMap<>();
    private ToArray<A> all;

    public ToResult(ValueType<A> type, int keys) {
      this.type = type;
      lens = new int[keys];
    }

    @Override
    public void accept(Piece<A> piece, PulledValues<A> pulled) {
      int[] its = pulled.lens();
      int each = piece.count() == 0 ? 0 : pulled.count() / piece.count();
      if (its == null) {
        its = new int[piece.count()];
        Arrays.fill(its, each);
      }
      require(piece.count(), pulled.count(), Arrays.stream(its).asLongStream().sum());
      if (its.length != piece.count()) {
        throw new IllegalArgumentException(its.length + " lens for " + piece.count() + " keys");
      }
      for (int i = 0; i < its.length; i++) {
        lens[piece.position(i)] = its[i];
      }
      boolean isUniform = pulled.lens() == null;
      if (isUniform && all == null) {
        long total = (long) each * lens.length;
        if (total > Integer.MAX_VALUE) {
          throw new IllegalArgumentException(
              lens.length + " keys have " + total + " values, more than an array holds");
        }
        all = new ToArray<>(type.newArray((int) total), each);
      }
      if (isUniform && all.each() == each) {
        all.accept(piece, pulled);
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
        return new KvResult<>(all == null ? type.newArray(0) : all.target(), lens);
      }
      int[] begins = begins(lens);
      A values = type.newArray(begins[lens.length]);
      for (int i = 0; i < lens.length && all != null; i++) { // those of others come after
        if (lens[i] == all.each()) {
          System.arraycopy(all.target(), i * all.each(), values, begins[i], lens[i]);
        }
      }
      others.forEach((piece, array) -> copy(piece, array, values, begins));
      return new KvResult<>(values, lens);
    }

    private void copy(Piece<A> piece, A array, A values, int[] begins) {
      int from = 0;
      for (int i = 0; i < piece.count(); i++) {
        int at = piece.position(i);
        System.arraycopy(array, from, values, begins[at], lens[at]);
        from += lens[at];
      }
    }
  }
}
