package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.library.JniCalls;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** The kernels of the native library, where it can be loaded; else Java loops do their work. */
final class NativeKernels {

  /** Rows and columns of the table in kernels.c. */
  static final Map<DataType, Integer> TYPES =
      Map.ofEntries(
          Map.entry(DataType.INT8, 0),
          Map.entry(DataType.UINT8, 1),
          Map.entry(DataType.INT16, 2),
          Map.entry(DataType.UINT16, 3),
          Map.entry(DataType.INT32, 4),
          Map.entry(DataType.UINT32, 5),
          Map.entry(DataType.INT64, 6),
          Map.entry(DataType.UINT64, 7),
          Map.entry(DataType.FLOAT16, 8),
          Map.entry(DataType.BFLOAT16, 9),
          Map.entry(DataType.FLOAT32, 10),
          Map.entry(DataType.FLOAT64, 11),
          Map.entry(DataType.BOOL, 12));

  static final Map<ReduceOp, Integer> OPS =
      Map.of(
          ReduceOp.SUM, 0,
          ReduceOp.PRODUCT, 1,
          ReduceOp.MIN, 2,
          ReduceOp.MAX, 3,
          ReduceOp.BAND, 4,
          ReduceOp.BOR, 5,
          ReduceOp.BXOR, 6,
          ReduceOp.LAND, 7,
          ReduceOp.LOR, 8);

  /** Conversions of float32 to a type of 16 bits and back, in the same table. */
  static final int NARROW = 9;

  static final int WIDEN = 10;

  /** Floats times one factor at the source, a float64 for float64, else a float32. */
  static final int SCALE = 11;

  /** Elements divided by one such factor that is an integer. */
  static final int OVER = 12;

  /** What a native call costs, about. */
  static final int CALL_NANOS = 6;

  private NativeKernels() {}

  /** The highest level this CPU has: 0 baseline, 1 AVX2, 2 AVX-512; -1 without a library. */
  static int level() {
    return JniCalls.isAvailable() ? JniCalls.kernelLevel() : -1;
  }

  /** The kernel for a CPU level, or nothing where there is none. */
  static Optional<Loop> loop(int level, DataType type, ReduceOp op) {
    return loop(level, type, OPS.get(op));
  }

  /** The conversion, or nothing where there is none; its bytes are those of the 16-bit type. */
  static Optional<Loop> loop(int level, DataType type, int code) {
    int shift = shift(type);
    return kernel(
        level,
        type,
        code,
        handle ->
            (target, source, bytes) -> JniCalls.reduce(handle, target, source, bytes >> shift));
  }

  /** The kernel whose results go past the caches, or nothing where there is none. */
  static Optional<Loop> pastCaches(DataType type, ReduceOp op) {
    int shift = shift(type);
    return kernel(
        level(),
        type,
        OPS.get(op),
        handle ->
            (target, source, bytes) ->
                JniCalls.reducePastCaches(handle, target, source, bytes >> shift));
  }

  /** The kernel on arrays, or nothing where there is none. */
  static Optional<ArrayReduction> onArrays(DataType type, ReduceOp op) {
    int shift = shift(type);
    return kernel(
        level(),
        type,
        OPS.get(op),
        handle ->
            (array, offset, source, bytes) -> {
              for (long done = 0; done < bytes; done += JniCalls.MOST_ARRAY_BYTES) {
                long count = Math.min(bytes - done, JniCalls.MOST_ARRAY_BYTES) >> shift;
                JniCalls.reduceArray(handle, array, offset + done, source + done, count);
              }
            });
  }

  private static <T> Optional<T> kernel(
      int level, DataType type, int code, IntFunction<T> withHandle) {
    int handle = JniCalls.isAvailable() ? JniCalls.kernel(level, TYPES.get(type), code) : -1;
    return handle < 0 ? Optional.empty() : Optional.of(withHandle.apply(handle));
  }

  private static int shift(DataType type) {
    return Integer.numberOfTrailingZeros(type.bytes());
  }
}
