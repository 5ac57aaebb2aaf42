package io.jgloo.collectives.kernel;

import io.jgloo.transport.Reduction;
import io.jgloo.transport.library.JniCalls;

/**
 * A user's native function, called by its address on the memory itself.
 *
 * <p><em>Threads</em>: any.
 *
 * @param address of the function
 * @param granule bytes of an element
 */
record NativeFunctionKernel(long address, int granule) implements Reduction {

  /** Most bytes of one call, whose length is an int in C. */
  private static final int CALL_BYTES = 1 << 30;

  NativeFunctionKernel {
    if (!JniCalls.isAvailable()) {
      throw new UnsupportedOperationException(
          "a native reduction function needs libjgloo, which is not available: "
              + JniCalls.unavailabilityCause().map(Throwable::getMessage).orElse(""));
    }
  }

  @Override
  public void reduce(long target, long source, long bytes) {
    if (bytes < 0 || bytes % granule != 0) {
      throw new IllegalArgumentException(
          "bytes " + bytes + " is not a multiple of the element's " + granule);
    }
    int most = CALL_BYTES - CALL_BYTES % granule;
    for (long done = 0; done < bytes; done += most) {
      int length = (int) Math.min(most, bytes - done);
      JniCalls.callReduction(address, target + done, source + done, granule, length);
    }
  }
}
