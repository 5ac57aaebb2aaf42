package io.jgloo.collectives.kernel;

import io.jgloo.transport.Reduction;

/**
 * The arithmetic of one data type and operation, done the way that is fastest for each length.
 *
 * <p><i>Threads</i>: any number at a time.
 *
 * @param granule bytes of one element
 * @param few the loop without any set-up
 * @param fewBytes the most it is for
 * @param several the loop for what lies between
 * @param many the loop with the most set-up and the most speed
 * @param manyBytes the least it is for; goes before {@code fewBytes} where the two overlap
 */
record Kernel(int granule, Loop few, long fewBytes, Loop several, Loop many, long manyBytes)
    implements Reduction {

  @Override
  public void reduce(long target, long source, long bytes) {
    if (bytes < 0 || (bytes & (granule - 1)) != 0) {
      throw new IllegalArgumentException(
          "bytes " + bytes + " is not a multiple of the element's " + granule);
    }
    if (bytes >= manyBytes) {
      many.apply(target, source, bytes);
    } else if (bytes <= fewBytes) {
      few.apply(target, source, bytes);
    } else {
      several.apply(target, source, bytes);
    }
  }
}
