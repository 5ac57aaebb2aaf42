package io.jgloo.ps.client;

import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.store.VariableValueStore;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.memory.Memory;
import java.util.Arrays;

/**
 * Chooses the keys of a push whose values are greatest, and keeps the values of the others for
 * later pushes.
 *
 * <p>What is kept of a key is added to its values at the next push; of the sums, the keys with the
 * greatest norms are sent, and the rounded rest is kept. Nothing that is pushed gets lost, it comes
 * later.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: what it keeps, 20 bytes and 8 for each value by key.
 */
public final class TopKeys<A> implements AutoCloseable {

  /** What is sent. */
  public static final class Selection<A> {
    private final long[] keys;
    private final A values;
    private final int[] lens;

    Selection(long[] keys, A values, int[] lens) {
      this.keys = keys;
      this.values = values;
      this.lens = lens;
    }

    public long[] keys() {
      return keys;
    }

    public A values() {
      return values;
    }

    /** Number of values of each key; null if it is the same for all. */
    public int[] lens() {
      return lens;
    }
  }

  private final ValueType<A> type;
  private final double share;
  private final VariableValueStore kept = new VariableValueStore(0);
  private boolean closed;

  /**
   * @param share of the keys that is sent, at least one key
   */
  public TopKeys(ValueType<A> type, double share) {
    this.type = type;
    this.share = share;
  }

  /**
   * Chooses keys.
   *
   * @param lens number of values of each key; null if it is the same for all
   */
  public synchronized Selection<A> select(long[] keys, A values, int[] lens) {
    if (closed) {
      throw new ClosedException("the node is closed");
    }
    if (keys.length == 0) {
      return new Selection<>(keys, values, lens);
    }
    int each = type.length(values) / keys.length;
    double[] norms = new double[keys.length];
    int at = 0;
    for (int i = 0; i < keys.length; i++) {
      int length = lens == null ? each : lens[i];
      long rest = kept.findOrAdd(keys[i], Double.BYTES * length);
      for (int j = 0; j < length; j++) {
        double sum = Memory.getDouble(rest + 8L * j) + get(values, at++);
        Memory.putDouble(rest + 8L * j, sum);
        norms[i] += sum * sum;
      }
    }
    int[] chosen = greatest(norms, (int) Math.max(1, Math.round(share * keys.length)));
    return take(keys, lens, each, chosen);
  }

  /** Indices of the greatest numbers, ascending; NaN is greater than all. */
  private static int[] greatest(double[] norms, int count) {
    double[] sorted = norms.clone();
    Arrays.sort(sorted);
    double least = sorted[sorted.length - count];
    int equal = count;
    for (double norm : norms) {
      equal -= Double.compare(norm, least) > 0 ? 1 : 0;
    }
    int[] chosen = new int[count];
    int at = 0;
    for (int i = 0; i < norms.length; i++) {
      int compared = Double.compare(norms[i], least);
      if (compared > 0 || (compared == 0 && equal-- > 0)) {
        chosen[at++] = i;
      }
    }
    return chosen;
  }

  private Selection<A> take(long[] keys, int[] lens, int each, int[] chosen) {
    long[] itsKeys = new long[chosen.length];
    int[] itsLens = lens == null ? null : new int[chosen.length];
    int total = 0;
    for (int i = 0; i < chosen.length; i++) {
      itsKeys[i] = keys[chosen[i]];
      total += lens == null ? each : lens[chosen[i]];
      if (lens != null) {
        itsLens[i] = lens[chosen[i]];
      }
    }
    A values = type.newArray(total);
    int at = 0;
    for (int i = 0; i < chosen.length; i++) {
      int length = lens == null ? each : itsLens[i];
      long rest = kept.find(itsKeys[i]);
      for (int j = 0; j < length; j++) {
        double sum = Memory.getDouble(rest + 8L * j);
        double sent = set(values, at++, sum);
        boolean isFinite = Math.abs(sent) <= Double.MAX_VALUE;
        Memory.putDouble(rest + 8L * j, isFinite ? sum - sent : 0);
      }
    }
    return new Selection<>(itsKeys, values, itsLens);
  }

  private double get(A values, int index) {
    return values instanceof float[] floats ? floats[index] : ((double[]) values)[index];
  }

  /** Sets a value; returns it as it was rounded. */
  private double set(A values, int index, double value) {
    if (values instanceof float[] floats) {
      floats[index] = (float) value;
      return floats[index];
    }
    ((double[]) values)[index] = value;
    return value;
  }

  @Override
  public synchronized void close() {
    closed = true;
    kept.close();
  }
}
