package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;

/** The two scalings there are: times a factor, and divided by a number of ranks. */
final class Scalings {

  private Scalings() {}

  /** Each element times the factor, rounded once; below float64 the factor is a float32. */
  static Scaling times(DataType type, double factor) {
    return times(type, factor, NativeKernels.level());
  }

  /** The same by the native code for a CPU level, by Java code if that is -1 or has none. */
  static Scaling times(DataType type, double factor, int level) {
    return compiled(level, type, NativeKernels.SCALE, factor, floats(type, factor, false));
  }

  private static Scaling compiled(
      int level, DataType type, int code, double factor, Scaling loops) {
    return NativeKernels.loop(level, type, code)
        .map(compiled -> (Scaling) new NativeScaling(type, compiled, loops, factor))
        .orElse(loops);
  }

  /** Each element divided; floats are rounded once, integers truncated towards zero. */
  static Scaling over(DataType type, int ranks) {
    return over(type, ranks, NativeKernels.level());
  }

  /** The same by the native code for a CPU level, by Java code if that is -1. */
  static Scaling over(DataType type, int ranks, int level) {
    return compiled(level, type, NativeKernels.OVER, ranks, overLoops(type, ranks));
  }

  private static Scaling overLoops(DataType type, int ranks) {
    return switch (type) {
      case INT8, UINT8 -> bytes(ranks, type == DataType.UINT8);
      case INT16, UINT16 -> shorts(ranks, type == DataType.UINT16);
      case INT32, UINT32 -> ints(ranks, type == DataType.UINT32);
      case INT64, UINT64 -> longs(ranks, type == DataType.UINT64);
      case FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> floats(type, ranks, true);
      case BOOL -> throw new IllegalArgumentException("no " + ReduceOp.AVG + " of bool");
    };
  }

  private static Scaling bytes(int ranks, boolean unsigned) {
    int mask = unsigned ? 0xff : -1;
    return new ArrayScaling<>(
        Carrier.BYTES,
        (x, from, to) -> {
          for (int i = from; i < to; i++) {
            x[i] = (byte) ((x[i] & mask) / ranks);
          }
        });
  }

  private static Scaling shorts(int ranks, boolean unsigned) {
    int mask = unsigned ? 0xffff : -1;
    return new ArrayScaling<>(
        Carrier.SHORTS,
        (x, from, to) -> {
          for (int i = from; i < to; i++) {
            x[i] = (short) ((x[i] & mask) / ranks);
          }
        });
  }

  private static Scaling ints(int ranks, boolean unsigned) {
    return new ArrayScaling<>(
        Carrier.INTS,
        (x, from, to) -> {
          for (int i = from; i < to; i++) {
            x[i] = unsigned ? Integer.divideUnsigned(x[i], ranks) : x[i] / ranks;
          }
        });
  }

  private static Scaling longs(int ranks, boolean unsigned) {
    return new ArrayScaling<>(
        Carrier.LONGS,
        (x, from, to) -> {
          for (int i = from; i < to; i++) {
            x[i] = unsigned ? Long.divideUnsigned(x[i], ranks) : x[i] / ranks;
          }
        });
  }

  /** Floats times a factor, or divided by it; below float64 it is a float32. */
  private static Scaling floats(DataType type, double factor, boolean divides) {
    float narrow = (float) factor;
    return switch (type) {
      case FLOAT64 ->
          new ArrayScaling<>(
              Carrier.DOUBLES,
              (x, from, to) -> {
                for (int i = from; i < to; i++) {
                  x[i] = divides ? x[i] / factor : x[i] * factor;
                }
              });
      case FLOAT32 ->
          new ArrayScaling<>(
              Carrier.FLOATS,
              (x, from, to) -> {
                for (int i = from; i < to; i++) {
                  x[i] = divides ? x[i] / narrow : x[i] * narrow;
                }
              });
      case FLOAT16 ->
          new ArrayScaling<>(
              Carrier.SHORTS,
              (x, from, to) -> {
                for (int i = from; i < to; i++) {
                  float wide = Float16.widen(x[i]);
                  x[i] = Float16.round(divides ? wide / narrow : wide * narrow);
                }
              });
      case BFLOAT16 ->
          new ArrayScaling<>(
              Carrier.SHORTS,
              (x, from, to) -> {
                for (int i = from; i < to; i++) {
                  float wide = Bfloat16.widen(x[i]);
                  x[i] = Bfloat16.round(divides ? wide / narrow : wide * narrow);
                }
              });
      default -> throw new IllegalArgumentException("no factor for " + type);
    };
  }
}
