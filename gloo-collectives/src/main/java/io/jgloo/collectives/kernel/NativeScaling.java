package io.jgloo.collectives.kernel;

import io.jgloo.transport.memory.Memory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Elements times a factor in native code, or in Java where a native call would take longer.
 *
 * <p><em>Threads</em>: any.
 */
final class NativeScaling implements Scaling {

  private final Loop compiled;
  private final Scaling loops;
  private final ByteBuffer factor = ByteBuffer.allocateDirect(Float.BYTES);

  NativeScaling(Loop compiled, Scaling loops, float factor) {
    this.compiled = compiled;
    this.loops = loops;
    Memory.putFloat(Memory.addressOf(this.factor), factor);
  }

  @Override
  public void apply(long address, long bytes) {
    if (bytes < NativeKernels.CALL_NANOS) {
      loops.apply(address, bytes);
      return;
    }
    try {
      compiled.apply(address, Memory.addressOf(factor), bytes);
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
