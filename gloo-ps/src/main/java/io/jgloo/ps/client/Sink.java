package io.jgloo.ps.client;

import io.jgloo.ps.kv.KvResult;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.rpc.codec.Block;
import java.nio.ByteBuffer;
import java.util.Arrays;

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
      begins = new int[lens.length + 1];
      for (int i = 0; i < lens.length; i++) {
        begins[i + 1] = begins[i] + lens[i];
      }
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
      long all = begins[lens.length];
      return lens.length == 0 ? 0 : (all * keys + lens.length - 1) / lens.length;
    }
  }

  /** Into a direct buffer, the same number for each key. */
  record ToBuffer<A>(ByteBuffer target, int each, int valueBytes) implements Sink<A> {
    @Override
    public void accept(Piece<A> piece, PulledValues<A> values) {
      require(piece.count(), values.count(), expected(piece.count()));
      values.copy(memory(piece).address());
    }

    @Override
    public Block memory(Piece<A> piece) {
      int bytes = each * valueBytes;
      return Block.of(
          target.slice(target.position() + piece.position(0) * bytes, piece.count() * bytes));
    }

    @Override
    public long expected(int keys) {
      return (long) each * keys;
    }
  }

  /** Into arrays of their own, any number for each key. */
  final class ToResult<A> implements Sink<A> {
    private final ValueType<A> type;
    private final int[] lens;
    private final Object[] values;

    public ToResult(ValueType<A> type, int keys) {
      this.type = type;
      lens = new int[keys];
      values = new Object[keys];
    }

    @Override
    public void accept(Piece<A> piece, PulledValues<A> pulled) {
      int[] its = pulled.lens();
      if (its == null) {
        its = new int[piece.count()];
        Arrays.fill(its, piece.count() == 0 ? 0 : pulled.count() / piece.count());
      }
      require(piece.count(), pulled.count(), Arrays.stream(its).asLongStream().sum());
      if (its.length != piece.count()) {
        throw new IllegalArgumentException(its.length + " lens for " + piece.count() + " keys");
      }
      int from = 0;
      for (int i = 0; i < its.length; i++) {
        A array = type.newArray(its[i]);
        pulled.copy(from, its[i], array, 0);
        values[piece.position(i)] = array;
        lens[piece.position(i)] = its[i];
        from += its[i];
      }
    }

    @Override
    public long expected(int keys) {
      return keys;
    }

    /** All values, when the call has ended. */
    public KvResult<A> result() {
      A all = type.newArray(Arrays.stream(lens).sum());
      int at = 0;
      for (int i = 0; i < lens.length; i++) {
        System.arraycopy(values[i], 0, all, at, lens[i]);
        at += lens[i];
      }
      return new KvResult<>(all, lens);
    }
  }
}
