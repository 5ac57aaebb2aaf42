package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import io.jgloo.transport.memory.Memory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Elements times or divided by a factor in native code, or in Java where a native call would take
 * longer; those of arrays always in Java, where its loops are as fast.
 *
 * <p><em>Threads</em>: any.
 */
final class NativeScaling implements Scaling {

  private final Loop compiled;
  private final Scaling loops;
  private final ByteBuffer factor = ByteBuffer.allocateDirect(Double.BYTES);

  NativeScaling(DataType type, Loop compiled, Scaling loops, double factor) {
    this.compiled = compiled;
    this.loops = loops;
    long address = Memory.addressOf(this.factor);
    if (type == DataType.FLOAT64) {
      Memory.putDouble(address, factor);
    } else {
      Memory.putFloat(address, (float) factor);
    }
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

  @Override
  public boolean appliesTo(Object array) {
    return loops.appliesTo(array);
  }

  @Override
  public void apply(Object array, long offset, long bytes) {
    loops.apply(array, offset, bytes);
  }
}
