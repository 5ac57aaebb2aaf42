package io.jgloo.pytorch;

import io.jgloo.Payload;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.Retainable;
import java.util.ArrayDeque;
import java.util.Deque;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Makes payloads of tensors of PyTorch, as JavaCPP has them.
 *
 * <pre>{@code
 * group.allreduce(TorchTensors.of(gradient), ReduceOp.AVG);
 * }</pre>
 *
 * <p>Calls work on the memory of the tensor. A payload has a handle of its own, so that the tensor
 * may be closed or collected before or while a call runs: the memory is freed after the payload was
 * collected. PyTorch does not see the writes of a call: what it saved of the tensor for a backward
 * pass that is still to come changes, too.
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
    return of("tensor", tensor, false);
  }

  /**
   * The same.
   *
   * @param name of the tensor, for messages
   * @param owned whether the payload has no handle of its own but uses this one, whose owner closes
   *     it when no call is to start any more
   */
  static Payload of(String name, Tensor tensor, boolean owned) {
    if (tensor == null || tensor.isNull() || !tensor.defined()) {
      throw new IllegalArgumentException(
          name
              + " must be defined, but is "
              + (tensor == null ? "null" : tensor.isNull() ? "closed" : "undefined"));
    }
    if (!tensor.is_cpu()) {
      throw new IllegalArgumentException(name + " must be in host memory; use cpu()");
    }
    DataType type = type(name, tensor.scalar_type().intern());
    if (!tensor.is_contiguous()) {
      throw new IllegalArgumentException(
          name + " must be contiguous, but its elements are not adjacent; use contiguous()");
    }
    Tensor handle = owned ? tensor : own(tensor);
    long address = address(handle);
    Storage storage = new Storage(name, handle, address);
    return Payload.ofAddress(address, handle.numel(), type, storage);
  }

  /** Another handle of a tensor, which no {@code PointerScope} of the program closes. */
  static Tensor own(Tensor tensor) {
    return new Tensor(tensor).retainReference();
  }

  private static long address(Tensor tensor) {
    return tensor.numel() == 0 ? 0 : tensor.data_ptr().address();
  }

  /** The memory of a tensor: each call has a view of it, also if the tensor gets other memory. */
  private static final class Storage implements Retainable {

    private final String name;
    private final Tensor tensor;
    private final long address;
    private final Deque<Tensor> views = new ArrayDeque<>();

    Storage(String name, Tensor tensor, long address) {
      this.name = name;
      this.tensor = tensor;
      this.address = address;
    }

    @Override
    public synchronized void retain() {
      if (tensor.isNull()) {
        throw new IllegalStateException(name + " of this payload is closed");
      }
      Tensor view = tensor.detach().retainReference();
      if (address(view) != address) {
        view.releaseReference();
        throw new IllegalStateException(
            name + " has other memory than when this payload was made, as after Module.load");
      }
      views.push(view);
    }

    @Override
    public synchronized void release() {
      views.pop().releaseReference();
    }
  }

  private static DataType type(String name, ScalarType type) {
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
              name + " must be of a float, integer or boolean type, but is of " + type);
    };
  }
}
