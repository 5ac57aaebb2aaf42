package io.jgloo.collectives.kernel;

/** One way to combine two ranges of memory, all elements alike. */
@FunctionalInterface
interface Loop {

  /**
   * Sets each element of the target to {@code f(target, source)}.
   *
   * @param bytes length of each range, a multiple of the element's size
   */
  void apply(long target, long source, long bytes);
}
