package io.jgloo.collectives.kernel;

/**
 * The arithmetic of one data type and operation on elements of an array, where it is.
 *
 * <p><i>Threads</i>: any number at a time.
 */
@FunctionalInterface
public interface ArrayReduction {

  /**
   * Sets each element of the array to {@code f(element, source)}.
   *
   * @param offset of the first byte in the array
   * @param bytes length of each range, a multiple of the element's size
   */
  void reduce(Object array, long offset, long source, long bytes);
}
