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
 * @param pastCaches what to take in place of {@code many} where results go past the caches
 */
record Kernel(
    int granule, Loop few, long fewBytes, Loop several, Loop many, long manyBytes, Loop pastCaches)
    implements Reduction {

  /** One loop for all lengths. */
  Kernel(int granule, Loop loop) {
    this(granule, loop, 0, loop, loop, Long.MAX_VALUE, loop);
  }

  @Override
  public void reduce(long target, long source, long bytes) {
    reduce(many, target, source, bytes);
  }

  @Override
  public void reducePastCaches(long target, long source, long bytes) {
    reduce(pastCaches, target, source, bytes);
  }

  private void reduce(Loop most, long target, long source, long bytes) {
    if (bytes < 0 || (bytes & (granule - 1)) != 0) {
      throw new IllegalArgumentException(
          "bytes " + bytes + " is not a multiple of the element's " + granule);
    }
    if (bytes >= manyBytes) {
      most.apply(target, source, bytes);
    } else if (bytes <= fewBytes) {
      few.apply(target, source, bytes);
    } else {
      several.apply(target, source, bytes);
    }
  }
}
