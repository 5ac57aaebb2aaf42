package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.memory.Memory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

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

  /**
   * A loop over part of an array, applied to memory 8 KiB at a time, as {@link ArrayKernel} applies
   * one over two.
   *
   * <p><em>Threads</em>: any; a second one at the same time works on an array made for the
   * occasion.
   */
  private static final class ArrayScaling<A> implements Scaling {

    /** Replaces some elements of an array. */
    @FunctionalInterface
    interface Each<A> {
      void apply(A array, int from, int to);
    }

    private static final int STAGE_BYTES = 8 << 10;

    private final Carrier<A> carrier;
    private final Each<A> loop;
    private final AtomicReference<A> idle = new AtomicReference<>();

    ArrayScaling(Carrier<A> carrier, Each<A> loop) {
      this.carrier = carrier;
      this.loop = loop;
    }

    @Override
    public void apply(long address, long bytes) {
      A stage = idle.getAndSet(null);
      if (stage == null) {
        stage = carrier.array().apply(STAGE_BYTES / carrier.bytes());
      }
      for (long done = 0; done < bytes; done += STAGE_BYTES) {
        int count = (int) Math.min(bytes - done, STAGE_BYTES) / carrier.bytes();
        carrier.load().apply(address + done, stage, count);
        loop.apply(stage, 0, count);
        carrier.store().apply(stage, address + done, count);
      }
      idle.setRelease(stage);
    }

    @Override
    public boolean appliesTo(Object array) {
      return carrier.type().isInstance(array);
    }

    @Override
    public void apply(Object array, long offset, long bytes) {
      int from = (int) (offset / carrier.bytes());
      loop.apply(carrier.type().cast(array), from, from + (int) (bytes / carrier.bytes()));
    }
  }

  /**
   * Elements times or divided by a factor in native code, or in Java where a native call would take
   * longer; those of arrays always in Java, where its loops are as fast.
   *
   * <p><em>Threads</em>: any.
   */
  private static final class NativeScaling implements Scaling {

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
}
