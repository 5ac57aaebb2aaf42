package io.jgloo.pytorch;

import io.jgloo.Payload;
import io.jgloo.collectives.DataType;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Makes payloads of tensors of PyTorch, as JavaCPP has them.
 *
 * <pre>{@code
 * group.allreduce(TorchTensors.of(gradient), ReduceOp.AVG);
 * }</pre>
 *
 * <p>Calls work on the memory of the tensor. Each payload has a handle of its own, so that the
 * tensor may be closed or collected while a call runs. PyTorch does not see the writes of a call:
 * what it saved of the tensor for a backward pass that is still to come changes, too.
 *
 * <p><em>Threads</em>: any.
 */
public final class TorchTensors {

  private TorchTensors() {}

  /**
   * All elements of a tensor, in place.
   *
   * @throws IllegalArgumentException if the tensor is null, closed, undefined, not in host memory,
   *     not contiguous, or of a type that JGloo has not
   */
  public static Payload of(Tensor tensor) {
    if (tensor == null || tensor.isNull() || !tensor.defined()) {
      throw new IllegalArgumentException(
          "tensor must be defined, but is "
              + (tensor == null ? "null" : tensor.isNull() ? "closed" : "undefined"));
    }
    if (!tensor.is_cpu()) {
      throw new IllegalArgumentException("tensor must be in host memory; use cpu()");
    }
    DataType type = type(tensor.scalar_type().intern());
    if (!tensor.is_contiguous()) {
      throw new IllegalArgumentException(
          "tensor must be contiguous, but its elements are not adjacent; use contiguous()");
    }
    Tensor own = new Tensor(tensor); // a reference to the same storage
    long count = own.numel();
    long address = count == 0 ? 0 : own.data_ptr().address();
    return Payload.ofAddress(address, count, type, own);
  }

  private static DataType type(ScalarType type) {
    return switch (type) {
      case Double -> DataType.FLOAT64;
      case Float -> DataType.FLOAT32;
      case Half -> DataType.FLOAT16;
      case BFloat16 -> DataType.BFLOAT16;
      case Long -> DataType.INT64;
      case Int -> DataType.INT32;
      case Short -> DataType.INT16;
      case Char -> DataType.INT8;
      case Byte -> DataType.UINT8;
      case UInt16 -> DataType.UINT16;
      case UInt32 -> DataType.UINT32;
      case UInt64 -> DataType.UINT64;
      case Bool -> DataType.BOOL;
      default ->
          throw new IllegalArgumentException(
              "tensor must be of a float, integer or boolean type, but is of " + type);
    };
  }
}
