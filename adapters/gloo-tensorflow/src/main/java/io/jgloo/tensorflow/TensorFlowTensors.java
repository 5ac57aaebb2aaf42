package io.jgloo.tensorflow;

import io.jgloo.Payload;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.Retainable;
import org.tensorflow.RawTensor;
import org.tensorflow.SparseTensor;
import org.tensorflow.Tensor;
import org.tensorflow.TensorMapper;
import org.tensorflow.internal.c_api.TF_Tensor;
import org.tensorflow.internal.c_api.global.tensorflow;
import org.tensorflow.types.family.TType;

/**
 * Makes payloads of tensors of TensorFlow Java.
 *
 * <pre>{@code
 * group.allreduce(TensorFlowTensors.of(gradient), ReduceOp.AVG);
 * }</pre>
 *
 * <p>Tensors are always contiguous, in host memory and in native byte order. Calls work on the
 * memory of the tensor, also if it is closed while they run: each call holds a reference to it
 * until it has ended. A call on a tensor that is closed already is refused.
 *
 * <p><em>Threads</em>: any.
 */
public final class TensorFlowTensors {

  private TensorFlowTensors() {}

  /**
   * All elements of a tensor, in place.
   *
   * @throws IllegalArgumentException if the tensor is null, closed, sparse, or of a type that JGloo
   *     has not
   */
  public static Payload of(Tensor tensor) {
    if (tensor == null || tensor instanceof SparseTensor) {
      throw new IllegalArgumentException(
          "tensor must be dense, but is " + (tensor == null ? null : "sparse"));
    }
    DataType type = type(tensor);
    TF_Tensor handle = handle(tensor);
    long count = tensor.shape().size();
    long address = count == 0 ? 0 : tensorflow.TF_TensorData(handle).address();
    return Payload.ofAddress(address, count, type, new Reference(handle));
  }

  private static DataType type(Tensor tensor) {
    return switch (tensor.dataType()) {
      case DT_DOUBLE -> DataType.FLOAT64;
      case DT_FLOAT -> DataType.FLOAT32;
      case DT_HALF -> DataType.FLOAT16;
      case DT_BFLOAT16 -> DataType.BFLOAT16;
      case DT_INT64 -> DataType.INT64;
      case DT_INT32 -> DataType.INT32;
      case DT_UINT16 -> DataType.UINT16;
      case DT_UINT8 -> DataType.UINT8;
      case DT_BOOL -> DataType.BOOL;
      default ->
          throw new IllegalArgumentException(
              "tensor must be of double, float, half, bfloat16, int64, int32, uint16, uint8 or"
                  + " bool,"
                  + (" but is of " + tensor.dataType()));
    };
  }

  private static TF_Tensor handle(Tensor tensor) {
    try {
      return Handles.of(tensor.asRawTensor());
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException("tensor must be open, but is closed", e);
    }
  }

  /** Mappers of tensors have access to their handles. */
  private abstract static class Handles extends TensorMapper<TType> {
    static TF_Tensor of(RawTensor tensor) {
      return nativeHandle(tensor);
    }
  }

  private record Reference(TF_Tensor handle) implements Retainable {
    @Override
    public void retain() {
      synchronized (handle) {
        if (handle.isNull()) { // the last reference is gone, and the memory with it
          throw new IllegalStateException("the tensor of this payload is closed");
        }
        handle.retainReference();
      }
    }

    @Override
    public void release() {
      handle.releaseReference();
    }
  }
}
