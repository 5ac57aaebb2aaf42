package io.jgloo.bench.compare;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.kernel.Kernels;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A process that times the kernels it has, native ones or not: a line per type and size. */
final class KernelProbe {

  private static final int BATCHES = 15;
  private static final long BATCH_NANOS = 4_000_000;

  /** More than the second compiler wants to see, in every type. */
  private static final int WARM_CALLS = 30_000;

  private static final long WARM_BYTES = 1024;

  private KernelProbe() {}

  /** Times sums of vectors of as many bytes as each argument says. */
  public static void main(String[] arguments) {
    List<Long> sizes = new ArrayList<>();
    long most = WARM_BYTES;
    for (String argument : arguments) {
      sizes.add(Long.parseLong(argument));
      most = Math.max(most, sizes.get(sizes.size() - 1));
    }
    long target = Memory.allocate(most, Memory.CACHE_LINE);
    long source = Memory.allocate(most, Memory.CACHE_LINE);
    Memory.setZero(target, most); // zeros stay zeros, however often they are summed
    Memory.setZero(source, most);
    for (DataType type : DataType.values()) {
      if (ReduceOp.SUM.appliesTo(type)) {
        Reduction kernel = Kernels.of(type, ReduceOp.SUM);
        for (int call = 0; call < WARM_CALLS; call++) {
          kernel.reduce(target, source, WARM_BYTES);
        }
        for (long bytes : sizes) {
          System.out.printf(
              Locale.ROOT,
              "%s %d %.1f%n",
              label(type),
              bytes,
              nanos(kernel, target, source, bytes));
        }
      }
    }
    Memory.free(target);
    Memory.free(source);
  }

  static String label(DataType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  /** Of one call, the least of several batches. */
  private static double nanos(Reduction kernel, long target, long source, long bytes) {
    double best = Double.MAX_VALUE;
    long calls = 1;
    for (int batch = 0; batch < BATCHES; batch++) {
      long start = System.nanoTime();
      for (long call = 0; call < calls; call++) {
        kernel.reduce(target, source, bytes);
      }
      double nanos = (System.nanoTime() - start) / (double) calls;
      best = Math.min(best, nanos);
      calls = (long) (BATCH_NANOS / Math.max(1, nanos)) + 1;
    }
    return best;
  }
}
