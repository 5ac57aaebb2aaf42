package io.jgloo.collectives.kernel;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.Reduction;
import java.util.Optional;

/** Makes kernels. */
@FunctionalInterface
public interface Arithmetic {

  /**
   * The kernel for a type and an operation.
   *
   * @throws IllegalArgumentException if the operation has no meaning on that type
   */
  Reduction kernel(DataType type, ReduceOp op);

  /**
   * The kernel with its operands changed: {@code target = f(source, target)}. The same one where
   * the operation commutes to the bit.
   *
   * @throws IllegalArgumentException if the operation has no meaning on that type
   */
  default Reduction flipped(DataType type, ReduceOp op) {
    return kernel(type, op);
  }

  /**
   * The kernel, on elements of an array; with either order of operands, to the bit. Nothing where
   * it would be slower than a copy to memory.
   */
  default Optional<ArrayReduction> onArrays(DataType type, ReduceOp op) {
    return Optional.empty();
  }

  /** What is done to each rank's contribution before it is combined, if anything. */
  default Optional<Scaling> before(DataType type, ReduceOp op) {
    return Optional.empty();
  }

  /** What is done to the result of a number of ranks, if anything. */
  default Optional<Scaling> after(DataType type, ReduceOp op, int ranks) {
    return Optional.empty();
  }

  /**
   * Makes of a contribution that is the whole result, as no other one is combined with it, what the
   * operation gives: a canonical NaN, 0 or 1. Empty if every contribution is that already.
   */
  default Optional<Scaling> single(DataType type, ReduceOp op) {
    return Optional.empty();
  }
}
