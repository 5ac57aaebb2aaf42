package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.memory.Memory;

/** A program of its own: sums two vectors and prints the result, then how it was done. */
final class NativeProbe {

  private NativeProbe() {}

  public static void main(String[] arguments) {
    System.out.println(report());
  }

  public static String report() {
    int count = 1000;
    long room = Memory.allocate(8L * count, 64);
    for (int i = 0; i < 2 * count; i++) {
      Memory.putFloat(room + 4L * i, i);
    }
    Kernels.of(DataType.FLOAT32, ReduceOp.SUM).reduce(room, room + 4L * count, 4L * count);
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Memory.getFloat(room + 4L * i);
    }
    Memory.free(room);
    return String.join(
        System.lineSeparator(),
        "sum " + (long) sum,
        "level " + NativeKernels.level(),
        "cause " + Kernels.nativeUnavailabilityCause().orElse(null));
  }
}
