package io.jgloo.collectives.kernel;

import io.jgloo.transport.Reduction;

/**
 * The arithmetic of one data type and operation, done the way that is fastest for each length.
 *
 * <p><i>Threads</i>: any number at a time.
 *
 * @param granule bytes of one element
 * @param few for at most {@code fewBytes}: no set-up at all
 * @param several for what lies between
 * @param many from {@code manyBytes} on: the most set-up, the most speed
 */
record Kernel(int granule, Loop few, int fewBytes, Loop several, Loop many, int manyBytes)
    implements Reduction {

  @Override
  public void reduce(long target, long source, long bytes) {
    if (bytes < 0 || (bytes & (granule - 1)) != 0) {
      throw new IllegalArgumentException(
          "bytes " + bytes + " is not a multiple of the element's " + granule);
    }
    if (bytes <= fewBytes) {
      few.apply(target, source, bytes);
    } else if (bytes < manyBytes) {
      several.apply(target, source, bytes);
    } else {
      many.apply(target, source, bytes);
    }
  }
}
