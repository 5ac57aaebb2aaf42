package io.jgloo.collectives;

import io.jgloo.DataType;
import io.jgloo.ReduceOp;
import io.jgloo.transport.Reduction;

/** Makes kernels. */
@FunctionalInterface
public interface Arithmetic {

  /**
   * The kernel for a type and an operation.
   *
   * @throws IllegalArgumentException if the operation has no meaning on that type
   */
  Reduction kernel(DataType type, ReduceOp op);
}
