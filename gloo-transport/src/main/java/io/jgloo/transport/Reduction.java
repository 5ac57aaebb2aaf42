package io.jgloo.transport;

/**
 * Element arithmetic over raw memory, opaque to the transport that applies it to arriving bytes.
 *
 * <p><i>Threads</i>: any number of threads may use one reduction at a time, on ranges of their own.
 * It may abort or close its mesh, which happens when it has returned; it must not wait for it.
 */
public interface Reduction {

  /**
   * Sets {@code target = f(target, source)}, element by element.
   *
   * <p>The two ranges must not overlap. Neither address needs to be a multiple of the granule:
   * bytes that arrive behind a header rarely are.
   *
   * @param target address of the range that is read and overwritten
   * @param source address of the range that is only read
   * @param bytes length of each range, a multiple of {@link #granule()}; zero is allowed
   */
  void reduce(long target, long source, long bytes);

  /**
   * The same, for a target that others read next through caches of their own; where that is faster,
   * the results go past this processor's.
   */
  default void reducePastCaches(long target, long source, long bytes) {
    reduce(target, source, bytes);
  }

  /** Bytes of one element: a range may be cut only at multiples of this. */
  int granule();

  /**
   * Most bytes to be given to one call, so that code that may take long is left often; a multiple
   * of {@link #granule()}.
   */
  default int bytesAtATime() {
    return Integer.MAX_VALUE;
  }
}
