package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.library.ArrayCalls;
import io.jgloo.transport.library.LibraryFile;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The kernels of the native library, where one can be loaded.
 *
 * <p>Loaded once in a JVM, at the first use of this class: a process cannot bind two. Without it
 * everything works, more slowly; one log line says why.
 */
final class NativeKernels {

  private static final int ABI_VERSION = 1;

  private static final Logger LOG = System.getLogger(NativeKernels.class.getName());

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

  /** Elements of a type of 16 bits times one float32, at the source, in the same table. */
  static final int SCALE = 11;

  /** Constant, so that C2 sees through it to the call. */
  private static final NativeCalls CALLS;

  private static final Throwable CAUSE;

  static {
    NativeCalls calls = null;
    Throwable cause = null;
    try {
      calls = load(System.getProperties());
    } catch (IOException | LinkageError | UnsupportedOperationException e) {
      cause = e;
      LOG.log(
          Level.INFO,
          "no native kernels, Java ones do their work (float sums at a third of the speed, float16"
              + " at a fiftieth): {0}",
          e.toString());
    }
    CALLS = calls;
    CAUSE = cause;
  }

  private NativeKernels() {}

  static boolean isAvailable() {
    return CALLS != null;
  }

  /** Why there is no native library; empty when there is one. */
  static Optional<Throwable> unavailabilityCause() {
    return Optional.ofNullable(CAUSE);
  }

  /** The highest level this CPU has: 0 baseline, 1 AVX2, 2 AVX-512; -1 without a library. */
  static int level() {
    return isAvailable() ? CALLS.kernelLevel() : -1;
  }

  /** What a native call costs, about; 0 without a library. */
  static int callNanos() {
    return isAvailable() ? CALLS.callNanos() : 0;
  }

  /** The kernel for a CPU level, or nothing where there is none. */
  static Optional<Loop> loop(int level, DataType type, ReduceOp op) {
    return loop(level, type, OPS.get(op));
  }

  /** The conversion, or nothing where there is none; its bytes are those of the 16-bit type. */
  static Optional<Loop> loop(int level, DataType type, int code) {
    if (!isAvailable()) {
      return Optional.empty();
    }
    int handle = CALLS.kernel(level, TYPES.get(type), code);
    if (handle < 0) {
      return Optional.empty();
    }
    int shift = Integer.numberOfTrailingZeros(type.bytes());
    return Optional.of(
        (target, source, bytes) -> CALLS.reduce(handle, target, source, bytes >> shift));
  }

  /** The kernel on arrays, or nothing where there is none. */
  static Optional<ArrayReduction> onArrays(DataType type, ReduceOp op) {
    if (!isAvailable() || !ArrayCalls.isAvailable()) {
      return Optional.empty();
    }
    int handle = CALLS.kernel(level(), TYPES.get(type), OPS.get(op));
    if (handle < 0) {
      return Optional.empty();
    }
    int shift = Integer.numberOfTrailingZeros(type.bytes());
    return Optional.of(
        (array, offset, source, bytes) -> {
          for (long done = 0; done < bytes; done += ArrayCalls.MOST_BYTES) {
            long count = Math.min(bytes - done, ArrayCalls.MOST_BYTES) >> shift;
            ArrayCalls.reduce(handle, array, offset + done, source + done, count);
          }
        });
  }

  private static NativeCalls load(Properties properties) throws IOException {
    try (LibraryFile file = LibraryFile.find(properties)) {
      NativeCalls calls = NativeCalls.bind(file.path());
      int version = calls.abiVersion();
      if (version != ABI_VERSION) {
        throw new UnsatisfiedLinkError(
            file.path() + " has ABI version " + version + ", needed is " + ABI_VERSION);
      }
      LOG.log(Level.DEBUG, "native kernels from {0}", file.path());
      return calls;
    }
  }
}
