package io.jgloo.ps.kv;

/**
 * Values that were pulled.
 *
 * @param <A> type of arrays of values
 */
public final class KvResult<A> {

  private final A values;
  private final int[] lens;

  public KvResult(A values, int[] lens) {
    this.values = values;
    this.lens = lens;
  }

  /** The values of all keys, in the order of the keys. */
  public A values() {
    return values;
  }

  /** Number of values of each key. */
  public int[] lens() {
    return lens.clone();
  }
}
