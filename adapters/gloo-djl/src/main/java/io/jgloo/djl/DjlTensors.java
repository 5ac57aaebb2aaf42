package io.jgloo.djl;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.NDScope;
import ai.djl.pytorch.engine.PtNDArray;
import io.jgloo.Payload;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.Retainable;
import io.jgloo.transport.memory.Memory;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Makes payloads of arrays of DJL's engine PyTorch.
 *
 * <pre>{@code
 * group.allreduce(DjlTensors.of(gradient), ReduceOp.AVG);
 * }</pre>
 *
 * <p>Calls work on the memory of the array, also if the array or its manager is closed while they
 * run: each call holds a tensor of its own with the same storage until it has ended. A call on an
 * array that is closed already is refused.
 *
 * <p>PyTorch does not see the writes of a call: what it saved of the array for a backward pass that
 * is still to come changes, too.
 *
 * <p><em>Threads</em>: any.
 */
public final class DjlTensors {

  /**
   * The Java memory that holds the elements of arrays made of Java data; {@code close} drops it.
   */
  private static final Field JAVA_MEMORY = javaMemory();

  private DjlTensors() {}

  /**
   * All elements of an array, in place.
   *
   * @throws IllegalArgumentException if the array is null, closed, not of PyTorch, not in host
   *     memory, sparse, not contiguous, or of a type that JGloo has not
   */
  public static Payload of(NDArray array) {
    if (!(array instanceof PtNDArray tensor)) {
      throw new IllegalArgumentException(
          "array must be of engine PyTorch, but is "
              + (array == null ? null : array.getClass().getName()));
    }
    if (tensor.isReleased()) {
      throw new IllegalArgumentException("array must be open, but is closed");
    }
    DataType type = type(tensor);
    if (!tensor.getDevice().equals(Device.cpu())) {
      throw new IllegalArgumentException(
          "array must be in host memory, but is on "
              + tensor.getDevice()
              + "; use toDevice(Device.cpu(), false)");
    }
    if (tensor.isSparse()) {
      throw new IllegalArgumentException(
          "array must be dense, but is " + tensor.getSparseFormat() + "; use toDense()");
    }
    long address = address(tensor);
    return Payload.ofAddress(address, tensor.size(), type, new Storage(tensor, address));
  }

  private static DataType type(PtNDArray array) {
    return switch (array.getDataType()) {
      case FLOAT64 -> DataType.FLOAT64;
      case FLOAT32 -> DataType.FLOAT32;
      case FLOAT16 -> DataType.FLOAT16;
      case INT64 -> DataType.INT64;
      case INT32 -> DataType.INT32;
      case INT8 -> DataType.INT8;
      case UINT8 -> DataType.UINT8;
      case BOOLEAN -> DataType.BOOL;
      default ->
          throw new IllegalArgumentException(
              "array must be of float64, float32, float16, int64, int32, int8, uint8 or boolean,"
                  + (" but is of " + array.getDataType()));
    };
  }

  /** DJL gives the memory of a contiguous tensor, but a new copy each time of one that is not. */
  static long address(NDArray array) {
    try (NDManager copies = array.getManager().newSubManager()) {
      NDArray view = array.stopGradient();
      view.attach(copies);
      long address = Memory.addressOf(view.toByteBuffer(true));
      if (address != Memory.addressOf(view.toByteBuffer(true))) {
        throw new IllegalArgumentException(
            "array must be contiguous, but the elements of this view of shape "
                + (array.getShape() + " are not adjacent; use duplicate()"));
      }
      return address;
    }
  }

  private static Field javaMemory() {
    try {
      Field field = PtNDArray.class.getDeclaredField("dataRef");
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "PtNDArray must have the field dataRef, as in DJL 0.36; its arrays cannot be retained",
          e);
    }
  }

  /** The memory of an array, whichever object frees it. */
  private static final class Storage implements Retainable {

    private final PtNDArray array;
    private final long address;
    private final Deque<Object[]> held = new ArrayDeque<>();

    Storage(PtNDArray array, long address) {
      this.array = array;
      this.address = address;
    }

    @Override
    public synchronized void retain() {
      Object javaMemory;
      try {
        javaMemory = JAVA_MEMORY.get(array);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("cannot retain the memory of the array", e);
      }
      if (array.isReleased()) {
        throw new IllegalStateException("the array of this payload is closed");
      }
      NDArray view = array.stopGradient();
      NDScope.unregister(view);
      view.detach();
      if (Memory.addressOf(view.toByteBuffer(true)) != address) {
        view.close();
        throw new IllegalStateException(
            "the array of this payload has other memory than when the payload was made");
      }
      held.push(new Object[] {view, javaMemory});
    }

    @Override
    public synchronized void release() {
      ((NDArray) held.pop()[0]).close();
    }
  }
}
