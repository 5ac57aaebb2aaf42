package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.library.JniCalls;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The table of kernels: which code combines elements of a type, by operation and length.
 *
 * <p>Whatever it chooses, the bits are those {@link ReduceOp} promises.
 */
public final class Kernels {

  /** What the executor of a group computes with. */
  public static final Arithmetic ARITHMETIC = new All();

  /**
   * The same, but for the least and the greatest of floats as Gloo has them, who compares with
   * {@code <}: the first operand where one is no number, and of two zeros.
   */
  public static final Arithmetic GLOO = new Gloo();

  /** What a plain loop does in the time of a native call, which is faster from there on. */
  private static final long PLAIN_CALL_BYTES = 10L * NativeKernels.CALL_NANOS;

  private Kernels() {}

  private static final class Gloo extends All {
    @Override
    public Reduction kernel(DataType type, ReduceOp op) {
      Reduction compared = compared(type, op, false);
      return compared == null ? super.kernel(type, op) : compared;
    }

    @Override
    public Reduction flipped(DataType type, ReduceOp op) {
      Reduction compared = compared(type, op, true);
      return compared == null ? super.flipped(type, op) : compared;
    }

    /** None: C++ Gloo passes a single operand on as it is. */
    @Override
    public Optional<Scaling> single(DataType type, ReduceOp op) {
      return Optional.empty();
    }

    @Override
    public Optional<ArrayReduction> onArrays(DataType type, ReduceOp op) {
      return compared(type, op, false) == null ? super.onArrays(type, op) : Optional.empty();
    }

    private static Reduction compared(DataType type, ReduceOp op, boolean flipped) {
      if (!op.equals(ReduceOp.MIN) && !op.equals(ReduceOp.MAX)) {
        return null;
      }
      ArrayKernel<?> kernel = ComparingLoops.of(type, op.equals(ReduceOp.MAX), flipped);
      if (kernel == null) {
        return null;
      }
      Loop loop = kernel.staged();
      return new Kernel(type.bytes(), loop);
    }
  }

  private static class All implements Arithmetic {
    @Override
    public Reduction kernel(DataType type, ReduceOp op) {
      return of(type, op);
    }

    @Override
    public Reduction flipped(DataType type, ReduceOp op) {
      return op.function() == null ? of(type, op) : own(type, op, true);
    }

    @Override
    public Optional<ArrayReduction> onArrays(DataType type, ReduceOp op) {
      return op.function() == null
          ? NativeKernels.onArrays(type, op.combining())
          : Optional.empty();
    }

    @Override
    public Optional<Scaling> before(DataType type, ReduceOp op) {
      return op.factor().isPresent()
          ? Optional.of(Scalings.times(type, op.factor().getAsDouble()))
          : Optional.empty();
    }

    @Override
    public Optional<Scaling> after(DataType type, ReduceOp op, int ranks) {
      return op.averages() && ranks > 1
          ? Optional.of(Scalings.over(type, ranks))
          : Optional.empty();
    }

    @Override
    public Optional<Scaling> single(DataType type, ReduceOp op) {
      boolean isBool = type == DataType.BOOL;
      boolean logical = isBool || op.equals(ReduceOp.LAND) || op.equals(ReduceOp.LOR);
      boolean order = op.equals(ReduceOp.MIN) || op.equals(ReduceOp.MAX);
      if (op.function() != null || !(logical || (order && hasNan(type)))) {
        return Optional.empty();
      }
      Loop loop = staged(type, isBool ? ReduceOp.LOR : op); // of x and x is what op gives for x
      return Optional.of((address, bytes) -> loop.apply(address, address, bytes));
    }
  }

  private static boolean hasNan(DataType type) {
    return switch (type) {
      case FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> true;
      default -> false;
    };
  }

  /**
   * A kernel of its own: it keeps the arrays it works with, so make one and hold on to it.
   *
   * @throws IllegalArgumentException when the operation has no meaning on that type
   */
  public static Reduction of(DataType type, ReduceOp op) {
    requireMeaning(type, op);
    return op.function() == null ? builtIn(type, op.combining()) : own(type, op, false);
  }

  private static Reduction own(DataType type, ReduceOp op, boolean flipped) {
    requireMeaning(type, op);
    if (op.function() instanceof ReduceOp.Function function) {
      return new FunctionKernel(function, type, op.width(), flipped);
    }
    if (op.function() instanceof Long address) {
      return new NativeFunctionKernel(address, op.width()); // which commutes
    }
    Loop loop = OperatorLoops.of(type, op.function(), flipped);
    return new Kernel(type.bytes(), loop);
  }

  private static Reduction builtIn(DataType type, ReduceOp op) {
    Loop staged = staged(type, op);
    Optional<Loop> plain = plain(type, op);
    Optional<Loop> compiled = NativeKernels.loop(NativeKernels.level(), type, op);
    return new Kernel(
        type.bytes(),
        plain.orElse(staged),
        plain.isPresent() ? plainBytes(type) : 0,
        staged,
        compiled.orElse(staged),
        compiled.isEmpty() ? Long.MAX_VALUE : plain.isPresent() ? PLAIN_CALL_BYTES : 0,
        NativeKernels.pastCaches(type, op).orElse(staged));
  }

  /**
   * Up to what length the plain loop is no slower than copying through arrays (measured, Java 17):
   * float sums gain twofold from vectors there, the other three types nothing worth the copying.
   */
  private static long plainBytes(DataType type) {
    return type == DataType.FLOAT32 ? 512 : Long.MAX_VALUE;
  }

  /** Why only Java kernels are in use; empty when the native ones are there. */
  public static Optional<Throwable> nativeUnavailabilityCause() {
    return JniCalls.unavailabilityCause();
  }

  private static void requireMeaning(DataType type, ReduceOp op) {
    if (!op.appliesTo(type)) {
      String name = type.name().toLowerCase(Locale.ROOT);
      throw new IllegalArgumentException("reduce op " + op + " has no meaning on " + name);
    }
  }

  /** The loop over addresses, for the types and operations that have one. */
  static Optional<Loop> plain(DataType type, ReduceOp op) {
    return Optional.ofNullable(op.equals(ReduceOp.SUM) ? AddressLoops.sum(type) : null);
  }

  /** The loop through arrays; every type and operation has one. */
  static Loop staged(DataType type, ReduceOp op) {
    Map<ReduceOp, ArrayKernel<?>> kernels =
        switch (type) {
          case INT8 -> IntegerLoops.INT8;
          case UINT8 -> IntegerLoops.UINT8;
          case INT16 -> IntegerLoops.INT16;
          case UINT16 -> IntegerLoops.UINT16;
          case INT32 -> IntegerLoops.INT32;
          case UINT32 -> IntegerLoops.UINT32;
          case INT64 -> IntegerLoops.INT64;
          case UINT64 -> IntegerLoops.UINT64;
          case FLOAT16 -> FloatLoops.FLOAT16;
          case BFLOAT16 -> FloatLoops.BFLOAT16;
          case FLOAT32 -> FloatLoops.FLOAT32;
          case FLOAT64 -> FloatLoops.FLOAT64;
          case BOOL -> IntegerLoops.BOOL;
        };
    return kernels.get(op).staged();
  }
}
